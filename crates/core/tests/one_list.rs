//! A game is named in its own folder and in the one list of games, and nowhere else. Tests are free to name games.

use std::fs;
use std::path::{Path, PathBuf};
use visavis_core::registry;

/// The words that name a game: its slug, and how its title is written in code and prose.
fn names(slug: &str) -> Vec<String> {
    let mut names = vec![slug.to_owned()];
    if slug == "dande" {
        names.push("d&e".to_owned());
    }
    names
}

/// All Rust sources and manifests below a folder, tests excepted.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && name != "tests" && name != "target" {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" || name == "Cargo.toml" {
            found.push(path);
        }
    }
}

#[test]
fn only_its_folder_and_the_list_name_a_game() {
    let core = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = core.parent().unwrap();
    let games = core.join("src/games");
    let mut paths = Vec::new();
    sources(crates, &mut paths);
    assert!(paths.len() > 50, "the sources are found");
    let mut wrong = Vec::new();
    for path in paths.iter().filter(|path| **path != games.join("mod.rs")) {
        let text = fs::read_to_string(path).unwrap().to_lowercase();
        for slug in registry::slugs().filter(|slug| !path.starts_with(games.join(slug))) {
            for name in names(slug).iter().filter(|name| text.contains(name.as_str())) {
                wrong.push(format!("{} names {name}", path.strip_prefix(crates).unwrap().display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_game_has_the_same_files() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/games");
    for slug in registry::slugs() {
        for file in ["mod", "board", "state", "text", "eval", "levels", "tests"] {
            let path = games.join(slug).join(file).with_extension("rs");
            assert!(path.is_file(), "{}", path.display());
        }
    }
    let folders = fs::read_dir(&games).unwrap().filter(|entry| entry.as_ref().unwrap().path().is_dir());
    assert_eq!(folders.count(), registry::slugs().count(), "every folder is listed");
}
