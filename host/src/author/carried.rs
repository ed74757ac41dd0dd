//! The sources the program carries.

/// Paths relative to the project's top folder, with `/`, and contents; sorted.
pub const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/carried.rs"));

/// The text of one file.
pub fn text(path: &str) -> Option<&'static str> {
    let at = FILES.binary_search_by(|(name, _)| name.cmp(&path)).ok()?;
    std::str::from_utf8(FILES[at].1).ok()
}

/// The files below a folder, by their paths in it.
pub fn below(folder: &str) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    FILES.iter().filter_map(move |(name, bytes)| {
        let rest = name.strip_prefix(folder)?.strip_prefix('/')?;
        Some((rest, *bytes))
    })
}
