//! The table on disk.
//!
//! A file has a header of 64 bytes, a checksum for each slice of 64 KiB of the rest, then the values, one byte
//! a number, filled up with zeros to whole slices, then the long distances, eight bytes each. All numbers are
//! little-endian.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0–7 | `VVSOLVED` |
//! | 8–11 | version of the format, 1 |
//! | 12 | when a try wins: 0 after the opponent's turn, 1 at once |
//! | 13–15 | how many inada, octopuses, flounders there are |
//! | 16–17 | the level to go on with, 65535 in a finished table |
//! | 20–23 | how many values |
//! | 24–27 | how many long distances |
//! | 60–63 | checksum (CRC-32) of bytes 0–59 and of all checksums of slices |
//!
//! Checksums by slice let a reader that maps the file check what it touches, when it first touches it: a
//! damaged file is found out without reading all of it. Writing goes to a temporary file that takes the name
//! of the real one when all is on disk, so that a table is there as a whole or not at all. An unfinished table
//! has the same form.

use super::generate::{Generation, Long};
use super::{Convention, Pieces};
use crate::solve::TableError;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// How many bytes share a checksum.
pub const SLICE: usize = 1 << 16;
/// Length of the header.
pub const HEADER: usize = 64;
const MAGIC: &[u8; 8] = b"VVSOLVED";
const VERSION: u32 = 1;
const FINISHED: u16 = u16::MAX;
const LONG_BYTES: usize = 8;

/// What the beginning of a file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// When a try wins.
    pub convention: Convention,
    /// The pieces.
    pub pieces: Pieces,
    /// The level to go on with, none if finished.
    pub next: Option<u16>,
    /// How many values.
    pub values: u32,
    /// How many long distances.
    pub long: u32,
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    bytes[at..at + N].try_into().expect("N bytes")
}

impl Header {
    /// How many slices the values fill.
    pub fn value_slices(&self) -> usize {
        (self.values as usize).div_ceil(SLICE)
    }

    /// How many slices there are.
    pub fn slices(&self) -> usize {
        self.value_slices() + (self.long as usize * LONG_BYTES).div_ceil(SLICE)
    }

    /// Where the values begin.
    pub fn body(&self) -> usize {
        HEADER + 4 * self.slices()
    }

    /// Where the long distances begin.
    pub fn long_at(&self) -> usize {
        self.body() + self.value_slices() * SLICE
    }

    /// How long the file is.
    pub fn file_len(&self) -> usize {
        self.long_at() + self.long as usize * LONG_BYTES
    }

    /// The header and the checksums as bytes.
    fn encode(&self, checksums: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12] = self.convention as u8;
        bytes[13..16].copy_from_slice(&self.pieces.0);
        bytes[16..18].copy_from_slice(&self.next.unwrap_or(FINISHED).to_le_bytes());
        bytes[20..24].copy_from_slice(&self.values.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.long.to_le_bytes());
        let sum = checksum(&[&bytes[..60], checksums]);
        bytes[60..].copy_from_slice(&sum.to_le_bytes());
        bytes.extend(checksums);
        bytes
    }

    /// Reads a header; what is said of the rest is checked by [`Self::check`].
    pub fn decode(bytes: &[u8]) -> Result<Header, TableError> {
        if bytes.len() < HEADER || &bytes[..8] != MAGIC {
            return Err(TableError::Foreign);
        }
        let version = u32::from_le_bytes(number(bytes, 8));
        if version != VERSION {
            return Err(TableError::Version { found: version, known: VERSION });
        }
        let next = u16::from_le_bytes(number(bytes, 16));
        Ok(Header {
            convention: match bytes[12] {
                0 => Convention::Osakana,
                1 => Convention::Dobutsu,
                _ => return Err(TableError::Damaged),
            },
            pieces: match Pieces(number(bytes, 13)) {
                pieces if Pieces::ALL.hold(pieces) => pieces,
                _ => return Err(TableError::Damaged),
            },
            next: (next != FINISHED).then_some(next),
            values: u32::from_le_bytes(number(bytes, 20)),
            long: u32::from_le_bytes(number(bytes, 24)),
        })
    }

    /// Checks the checksum of the header and of the checksums, which follow it.
    pub fn check(&self, bytes: &[u8]) -> Result<(), TableError> {
        let sums = bytes.get(HEADER..self.body()).ok_or(TableError::Damaged)?;
        match checksum(&[&bytes[..60], sums]) == u32::from_le_bytes(number(bytes, 60)) {
            true => Ok(()),
            false => Err(TableError::Damaged),
        }
    }
}

