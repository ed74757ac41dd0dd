//! A plan of pictures, as its file has it.

use serde::{Deserialize, Serialize};

use super::shot::Shot;

/// There are no more plans.
pub const MAX_PLANS: usize = 50;
/// A plan has no more pictures.
pub const MAX_SHOTS: usize = 24;
/// A larger file is no plan; in bytes.
pub(super) const MAX_FILE: usize = 128 << 10;

/// Pictures that are taken together: `{ "shots": [{ "page": "/", "width": 390, "scheme": "dark" }] }`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// In the order they are shown in.
    pub shots: Vec<Shot>,
}

/// Why a file, or a request, is no plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("`{key}`: {words}")]
pub struct PlanProblem {
    /// The key that does not fit, as `shots[2].width`; `.` is all of it.
    pub key: String,
    /// Why not.
    pub words: String,
}

impl PlanProblem {
    fn of(key: impl Into<String>, words: impl Into<String>) -> Self {
        let (key, words) = (key.into(), words.into());
        Self { key, words }
    }
}

impl Plan {
    /// What a file says.
    ///
    /// # Errors
    /// With the first key that does not fit.
    pub fn parse(bytes: &[u8]) -> Result<Self, PlanProblem> {
        if bytes.len() > MAX_FILE {
            return Err(PlanProblem::of(
                ".",
                format!("the file is larger than {} KiB", MAX_FILE >> 10),
            ));
        }
        let mut deserializer = serde_json::Deserializer::from_slice(bytes);
        let plan: Self = serde_path_to_error::deserialize(&mut deserializer)
            .map_err(|error| PlanProblem::of(named(error.path()), error.inner().to_string()))?;
        deserializer
            .end()
            .map_err(|error| PlanProblem::of(".", error.to_string()))?;
        plan.check()?;
        Ok(plan)
    }

    /// The bounds that no single picture has.
    ///
    /// # Errors
    /// With the key.
    pub fn check(&self) -> Result<(), PlanProblem> {
        let shots = &self.shots;
        if shots.is_empty() {
            return Err(PlanProblem::of("shots", "there is no picture in it"));
        }
        if shots.len() > MAX_SHOTS {
            let words = format!("{} pictures are more than {MAX_SHOTS}", shots.len());
            return Err(PlanProblem::of("shots", words));
        }
        for (index, shot) in shots.iter().enumerate() {
            if let Some(first) = shots.iter().take(index).position(|other| other == shot) {
                let words = format!("it is the same picture as shots[{first}]");
                return Err(PlanProblem::of(format!("shots[{index}]"), words));
            }
        }
        Ok(())
    }

    /// As it is written into a file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// The key of an error; where the text itself ends too early, none is known.
fn named(path: &serde_path_to_error::Path) -> String {
    match path.to_string().as_str() {
        "?" => ".".to_owned(),
        key => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let text =
            r##"{ "shots": [{ "page": "/", "width": 390 }, { "page": "/#/cart", "width": 1280, "scheme": "dark" }] }"##;
        let plan = Plan::parse(text.as_bytes()).unwrap();
        assert_eq!(plan.shots.len(), 2);
        assert_eq!(Plan::parse(plan.to_text().as_bytes()).unwrap(), plan);
        assert!(plan.to_text().contains("\"scheme\": \"light\""), "{}", plan.to_text());
    }

    #[test]
    fn a_file_that_is_no_plan_names_the_key() {
        let twice = r#"{ "shots": [{ "page": "/", "width": 390 }, { "page": "/", "width": 390, "scheme": "light" }] }"#;
        let many = format!(
            r#"{{ "shots": [{}] }}"#,
            (0..=MAX_SHOTS)
                .map(|index| format!(r#"{{ "page": "/", "width": {} }}"#, 200 + index))
                .collect::<Vec<_>>()
                .join(",")
        );
        let large = format!(r#"{{ "shots": [], "x": "{}" }}"#, "x".repeat(MAX_FILE));
        for (text, key, words) in [
            ("", ".", "EOF"),
            ("{", ".", "EOF"),
            ("[]", ".", ""),
            ("{}", ".", "shots"),
            (r#"{ "shots": [] } more"#, ".", "trailing"),
            (r#"{ "shots": [] }"#, "shots", "no picture"),
            (r#"{ "shots": {} }"#, "shots", "sequence"),
            (r#"{ "shots": [5] }"#, "shots[0]", "Shot"),
            (r#"{ "shots": [], "shot": 1 }"#, "shot", "unknown field"),
            (r#"{ "shots": [{ "width": 390 }] }"#, "shots[0]", "page"),
            (r#"{ "shots": [{ "page": "/" }] }"#, "shots[0]", "width"),
            (
                r#"{ "shots": [{ "page": 5, "width": 390 }] }"#,
                "shots[0].page",
                "string",
            ),
            (
                r#"{ "shots": [{ "page": "//other.org", "width": 390 }] }"#,
                "shots[0].page",
                "no path",
            ),
            (
                r#"{ "shots": [{ "page": "/", "width": 390 }, { "page": "/", "width": 100 }] }"#,
                "shots[1].width",
                "from 200",
            ),
            (
                r#"{ "shots": [{ "page": "/", "width": -1 }] }"#,
                "shots[0].width",
                "u32",
            ),
            (
                r#"{ "shots": [{ "page": "/", "width": 390.5 }] }"#,
                "shots[0].width",
                "u32",
            ),
            (
                r#"{ "shots": [{ "page": "/", "width": "390" }] }"#,
                "shots[0].width",
                "u32",
            ),
            (
                r#"{ "shots": [{ "page": "/", "width": 390, "scheme": "sepia" }] }"#,
                "shots[0].scheme",
                "light",
            ),
            (
                r#"{ "shots": [{ "page": "/", "width": 390, "height": 900 }] }"#,
                "shots[0].height",
                "unknown field",
            ),
            (twice, "shots[1]", "same picture as shots[0]"),
            (many.as_str(), "shots", "more than 24"),
            (large.as_str(), ".", "larger than 128 KiB"),
        ] {
            let problem = Plan::parse(text.as_bytes()).unwrap_err();
            let shown: String = text.chars().take(80).collect();
            assert_eq!(problem.key, key, "{shown}: {problem}");
            assert!(problem.words.contains(words), "{shown}: {problem}");
        }
        assert!(Plan::parse(b"{ \"shots\": \xff }").is_err());
    }
}
