//! Names that carry a hash of their content, as bundlers make them: such a file may be kept for ever.
//!
//! A false positive would show reviewers an old file for a year; a false negative costs one request that answers 304. So a
//! name that could hold a word or a date counts as unhashed.

/// Names of folders that bundlers put their output into.
const FOLDERS: [&str; 10] = [
    "assets", "static", "_astro", "_app", "_nuxt", "_next", "chunks", "build", "js", "css",
];

/// Whether the name of the file at `path` holds a hash.
pub(super) fn is_hashed(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let Some((stem, _)) = name.split_once('.').filter(|(stem, _)| !stem.is_empty()) else {
        return false;
    };
    let made = folders.split('/').any(|folder| FOLDERS.contains(&folder));
    // `index-BxY12_aZ.js`: the hash is the last eight characters, and may hold the separator itself.
    if stem.len() > 9 && stem.is_ascii() {
        let (before, hash) = stem.split_at(stem.len() - 8);
        if before.ends_with(['-', '.', '_']) && is_base64_hash(hash, made) {
            return true;
        }
    }
    // `main.8f3a9c21.chunk.js`, `app-0123456789abcdef.css`, `8f3a9c2144aa.js`.
    let parts = name.split(['.', '-', '_', '~']);
    parts.rev().skip(1).any(is_hexadecimal_hash)
}

/// Eight characters of base64url with digits or inner capitals in an order that words do not have.
fn is_base64_hash(hash: &str, made: bool) -> bool {
    let plain = hash
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    // `Chapter2`, `version10`: a capital in front and a number behind are part of a word.
    let core = hash[1..].trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = core.bytes().any(|byte| byte.is_ascii_digit());
    let capitals = core.bytes().filter(u8::is_ascii_uppercase).count();
    let small = core.bytes().any(|byte| byte.is_ascii_lowercase());
    // A word with a number in it and a separator is two words: `v2-final`.
    let separated = core.contains(['-', '_']);
    plain && ((digits && (capitals > 0 || made) && (!separated || capitals > 0)) || (made && small && capitals >= 2))
}

/// At least eight hexadecimal digits of one case, letters and digits both.
fn is_hexadecimal_hash(part: &str) -> bool {
    let digits = part.bytes().filter(u8::is_ascii_digit).count();
    let letters = part.bytes().filter(|byte| (b'a'..=b'f').contains(byte)).count();
    part.len() >= 8 && digits + letters == part.len() && digits >= 2 && letters >= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_bundlers_are_known() {
        for path in [
            "assets/index-BxY12_aZ.js",
            "assets/index-DSkq9xYz.css",
            "assets/logo-C4xKpQwR.svg",
            "assets/vendor-_a1B2c-3.js",
            "main.8f3a9c21.js",
            "static/js/main.8f3a9c21.chunk.js",
            "static/css/2.0123abcd.chunk.css.map",
            "_next/static/chunks/framework-0123456789abcdef.js",
            "8f3a9c2144aa.png",
            "index.a1b2c3d4.css",
        ] {
            assert!(is_hashed(path), "{path}");
        }
    }

    #[test]
    fn words_dates_and_versions_are_not_hashes() {
        for path in [
            "index.html",
            "assets/app.js",
            "my-document.js",
            "assets/my-document.js",
            "assets/docs-Chapter2.pdf",
            "assets/page-section2.js",
            "report-20240101.csv",
            "jquery-3.7.1.min.js",
            "assets/react-ErrorTab.js",
            "photo_20241231.jpg",
            "assets/plan-v2-final.js",
            "deadbeef.js",
            "a-facade12.js.bak/README",
            ".8f3a9c21",
        ] {
            assert!(!is_hashed(path), "{path}");
        }
    }
}
