//! What the parts of a connection may be. They end up as arguments of git, names of folders and lines of a shell.

use galley_sdk::prelude::*;
use serde_json::Value;

/// The longest branch or folder, in bytes.
const MAX_NAME: usize = 250;
/// The longest command, in bytes.
const MAX_COMMAND: usize = 2_000;
/// Where builds leave their output when nobody says otherwise.
const OUTPUT: &str = "dist";

/// The number of an installation, as a number or as a text.
pub fn installation(value: &Value) -> Result<u64> {
    let number = match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => number(text),
        _ => None,
    };
    number.ok_or_else(|| Error::bad_request("`installationId` must be the number of an installation"))
}

/// A number in a path or a text: digits only.
pub fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// A branch: letters, digits and `-_./+@#=`. Git has further rules; a name that breaks them is no branch of any repository.
pub fn branch(text: &str) -> Result<String> {
    let bad_ends = text.starts_with(['/', '.']) || text.ends_with(['/', '.']);
    if !is_plain(text, "-_./+@#=") || bad_ends || text.contains("//") || text.contains("@{") {
        return Err(Error::bad_request(
            "`branch` must be the name of a branch: letters, digits and `-_./+@#=`, no `..`, and no `-` at its start",
        ));
    }
    Ok(text.to_owned())
}

/// The folder of the output, relative to the repository's root.
pub fn output_dir(text: Option<&str>) -> Result<String> {
    let text = match text.unwrap_or_default() {
        "" => OUTPUT,
        // Slashes alone are the root of the machine, and stay what they are.
        given if given.starts_with('/') => given,
        given => given.trim_end_matches('/'),
    };
    if !is_plain(text, "-_./") || text.starts_with('/') {
        return Err(Error::bad_request(
            "`outputDir` must be a folder of the repository: letters, digits and `-_./`, no `..`, and no `-` or `/` at its start",
        ));
    }
    Ok(text.to_owned())
}

/// A line for a shell; `None` for the default.
pub fn command(field: &str, text: Option<&str>) -> Result<Option<String>> {
    let text = text.unwrap_or_default().trim();
    if text.len() > MAX_COMMAND || text.chars().any(|c| c.is_control() && c != '\t') {
        let message = format!("`{field}` must be one line of at most {MAX_COMMAND} characters");
        return Err(Error::bad_request(message));
    }
    Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
}

/// One to [`MAX_NAME`] letters, digits and `allowed`, that are neither an option nor a way upwards.
fn is_plain(text: &str, allowed: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || allowed.contains(c);
    (1..=MAX_NAME).contains(&text.len()) && text.chars().all(plain) && !text.starts_with('-') && !text.contains("..")
}
