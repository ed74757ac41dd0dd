//! Facts that follow from a file's name: content type, whether it is a page, whether compressing it helps.

use std::borrow::Cow;

/// The `Content-Type` of a file: with `charset=utf-8` for text, except HTML, whose pages state their own.
pub fn content_type(path: &str) -> Cow<'static, str> {
    let extension = extension(path).to_ascii_lowercase();
    let known = match extension.as_str() {
        // The registry names types that browsers do not know, or that mean something else for a prototype.
        "js" | "mjs" | "cjs" => "text/javascript",
        "ts" | "tsx" | "jsx" | "vue" | "md" => "text/plain",
        "map" => "application/json",
        "ico" => "image/x-icon",
        other => mime_guess::from_ext(other)
            .first_raw()
            .unwrap_or("application/octet-stream"),
    };
    // A page in another encoding says so in a `meta` element, which a charset in the header would overrule.
    if known.starts_with("text/") && known != "text/html" {
        Cow::Owned(format!("{known}; charset=utf-8"))
    } else {
        Cow::Borrowed(known)
    }
}

/// Whether a file is a page that gets a base address and the bridge.
pub fn is_page(path: &str) -> bool {
    let extension = extension(path);
    extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("htm")
}

/// Whether a file is worth compressing by what it is: text, and binary formats that are not compressed themselves.
pub fn is_compressible(path: &str) -> bool {
    let kind = content_type(path);
    let kind = kind.split(';').next().unwrap_or_default();
    kind.starts_with("text/")
        || kind.ends_with("+json")
        || kind.ends_with("+xml")
        || kind.starts_with("model/")
        || matches!(
            kind,
            "application/json"
                | "application/javascript"
                | "application/xml"
                | "application/wasm"
                | "application/rtf"
                | "application/vnd.ms-fontobject"
                | "font/ttf"
                | "font/otf"
                | "image/x-icon"
                | "image/bmp"
        )
}

/// The text after the last dot of a file's name; empty when there is no dot, or when the name begins with it.
pub fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => extension,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_type() {
        for (path, kind) in [
            ("index.html", "text/html"),
            ("a/app-BxY12.JS", "text/javascript; charset=utf-8"),
            ("chunk.mjs", "text/javascript; charset=utf-8"),
            ("style.css", "text/css; charset=utf-8"),
            ("data.json", "application/json"),
            ("app.js.map", "application/json"),
            ("site.webmanifest", "application/manifest+json"),
            ("logo.svg", "image/svg+xml"),
            ("x.wasm", "application/wasm"),
            ("x.woff2", "font/woff2"),
            ("x.avif", "image/avif"),
            ("LICENSE", "application/octet-stream"),
            (".htaccess", "application/octet-stream"),
            ("a.b/c", "application/octet-stream"),
        ] {
            assert_eq!(content_type(path), kind, "{path}");
        }
        assert!(is_page("a/B.HTM") && !is_page("a.xhtml") && !is_page("html"));
        assert!(is_compressible("a.svg") && is_compressible("a.wasm") && !is_compressible("a.png"));
    }
}
