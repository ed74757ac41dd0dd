//! Which major versions a range of npm allows.

use std::ops::RangeInclusive;

/// The major versions `range` allows, one entry for each alternative; `None` when the text does not say (a tag, an
/// address, a folder, a catalog).
pub(super) fn majors(range: &str) -> Option<Vec<RangeInclusive<u64>>> {
    let range = plain(range.trim())?;
    range.split("||").map(alternative).collect()
}

/// The range inside `npm:name@range` and `workspace:range`.
fn plain(range: &str) -> Option<&str> {
    // Vue's own names for the last releases of version 2.
    if matches!(range, "legacy" | "v2-latest") {
        return Some("2");
    }
    if let Some(alias) = range.strip_prefix("npm:") {
        let (name, version) = alias.rsplit_once('@')?;
        // `npm:@scope/name` has no version.
        return (!name.is_empty()).then_some(version);
    }
    match range.strip_prefix("workspace:") {
        Some("*" | "^" | "~") => None,
        Some(rest) => Some(rest.rsplit_once('@').map_or(rest, |(_, version)| version)),
        None => Some(range),
    }
}

/// Comparators that must all hold, as `>=2.7 <4`.
fn alternative(text: &str) -> Option<RangeInclusive<u64>> {
    let text = text.trim();
    if let Some((low, high)) = text.split_once(" - ") {
        let (low, high) = (Version::parse(low.trim())?, Version::parse(high.trim())?);
        return Some(low.major.unwrap_or(0)..=high.major.unwrap_or(u64::MAX));
    }
    let (mut low, mut high) = (0, u64::MAX);
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let version = word.trim_start_matches(['^', '~', '>', '<', '=']);
        let operator = &word[..word.len() - version.len()];
        // `>= 3` is one comparator in two words.
        let version = if version.is_empty() { words.next()? } else { version };
        let version = Version::parse(version)?;
        let Some(major) = version.major else { continue };
        match operator {
            "" | "=" | "^" | "~" | "~>" => (low, high) = (low.max(major), high.min(major)),
            ">=" => low = low.max(major),
            // Above all of 2 begins 3, above 2.6 begins 2.
            ">" => low = low.max(if version.whole { major.saturating_add(1) } else { major }),
            "<=" => high = high.min(major),
            "<" => high = high.min(if version.first { major.checked_sub(1)? } else { major }),
            _ => return None,
        }
    }
    Some(low..=high)
}

struct Version {
    /// `None` stands for any.
    major: Option<u64>,
    /// Only the major version is given.
    whole: bool,
    /// It is the first of its major version.
    first: bool,
}

impl Version {
    fn parse(text: &str) -> Option<Version> {
        let text = text.strip_prefix(['v', '=']).unwrap_or(text);
        // What follows is a pre-release or a build.
        let numbers = text.split(['-', '+']).next()?;
        let mut parts = Vec::new();
        for part in numbers.split('.') {
            parts.push(match part {
                "x" | "X" | "*" | "" => None,
                digits => Some(digits.parse::<u64>().ok()?),
            });
        }
        let rest = parts.get(1..)?;
        Some(Version {
            major: *parts.first()?,
            whole: rest.iter().all(Option::is_none),
            first: rest.iter().all(|part| part.unwrap_or(0) == 0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(range: &str) -> Option<Vec<(u64, u64)>> {
        let ranges = majors(range)?;
        Some(ranges.iter().map(|range| (*range.start(), *range.end())).collect())
    }

    #[test]
    fn ranges_say_which_majors_they_allow() {
        let max = u64::MAX;
        for (range, expected) in [
            ("3.5.0", vec![(3, 3)]),
            ("^3.5.0", vec![(3, 3)]),
            ("~2.7", vec![(2, 2)]),
            ("v2.6.14", vec![(2, 2)]),
            ("=3", vec![(3, 3)]),
            ("3.x", vec![(3, 3)]),
            ("*", vec![(0, max)]),
            ("", vec![(0, max)]),
            (">=2.7 <4", vec![(2, 3)]),
            (">= 3", vec![(3, max)]),
            (">2", vec![(3, max)]),
            (">2.6", vec![(2, max)]),
            ("<3.0.0", vec![(0, 2)]),
            ("<3.1", vec![(0, 3)]),
            ("<=2", vec![(0, 2)]),
            ("2.6 - 3.4", vec![(2, 3)]),
            ("^2.7 || ^3", vec![(2, 2), (3, 3)]),
            ("3.0.0-beta.1", vec![(3, 3)]),
            ("npm:@vue/compat@^3.1", vec![(3, 3)]),
            ("npm:vue@2", vec![(2, 2)]),
            ("workspace:^3.5.1", vec![(3, 3)]),
            ("legacy", vec![(2, 2)]),
        ] {
            assert_eq!(of(range), Some(expected), "{range}");
        }
    }

    #[test]
    fn what_is_no_range_says_nothing() {
        for range in [
            "latest",
            "next",
            "workspace:*",
            "workspace:../vue",
            "catalog:",
            "catalog:vue3",
            "file:../vue",
            "link:../vue",
            "npm:@vue/compat",
            "github:vuejs/core",
            "git+ssh://example.com/vue.git#v2",
            "http://example.com/vue.tgz",
            "><3",
            "^",
            "<0",
            "99999999999999999999999",
        ] {
            assert_eq!(of(range), None, "{range}");
        }
    }
}
