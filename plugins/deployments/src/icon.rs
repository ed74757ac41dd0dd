//! The icon of a prototype, as a `data:` address.

use data_encoding::BASE64;
use galley_sdk::sites::Tree;

/// The longest address, in bytes.
const MAX_ADDRESS: usize = 32 << 10;
/// The largest file whose address fits: base64 makes four bytes of three, behind the kind.
const MAX_FILE: u64 = (MAX_ADDRESS as u64 - 64) / 4 * 3;

/// Where browsers look, and tools put it, when a page names none.
const USUAL: [&str; 3] = ["favicon.ico", "favicon.svg", "favicon.png"];
/// The kinds of pictures that a `data:` address of a page may have.
const KINDS: [&str; 9] = [
    "image/svg+xml",
    "image/png",
    "image/x-icon",
    "image/vnd.microsoft.icon",
    "image/webp",
    "image/jpeg",
    "image/gif",
    "image/avif",
    "image/ico",
];

/// The first icon that is there and small enough, of those that the page names and the usual ones.
pub(crate) fn find(tree: &Tree, named: &[String]) -> Option<String> {
    let named = named.iter().map(String::as_str);
    named.chain(USUAL).find_map(|address| match address.get(..5) {
        Some(scheme) if scheme.eq_ignore_ascii_case("data:") => own_data(address),
        _ => read(tree, &path(address)?),
    })
}

/// A `data:` address that stands in the page.
fn own_data(address: &str) -> Option<String> {
    let kind = address.get(5..)?.split([';', ',']).next()?.to_ascii_lowercase();
    let is_plain = address.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
    (KINDS.contains(&kind.as_str()) && is_plain && address.len() <= MAX_ADDRESS).then(|| address.to_owned())
}

/// The path of a file below the prototype's root; `None` for an address elsewhere. The root of the server is the prototype's.
fn path(address: &str) -> Option<String> {
    let plain = address.split(['?', '#']).next()?;
    let has_scheme = plain.split('/').next().is_some_and(|first| first.contains(':'));
    if has_scheme || plain.starts_with("//") || plain.contains('\\') {
        return None;
    }
    let mut parts = Vec::new();
    for part in plain.split('/') {
        match part {
            "" | "." => {}
            // Browsers stay at the root, too.
            ".." => drop(parts.pop()),
            part => parts.push(decoded(part)?),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// A part of a path without its escapes; `None` when it is no name of a file then.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let escaped = (first == b'%').then(|| after.first_chunk::<2>()).flatten();
        let escaped = escaped.and_then(|digits| data_encoding::HEXUPPER_PERMISSIVE.decode(digits).ok());
        match escaped.as_deref() {
            Some([byte]) => {
                bytes.push(*byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    let name = String::from_utf8(bytes).ok()?;
    (!name.contains('/') && name != ".." && name != ".").then_some(name)
}

fn read(tree: &Tree, path: &str) -> Option<String> {
    let size = tree.stat(path).filter(|size| (1..=MAX_FILE).contains(size))?;
    let bytes = tree.read(path, 0, u32::try_from(size).ok()?).ok()?;
    Some(format!("data:{};base64,{}", kind(&bytes)?, BASE64.encode(&bytes)))
}

/// The kind of a picture, by its content: the name of a file says nothing of it.
fn kind(bytes: &[u8]) -> Option<&'static str> {
    Some(match bytes {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => "image/png",
        [b'G', b'I', b'F', b'8', ..] => "image/gif",
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        [0, 0, 1, 0, ..] => "image/x-icon",
        [_, _, _, _, b'f', b't', b'y', b'p', b'a', b'v', b'i', b'f', ..] => "image/avif",
        _ if std::str::from_utf8(bytes).is_ok_and(is_svg) => "image/svg+xml",
        _ => return None,
    })
}

/// Whether the first element of a document is an `svg`.
fn is_svg(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match rest {
            _ if rest.starts_with("<?") => "?>",
            _ if rest.starts_with("<!--") => "-->",
            _ if rest.starts_with("<!") => ">",
            _ => return rest.starts_with("<svg"),
        };
        let Some((_, after)) = rest.split_once(end) else {
            return false;
        };
        rest = after.trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_to_files_of_the_prototype() {
        for (address, expected) in [
            ("icon.svg", "icon.svg"),
            ("./a/../icon.svg?v=2#x", "icon.svg"),
            ("/assets/icon%20one.png", "assets/icon one.png"),
            ("../../icon.ico", "icon.ico"),
            ("100%.png", "100%.png"),
        ] {
            assert_eq!(path(address).as_deref(), Some(expected), "{address}");
        }
        for elsewhere in [
            "",
            "/",
            "https://x.org/a.png",
            "//x.org/a.png",
            "javascript:alert(1)",
            "blob:x",
            "a\\b.png",
            "%2e%2e/%2e%2e/etc/passwd",
            "a%2fb",
            "%ff.png",
        ] {
            assert_eq!(path(elsewhere), None, "{elsewhere}");
        }
    }

    #[test]
    fn a_data_address_is_a_small_picture() {
        let good = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";
        assert_eq!(own_data(good).as_deref(), Some(good));
        for bad in [
            "data:",
            "data:,x",
            "data:text/html,<script>alert(1)</script>",
            "data:image/svg+xml,\u{202e}",
            "data:image/svg+xml,\n",
            &format!("data:image/png;base64,{}", "A".repeat(MAX_ADDRESS)),
        ] {
            assert_eq!(own_data(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_kind_is_the_contents() {
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n..."), Some("image/png"));
        assert_eq!(kind(b"\0\0\x01\0.."), Some("image/x-icon"));
        assert_eq!(kind(b"RIFF....WEBPVP8 "), Some("image/webp"));
        let svg = "\u{feff}<?xml version=\"1.0\"?><!-- a --><!DOCTYPE svg>\n<svg viewBox='0 0 1 1'/>";
        assert_eq!(kind(svg.as_bytes()), Some("image/svg+xml"));
        for other in [&b"<html><svg>"[..], b"<!--", b"", b"PK\x03\x04", b"\xff<svg"] {
            assert_eq!(kind(other), None);
        }
    }
}
