//! Searching files for a regular expression, through a window of fixed size.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use regex::bytes::{Regex, RegexBuilder};

use super::pack::Span;

/// The most hits of one search.
pub const MAX_HITS: usize = 1000;
/// The longest text of a hit, in bytes.
const MAX_TEXT: usize = 200;
/// The size of the window, in bytes.
const WINDOW: usize = 1 << 20;
/// A match that begins this close to the window's end, in bytes, is searched for again together with the bytes that follow.
/// A match longer than this may be reported shorter than it is.
const OVERLAP: usize = 16 * 1024;
/// The most memory of a compiled expression, in bytes.
const MAX_PROGRAM: usize = 1 << 20;

/// One match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The file.
    pub path: String,
    /// Bytes from the file's start.
    pub offset: u64,
    /// The matched text, at most 200 bytes, invalid UTF-8 replaced.
    pub text: String,
}

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    /// The expression does not compile, or is too large.
    #[error("the pattern does not compile: {0}")]
    Bad(String),
    /// A file could not be read.
    #[error("{0}")]
    Io(#[from] io::Error),
}

/// A compiled expression. Matching takes linear time; there is no look-around.
pub(super) struct Pattern(Regex);

impl Pattern {
    pub fn compile(pattern: &str) -> Result<Self, PatternError> {
        let built = RegexBuilder::new(pattern)
            .size_limit(MAX_PROGRAM)
            .dfa_size_limit(MAX_PROGRAM)
            .build();
        built.map(Self).map_err(|error| PatternError::Bad(error.to_string()))
    }

    /// Appends the hits in one file until there are `max`.
    pub fn search(&self, file: &File, path: &str, body: Span, max: usize, hits: &mut Vec<Hit>) -> io::Result<()> {
        let max = max.min(MAX_HITS);
        let mut window = vec![0; WINDOW.min(usize::try_from(body.len).unwrap_or(WINDOW))];
        // Where the window begins in the file, how much of it is filled, and where the search goes on inside it.
        let (mut start, mut filled, mut from) = (0_u64, 0, 0);
        while hits.len() < max {
            let wanted = usize::try_from(body.len - start).unwrap_or(WINDOW).min(window.len());
            file.read_exact_at(&mut window[filled..wanted], body.offset + start + filled as u64)?;
            filled = wanted;
            let last = start + filled as u64 == body.len;
            let settled = if last { filled } else { filled - OVERLAP.min(filled / 2) };
            from = self.window(&window[..filled], from, settled, last, |found, text| {
                hits.push(Hit {
                    path: path.to_owned(),
                    offset: start + found as u64,
                    text,
                });
                hits.len() < max
            });
            if last {
                break;
            }
            // A little of what precedes stays in the window: `\b` and line anchors look back.
            let keep = from.saturating_sub(8);
            window.copy_within(keep..filled, 0);
            (start, filled, from) = (start + keep as u64, filled - keep, from - keep);
        }
        Ok(())
    }

    /// Reports the matches that begin in `from..settled`; gives the place where the next window's search begins.
    fn window(
        &self,
        window: &[u8],
        mut from: usize,
        settled: usize,
        last: bool,
        mut report: impl FnMut(usize, String) -> bool,
    ) -> usize {
        while from <= window.len() {
            let Some(found) = self
                .0
                .find_at(window, from)
                .filter(|found| last || found.start() < settled)
            else {
                return from.max(settled);
            };
            let text = &found.as_bytes()[..found.len().min(MAX_TEXT)];
            let more = report(found.start(), String::from_utf8_lossy(text).into_owned());
            // An empty match must not be found again and again.
            from = if found.is_empty() { found.end() + 1 } else { found.end() };
            if !more {
                break;
            }
        }
        from.min(window.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn search(content: &[u8], pattern: &str, max: usize) -> Vec<(u64, String)> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"before").unwrap();
        file.write_all(content).unwrap();
        file.write_all(b"behind").unwrap();
        let mut hits = Vec::new();
        let body = Span {
            offset: 6,
            len: content.len() as u64,
        };
        Pattern::compile(pattern)
            .unwrap()
            .search(&file, "f.js", body, max, &mut hits)
            .unwrap();
        hits.into_iter().map(|hit| (hit.offset, hit.text)).collect()
    }

    #[test]
    fn small_files_match_as_a_whole() {
        assert_eq!(
            search(b"a /x b /yy", "/[a-z]+", 9),
            [(2, "/x".into()), (7, "/yy".into())]
        );
        assert_eq!(search(b"a /x b /yy", "/[a-z]+", 1), [(2, "/x".into())]);
        assert_eq!(search(b"abc", "^|$", 9), [(0, "".into()), (3, "".into())]);
        assert_eq!(search(b"", "x", 9), []);
        assert_eq!(search(b"\xff\xfe", "(?-u:\\xff)", 9), [(0, "\u{fffd}".into())]);
    }

    #[test]
    fn matches_across_windows_are_found_once() {
        for shift in [
            WINDOW - OVERLAP - 3,
            WINDOW - OVERLAP,
            WINDOW - 5,
            WINDOW - 1,
            WINDOW,
            WINDOW + 7,
            2 * WINDOW,
        ] {
            let mut content = vec![b'.'; 3 * WINDOW];
            content[shift..shift + 9].copy_from_slice(b"/needle9.");
            assert_eq!(
                search(&content, r"/needle\d\b", 9),
                [(shift as u64, "/needle9".into())],
                "{shift}"
            );
            assert_eq!(search(&content, "^/needle", 9), [], "{shift}");
        }
        let text = search(&vec![b'x'; 2 * WINDOW + 17], "x{1000}", MAX_HITS + 5);
        assert_eq!(text.len(), 1000);
        assert!(text.windows(2).all(|pair| pair[1].0 == pair[0].0 + 1000));
    }

    #[test]
    fn bad_and_huge_patterns_are_refused() {
        assert!(matches!(Pattern::compile("("), Err(PatternError::Bad(_))));
        assert!(matches!(Pattern::compile("(?=x)"), Err(PatternError::Bad(_))));
        assert!(matches!(
            Pattern::compile("((a{100}){100}){100}"),
            Err(PatternError::Bad(_))
        ));
    }
}
