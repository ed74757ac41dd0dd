//! The table of holes of a page, and a view that fills them.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::references::spelled;

/// The kind of text that a hole is filled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum HoleKind {
    /// The `base` element.
    Base = 0,
    /// The script that connects the page with the review layer.
    Bridge = 1,
    /// The prefix, in place of the slash that begins a root-absolute address.
    Root = 2,
    /// The prefix and the page's folder, before an address that is relative to it.
    Folder = 3,
    /// The prefix and the page's own path, before an address that is only a query or a fragment.
    Page = 4,
}

/// A place in a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hole {
    /// Bytes from the start of the page.
    pub at: u32,
    /// Bytes of the page that the insertion replaces.
    pub skip: u8,
    /// What to insert.
    pub kind: HoleKind,
}

/// Where a page is served. The default view is at the root of the page's own origin, without the bridge; it is byte for
/// byte what was uploaded.
#[derive(Debug, Clone, Copy, Default)]
pub struct View<'a> {
    /// The folder under which the site stands, with a slash at both ends; `None` at the root of an origin.
    pub prefix: Option<&'a str>,
    /// Another prefix that the builder of the site may have put into its addresses: the live view's. Addresses that
    /// have it, or `prefix`, already are not prefixed twice.
    pub built_for: Option<&'a str>,
    /// The bridge's tag; `None` leaves it out.
    pub bridge: Option<&'a str>,
}

/// The stored form of the table.
pub fn encode(holes: &[Hole]) -> Vec<u8> {
    let mut out = Vec::with_capacity(holes.len() * 6);
    for hole in holes {
        out.extend(hole.at.to_le_bytes());
        out.extend([hole.skip, hole.kind as u8]);
    }
    out
}

/// Reads what [`encode`] wrote; `None` when it is something else.
pub fn decode(bytes: &[u8]) -> Option<Vec<Hole>> {
    let (holes, rest) = bytes.as_chunks::<6>();
    if !rest.is_empty() {
        return None;
    }
    holes.iter().map(read_hole).collect()
}

fn read_hole([a, b, c, d, skip, kind]: &[u8; 6]) -> Option<Hole> {
    let kind = match kind {
        0 => HoleKind::Base,
        1 => HoleKind::Bridge,
        2 => HoleKind::Root,
        3 => HoleKind::Folder,
        4 => HoleKind::Page,
        _ => return None,
    };
    Some(Hole {
        at: u32::from_le_bytes([*a, *b, *c, *d]),
        skip: *skip,
        kind,
    })
}

/// The page at `path` as it looks in a view.
pub fn fill(page: &[u8], path: &str, holes: &[Hole], view: &View<'_>) -> Vec<u8> {
    let prefix = view.prefix.unwrap_or_default().as_bytes();
    let (folder, own) = addresses(path);
    let base = view
        .prefix
        .map(|prefix| format!("<base href=\"{prefix}\" data-galley>"))
        .unwrap_or_default();
    let mut out = Vec::with_capacity(page.len() + holes.len() * (prefix.len() + folder.len()) + 256);
    let mut at = 0;
    for hole in holes {
        let start = hole.at as usize;
        // A table that does not fit its page fills nothing more; the page stays readable.
        let Some(before) = page.get(at..start) else { break };
        let insert: [&[u8]; 2] = match hole.kind {
            HoleKind::Bridge => [view.bridge.unwrap_or_default().as_bytes(), b""],
            HoleKind::Base => [base.as_bytes(), b""],
            _ if view.prefix.is_none() => continue,
            HoleKind::Root => [prefix, b""],
            HoleKind::Folder => [prefix, folder.as_bytes()],
            HoleKind::Page => [prefix, own.as_bytes()],
        };
        let mut skip = usize::from(hole.skip);
        if hole.kind == HoleKind::Root {
            let address = &page[start..];
            let prefixed = |by: Option<&str>| by.and_then(|by| spelled(address, by.as_bytes()));
            skip = prefixed(view.prefix)
                .or_else(|| prefixed(view.built_for))
                .unwrap_or(skip);
        }
        out.extend_from_slice(before);
        out.extend_from_slice(insert[0]);
        out.extend_from_slice(insert[1]);
        at = start + skip;
    }
    out.extend_from_slice(page.get(at..).unwrap_or_default());
    out
}

/// The folder of a page, and the path under which the page itself is reached, as parts of an address.
fn addresses(path: &str) -> (String, String) {
    /// Everything else is safe in an address and in any kind of HTML attribute.
    const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
        .remove(b'/')
        .remove(b'-')
        .remove(b'_')
        .remove(b'.')
        .remove(b'~')
        .remove(b'@');
    let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
    let own = if &path[folder.len()..] == "index.html" {
        folder
    } else {
        path
    };
    (
        utf8_percent_encode(folder, PLAIN).to_string(),
        utf8_percent_encode(own, PLAIN).to_string(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_back_as_they_were() {
        let holes = [
            Hole {
                at: 0,
                skip: 0,
                kind: HoleKind::Base,
            },
            Hole {
                at: 7,
                skip: 1,
                kind: HoleKind::Root,
            },
            Hole {
                at: u32::MAX,
                skip: 255,
                kind: HoleKind::Page,
            },
        ];
        assert_eq!(decode(&encode(&holes)).as_deref(), Some(&holes[..]));
        assert_eq!(decode(&[0; 7]), None);
        assert_eq!(decode(&[9; 6]), None);
    }

    #[test]
    fn addresses_are_encoded() {
        assert_eq!(addresses("index.html"), (String::new(), String::new()));
        assert_eq!(addresses("a b/ü\"/index.html").0, "a%20b/%C3%BC%22/");
        assert_eq!(addresses("docs/about.html"), ("docs/".into(), "docs/about.html".into()));
    }

    #[test]
    fn a_table_that_does_not_fit_leaves_the_page_readable() {
        let holes = [
            Hole {
                at: 3,
                skip: 0,
                kind: HoleKind::Base,
            },
            Hole {
                at: 90,
                skip: 1,
                kind: HoleKind::Root,
            },
        ];
        let view = View {
            prefix: Some("/p/x/"),
            ..View::default()
        };
        assert_eq!(
            fill(b"abcdef", "i.html", &holes, &view),
            b"abc<base href=\"/p/x/\" data-galley>def"
        );
    }
}
