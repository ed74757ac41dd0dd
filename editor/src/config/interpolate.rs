//! `${VAR}` in configured texts.

use super::Problem;
use super::key::Key;

/// Looks a variable of the environment up.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A configured text with its variables replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interpolated {
    pub text: String,
    /// Whether there was a variable in it.
    pub has_variables: bool,
}

/// Replaces each `${NAME}`. A variable that is not set is an error: an empty secret would be found out much later. What
/// else begins with a dollar sign stays as it is.
pub(super) fn interpolate(key: &Key<'_>, text: &str, lookup: Lookup<'_>) -> Result<Interpolated, Problem> {
    let mut result = String::with_capacity(text.len());
    let mut has_variables = false;
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        result.push_str(before);
        let Some((name, after)) = after.split_once('}').filter(|(name, _)| is_name(name)) else {
            result.push_str("${");
            rest = after;
            continue;
        };
        let value = lookup(name)
            .ok_or_else(|| key.problem(format!("needs the environment variable {name}, which is not set")))?;
        result.push_str(&value);
        has_variables = true;
        rest = after;
    }
    result.push_str(rest);
    Ok(Interpolated {
        text: result,
        has_variables,
    })
}

fn is_name(name: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(inside)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn replaced(text: &str) -> Result<String, String> {
        let file = json!({ "a": text });
        let lookup = |name: &str| match name {
            "KEY" => Some("s3cret".to_owned()),
            "EMPTY" => Some(String::new()),
            "NESTED" => Some("${KEY}".to_owned()),
            _ => None,
        };
        interpolate(&Key::top(&file).unwrap().get("a"), text, &lookup)
            .map(|done| done.text)
            .map_err(|problem| problem.to_string())
    }

    #[test]
    fn variables_are_replaced_once_and_everything_else_stays() {
        assert_eq!(replaced("Bearer ${KEY}!${KEY}"), Ok("Bearer s3cret!s3cret".into()));
        assert_eq!(replaced("${EMPTY}"), Ok(String::new()));
        assert_eq!(replaced("${NESTED}"), Ok("${KEY}".into()));
        for text in ["$KEY", "${", "${}", "${a b}", "${1}", "$${", "ü${"] {
            assert_eq!(replaced(text), Ok(text.into()));
        }
        assert_eq!(replaced("${${KEY}"), Ok("${s3cret".into()));
    }

    #[test]
    fn a_variable_that_is_not_set_is_an_error_that_names_it() {
        assert_eq!(
            replaced("${MISSING}"),
            Err("`a` needs the environment variable MISSING, which is not set".into())
        );
    }
}
