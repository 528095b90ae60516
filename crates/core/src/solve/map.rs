//! A file mapped into memory: the one place with `unsafe`.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a file, read from disk when they are touched.
#[derive(Debug)]
pub struct Mapped(memmap2::Mmap);

impl Mapped {
    /// Maps a file.
    #[allow(unsafe_code)]
    pub fn open(path: &Path) -> io::Result<Mapped> {
        let file = File::open(path)?;
        // SAFETY: the map is read-only. The danger is a file that another process changes or cuts short while it
        // is mapped. Tables are never written in place: a new one is made beside and renamed, which leaves
        // the mapped one as it was. What can't be excluded is a user who overwrites the file by hand; then
        // checksums catch changed bytes, and a shorter file ends the process by SIGBUS, as with every mapping.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Mapped(map))
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
