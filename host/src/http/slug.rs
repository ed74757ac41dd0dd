//! Slugs: the names of projects in addresses.

use super::error::ApiError;
use super::sites::is_version_host;
use crate::projects::MAX_SLUG;

/// Checks a requested slug.
pub fn check(slug: &str) -> Result<(), ApiError> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let shape = (2..=MAX_SLUG).contains(&slug.len())
        && slug.bytes().all(|b| plain(b) || b == b'-')
        && slug.bytes().next().is_some_and(plain);
    if is_version_host(slug) {
        return Err(ApiError::bad_request(
            "`slug` must not be `d-` and an id: hosts of this name show single versions of prototypes",
        ));
    }
    if shape {
        return Ok(());
    }
    Err(ApiError::bad_request(format!(
        "`slug` must have 2 to {MAX_SLUG} characters: lowercase letters, digits and hyphens, starting with a letter or digit"
    )))
}

/// Makes a slug of a name. Characters that a slug cannot hold become hyphens.
pub fn suggest(name: &str) -> String {
    let mut slug = String::new();
    for c in name.to_lowercase().chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() == MAX_SLUG {
            break;
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.len() < 2 {
        format!("prototype{}{slug}", if slug.is_empty() { "" } else { "-" })
    } else {
        slug.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_have_a_shape() {
        for good in ["ab", "a-b", "9lives", "a-", "d-shop", &"a".repeat(63)] {
            assert!(check(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "a",
            "-a",
            "Ab",
            "a_b",
            "a.b",
            "é1",
            &"a".repeat(64),
            &format!("d-{}", "0".repeat(26)),
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn suggestions_are_slugs() {
        assert_eq!(suggest("My Großes Proto!"), "my-gro-es-proto");
        for name in ["", "é", "x", "--", &"long name ".repeat(20)] {
            assert!(check(&suggest(name)).is_ok(), "{name}");
        }
    }
}
