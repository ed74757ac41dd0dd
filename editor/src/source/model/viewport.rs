//! What is known of the page somebody looks at: it decides which conditional styles hold.

use std::collections::BTreeMap;

use serde::Deserialize;

/// More conditions than a page is asked about.
pub const MAX_ANSWERS: usize = 256;

/// The page as it is shown. By default nothing is known of it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Viewport {
    /// Its width in CSS pixels.
    pub width: Option<f64>,
    /// What the page says of conditions that a width does not decide: by the text of [`Condition`](super::inspection::Condition),
    /// whether it holds.
    #[serde(default)]
    pub holds: BTreeMap<String, bool>,
}

impl Viewport {
    /// A page of this width, of which nothing else is known.
    #[must_use]
    pub fn wide(width: f64) -> Self {
        Self {
            width: Some(width),
            ..Self::default()
        }
    }

    /// Whether the width is one, and the answers are not too many.
    ///
    /// # Errors
    /// With the key that does not fit and what would.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        if self.width.is_some_and(|width| !(1.0..=100_000.0).contains(&width)) {
            return Err((
                "width",
                "`width` must be a number of CSS pixels from 1 to 100000".to_owned(),
            ));
        }
        if self.holds.len() > MAX_ANSWERS {
            let reason = format!("`holds` may answer at most {MAX_ANSWERS} conditions");
            return Err(("holds", reason));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_is_a_number_of_pixels() {
        for width in [0.0, -1.0, f64::NAN, f64::INFINITY, 100_001.0] {
            assert_eq!(Viewport::wide(width).check().unwrap_err().0, "width", "{width}");
        }
        assert!(Viewport::wide(876.0).check().is_ok() && Viewport::default().check().is_ok());
    }
}
