//! Lines as a search shows them.

/// Lines that are shown of a search.
pub(super) const MAX_LINES: usize = 200;
/// Bytes that are shown of a line.
const MAX_LINE: usize = 300;

/// What a search found.
#[derive(Debug, Default)]
pub(super) struct Matches {
    pub(super) lines: Vec<String>,
    /// Whether there is more.
    pub(super) cut: bool,
}

impl Matches {
    /// Adds a line; `false` when there is no room for it.
    pub(super) fn add(&mut self, path: &str, number: usize, line: &str) -> bool {
        if self.lines.len() >= MAX_LINES {
            self.cut = true;
            return false;
        }
        let line = line.trim_end();
        let end = line.floor_char_boundary(MAX_LINE.min(line.len()));
        let more = if end < line.len() { "…" } else { "" };
        self.lines.push(format!("{path}:{number}: {}{more}", &line[..end]));
        true
    }
}