/// The checksum of bytes.
pub fn checksum(parts: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize()
}

/// A long distance as bytes.
fn long_bytes(long: &Long) -> [u8; LONG_BYTES] {
    let mut bytes = [0; LONG_BYTES];
    bytes[..4].copy_from_slice(&long.index.to_le_bytes());
    bytes[4..6].copy_from_slice(&long.distance.to_le_bytes());
    bytes[6] = long.won.into();
    bytes
}

/// A long distance from bytes, by its place among all.
pub fn long_from(bytes: &[u8], place: usize) -> Long {
    let bytes = &bytes[place * LONG_BYTES..];
    Long {
        index: u32::from_le_bytes(number(bytes, 0)),
        distance: u16::from_le_bytes(number(bytes, 4)),
        won: bytes[6] == 1,
    }
}

impl Generation {
    /// What the header of its file says.
    pub fn header(&self) -> Header {
        Header {
            convention: self.convention,
            pieces: self.numbering.pieces(),
            next: self.next,
            values: self.numbering.len(),
            long: self.long.len() as u32,
        }
    }

    /// The body of the file in slices; the last of the long distances may be shorter.
    fn slices(&self) -> impl Iterator<Item = Vec<u8>> + '_ {
        let values = self.bytes.chunks(self.numbering.len(), SLICE).map(|mut slice| {
            slice.resize(SLICE, 0);
            slice
        });
        let long = self.long.chunks(SLICE / LONG_BYTES);
        values.chain(long.map(|some| some.iter().flat_map(long_bytes).collect()))
    }

    /// Writes the table, finished or not, in place of what may be there.
    pub fn write(&self, path: &Path) -> Result<(), TableError> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let written = self.write_to(&temporary).and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            fs::remove_file(&temporary).ok();
        }
        Ok(written.and_then(|()| sync_folder(path))?)
    }

    fn write_to(&self, path: &Path) -> io::Result<()> {
        let checksums: Vec<u8> = self.slices().flat_map(|slice| checksum(&[&slice]).to_le_bytes()).collect();
        let mut out = BufWriter::new(File::create(path)?);
        out.write_all(&self.header().encode(&checksums))?;
        for slice in self.slices() {
            out.write_all(&slice)?;
        }
        out.into_inner()?.sync_all()
    }

    /// Takes up an unfinished table again.
    pub fn read(path: &Path) -> Result<Generation, TableError> {
        let mut input = BufReader::new(File::open(path)?);
        let mut bytes = vec![0; HEADER];
        input.read_exact(&mut bytes).map_err(|_| TableError::Foreign)?;
        let header = Header::decode(&bytes)?;
        let mut made = Generation::new(header.pieces, header.convention);
        if header.values != made.numbering.len() || header.long > header.values {
            return Err(TableError::Damaged);
        }
        bytes.resize(header.body(), 0);
        input.read_exact(&mut bytes[HEADER..])?;
        header.check(&bytes)?;
        let mut sums = bytes[HEADER..].chunks_exact(4).map(|sum| u32::from_le_bytes(number(sum, 0)));
        let mut slice = vec![0; SLICE];
        for place in 0..header.value_slices() {
            read_slice(&mut input, &mut slice, sums.next())?;
            made.bytes.fill((place * SLICE) as u32, &slice);
        }
        for place in (0..header.long as usize).step_by(SLICE / LONG_BYTES) {
            let some = (header.long as usize - place).min(SLICE / LONG_BYTES);
            slice.resize(some * LONG_BYTES, 0);
            read_slice(&mut input, &mut slice, sums.next())?;
            made.long.extend((0..some).map(|place| long_from(&slice, place)));
        }
        made.next = header.next;
        Ok(made)
    }
}

fn read_slice(input: &mut impl Read, slice: &mut [u8], sum: Option<u32>) -> Result<(), TableError> {
    input.read_exact(slice)?;
    match Some(checksum(&[slice])) == sum {
        true => Ok(()),
        false => Err(TableError::Damaged),
    }
}

/// Makes the new name last, where folders can be synced.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or_else(|| PathBuf::from("."), Path::to_owned);
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if cfg!(unix) => Err(error),
        _ => Ok(()),
    }
}
