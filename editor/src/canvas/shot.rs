//! What one picture is of.

use serde::{Deserialize, Serialize};
use url::Url;

use crate::review::Scheme;

/// Narrower windows are no devices, wider ones no screens; in CSS pixels.
pub const MIN_WIDTH: u32 = 200;
/// The widest.
pub const MAX_WIDTH: u32 = 3_840;
/// Of a page's path, in bytes.
const MAX_PATH: usize = 2_000;

/// A page in a width and a scheme.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shot {
    /// Which page.
    pub page: PagePath,
    /// How wide.
    pub width: Width,
    /// Which colours; light ones unless it is said.
    #[serde(default)]
    pub scheme: Scheme,
}

/// The path of a page of the preview, with its query and fragment. It leads to no other origin.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PagePath(String);

impl PagePath {
    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for PagePath {
    type Error = String;

    fn try_from(path: String) -> Result<Self, String> {
        if !path.starts_with('/') || !stays(&path) {
            let shown: String = path.chars().take(80).collect();
            return Err(format!("{shown:?} is no path of a page: write it as /about"));
        }
        if path.len() > MAX_PATH {
            return Err(format!("the path is longer than {MAX_PATH} bytes"));
        }
        Ok(Self(path))
    }
}

impl std::str::FromStr for PagePath {
    type Err = String;

    fn from_str(path: &str) -> Result<Self, String> {
        Self::try_from(path.to_owned())
    }
}

impl From<PagePath> for String {
    fn from(path: PagePath) -> Self {
        path.0
    }
}

/// Whether a path, joined to whatever origin, stays at it. Browsers read `\` as `/` and leave out tabs and line ends.
fn stays(path: &str) -> bool {
    if path.contains('\\') || path.chars().any(char::is_control) {
        return false;
    }
    let Ok(base) = Url::parse("http://preview.invalid/") else {
        return false;
    };
    base.join(path).is_ok_and(|url| url.origin() == base.origin())
}

/// A width in CSS pixels, from [`MIN_WIDTH`] to [`MAX_WIDTH`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct Width(u32);

impl Width {
    /// The number.
    #[must_use]
    pub fn pixels(self) -> u32 {
        self.0
    }
}

impl TryFrom<u32> for Width {
    type Error = String;

    fn try_from(pixels: u32) -> Result<Self, String> {
        if (MIN_WIDTH..=MAX_WIDTH).contains(&pixels) {
            return Ok(Self(pixels));
        }
        Err(format!("{pixels} is no width from {MIN_WIDTH} to {MAX_WIDTH} pixels"))
    }
}

impl From<Width> for u32 {
    fn from(width: Width) -> Self {
        width.0
    }
}

impl std::str::FromStr for Width {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pixels: u32 = text.parse().map_err(|_| format!("{text:?} is no whole number"))?;
        Self::try_from(pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_pages_lead_to_no_other_origin() {
        for path in ["/", "/about", "/a b?x=1&y=//z", "/#/cart", "/über", "/..", "/a//b"] {
            assert!(PagePath::try_from(path.to_owned()).is_ok(), "{path}");
        }
        for path in [
            "",
            "about",
            "//other.org",
            "/\\other.org",
            "/\t/other.org",
            "/\n/other.org",
            "http://other.org/",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "/a\0",
        ] {
            assert!(PagePath::try_from(path.to_owned()).is_err(), "{path:?}");
        }
        assert!(PagePath::try_from(format!("/{}", "a".repeat(MAX_PATH))).is_err());
    }

    #[test]
    fn widths_have_bounds() {
        for (text, fits) in [
            ("200", true),
            ("3840", true),
            ("199", false),
            ("3841", false),
            ("-390", false),
            ("390.5", false),
            ("wide", false),
            ("4294967296", false),
        ] {
            assert_eq!(text.parse::<Width>().is_ok(), fits, "{text}");
        }
    }
}
