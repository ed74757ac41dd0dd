//! Which files are not read, whoever asks.

/// Folders that are not read: what stands in `.git` may hold passwords, in `.tool` what others said.
const CLOSED: [&str; 2] = [".git", ".tool"];

/// What keys end with.
const KEYS: [&str; 4] = [".pem", ".key", ".p12", ".pfx"];

/// Whether a file's name is that of one that usually holds secrets: `.env*`, `.npmrc`, `.netrc`, keys as `*.pem` and `id_*`, and what
/// has `secret` or `credential` in it. One rule for what models read, search and change.
#[must_use]
pub fn is_withheld(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let is_key = name.starts_with("id_") || KEYS.iter().any(|ending| name.ends_with(ending));
    let is_named = name.contains("secret") || name.contains("credential");
    is_key || is_named || name.starts_with(".env") || matches!(name.as_str(), ".npmrc" | ".netrc")
}

/// Why a part of a path is not looked into.
pub(super) fn closed(part: &str) -> Option<&'static str> {
    if CLOSED.iter().any(|closed| part.eq_ignore_ascii_case(closed)) {
        return Some("the folder is not the prototype's source");
    }
    is_withheld(part).then_some("files of its name may hold secrets")
}

/// Checks the spelling of a path: relative, `/` between parts, none of them empty, `.` or `..`.
pub(super) fn check(path: &str) -> Result<(), String> {
    let plain = !path.is_empty() && path.len() <= 4096 && !path.contains(['\\', '\0', '\n']);
    if !plain || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(format!(
            "{path:?} is no path inside of a root: it should be relative, with / between its parts"
        ));
    }
    match path.split('/').find_map(closed) {
        Some(why) => Err(format!("{path} is not read: {why}")),
        None => Ok(()),
    }
}

/// Whether a file is the one that is named, or below it.
pub(super) fn is_within(file: &str, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    file.strip_prefix(path)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
