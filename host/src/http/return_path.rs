//! The path that a browser returns to after signing in: a path of this server, never an address of another one.

/// The longest return path, in bytes.
const MAX_LENGTH: usize = 8192;

/// The path with its query if it cannot lead a browser to another server; otherwise `/`.
pub fn local(path: String) -> String {
    let mut bytes = path.bytes();
    let rooted = bytes.next() == Some(b'/') && !matches!(bytes.next(), Some(b'/' | b'\\'));
    // Addresses of this server hold no spaces, control characters, backslashes or characters outside of ASCII.
    let plain = path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if rooted && plain && !path.starts_with("/.galley/") && path.len() <= MAX_LENGTH {
        path
    } else {
        "/".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_local_paths_are_gone_to() {
        for path in ["/", "/a/b?c=d&e=%2F#f", "/@x/", "/a//b", "/sign-in?to=//evil"] {
            assert_eq!(local(path.to_owned()), path);
        }
        for path in [
            "",
            "a",
            "//evil",
            "/\\evil",
            "\\\\evil",
            "https://evil",
            "javascript:alert(1)",
            "/\t/evil",
            "/a\nb",
            "/a\r\nLocation: https://evil",
            "/a\\b",
            "/ü",
            "/a b",
            "/.galley/enter",
        ] {
            assert_eq!(local(path.to_owned()), "/", "{path:?}");
        }
        assert_eq!(local(format!("/{}", "x".repeat(9000))), "/");
    }
}
