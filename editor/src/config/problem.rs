//! What can be wrong with a configuration, in words.

use std::fmt;

use serde::Serialize;

/// A key whose value is not what it must be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The key's full path, as `retention.backups.keepNewest`; empty for the whole file.
    pub key: String,
    /// What is wrong and what is expected, to be read after the key.
    pub words: String,
}

impl Problem {
    /// A problem of the file as a whole.
    pub(super) fn whole(words: impl Into<String>) -> Problem {
        Problem {
            key: String::new(),
            words: words.into(),
        }
    }

    /// Whether it stands at `key`, inside it, or at something that holds it.
    #[must_use]
    pub fn concerns(&self, key: &str) -> bool {
        let inside = |long: &str, short: &str| {
            let rest = long.strip_prefix(short);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.key.is_empty() || inside(&self.key, key) || inside(key, &self.key)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key.as_str() {
            "" => f.write_str(&self.words),
            key => write!(f, "`{key}` {}", self.words),
        }
    }
}

/// Something people should know, while the session goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// For the interface: which kind of warning it is.
    pub code: &'static str,
    /// One line for people.
    pub words: String,
}

impl Warning {
    pub(super) fn new(code: &'static str, words: impl Into<String>) -> Warning {
        Warning {
            code,
            words: words.into(),
        }
    }
}

/// Why the configuration stops the Editor from starting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct Stop {
    /// The file, relative to the prototype's root.
    pub file: &'static str,
    /// What is wrong with it.
    pub problem: Problem,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_concerns_its_key_and_what_holds_it_or_lies_in_it() {
        let problem = |key: &str| Problem {
            key: key.into(),
            words: String::new(),
        };
        assert!(problem("editor").concerns("editor.notes"));
        assert!(problem("designSystems[2].kind").concerns("designSystems"));
        assert!(problem("").concerns("version"));
        assert!(!problem("editor.note").concerns("editor.notes"));
        assert!(!problem("projectId").concerns("project"));
    }
}
