//! Finds root-absolute references in scripts and style sheets.
//!
//! A prototype is served under a path. The host rewrites such references in HTML; in scripts and style sheets it does not
//! touch anything, and whether they work depends on the `Referer` header. So the log says where they are.

use galley_sdk::hash::HashSet;
use galley_sdk::prelude::*;
use galley_sdk::sites::{Hit, Tree};

/// A quoted path to a file of a kind that prototypes load: `"/assets/logo.svg"`, but neither `"//host/…"` nor `"/about"`.
const IN_SCRIPTS: &str = concat!(
    r#"["'`]/[^/"'`\s\\<>{}$*?#][^"'`\s\\<>{}$*?#]{0,150}"#,
    r"\.(?:m?js|css|json|webmanifest|wasm|html?|txt|xml|pdf|svg|png|jpe?g|gif|webp|avif|ico|bmp",
    r"|woff2?|ttf|otf|eot|mp4|webm|ogg|mp3|wav|glb|gltf|hdr|map)",
    r#"(?:[?#][^"'`\s]{0,30})?["'`]"#
);
/// `url(/…)` and `@import "/…"`.
const IN_STYLES: &str = r#"(?:url\(\s*["']?|@import\s+["'])/[^/"')\s][^"')\s]{0,150}["']?"#;

/// The most references that are named.
const MAX_NAMED: usize = 20;
/// The most references that are searched for.
const MAX_FOUND: u32 = 1_000;

/// Lines that start with `Note:`; empty when there is nothing to say.
pub(crate) fn of(tree: &Tree) -> Result<String> {
    let mut hits = tree.search(&[".js", ".mjs", ".cjs"], IN_SCRIPTS, MAX_FOUND)?;
    hits.extend(tree.search(&[".css"], IN_STYLES, MAX_FOUND)?);
    let mut seen = HashSet::default();
    hits.retain(|hit| seen.insert((hit.path.clone(), reference(hit).to_owned())));

    let mut notes = String::new();
    for hit in hits.iter().take(MAX_NAMED) {
        notes += &format!(
            "Note: {} refers to {} from the root of the server\n",
            hit.path,
            reference(hit)
        );
    }
    if hits.len() > MAX_NAMED {
        notes += &format!("Note: and {} more\n", hits.len() - MAX_NAMED);
    }
    if !hits.is_empty() {
        notes += "Note: such references are unreliable where a prototype is served under a path; build with relative \
                  paths (in Vite `base: './'`)\n";
    }
    Ok(notes)
}

/// The path within a hit.
fn reference(hit: &Hit) -> &str {
    let start = hit.text.find('/').unwrap_or(0);
    hit.text[start..].trim_end_matches(['"', '\'', '`'])
}
