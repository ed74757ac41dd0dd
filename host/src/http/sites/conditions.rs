//! Conditional and partial requests (RFC 9110, sections 13 and 14).
//!
//! A request for several ranges is answered with the whole file, which the RFC allows: nothing that browsers load
//! asks for them, and assembling them is a way to make a server work hard for little.

use std::ops::Range;

use http::header;

use super::request::SiteRequest;

/// The answer to a request with conditions.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Everything (200).
    Whole,
    /// These bytes (206).
    Part(Range<u64>),
    /// The client has the file (304).
    Unchanged,
    /// `If-Match` names another state of the file (412).
    Changed,
    /// None of the bytes asked for exist (416).
    Beyond,
}

/// Evaluates a request's conditions for a file with this entity tag (quoted, strong) and length.
pub(super) fn evaluate(request: &SiteRequest<'_>, tag: &str, len: u64) -> Outcome {
    if let Some(expected) = request.header(header::IF_MATCH)
        && !tags(expected).any(|one| one == "*" || one == tag)
    {
        return Outcome::Changed;
    }
    let matches_none = request
        .headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok());
    if matches_none
        .flat_map(tags)
        .any(|one| one == "*" || one.trim_start_matches("W/") == tag)
    {
        return Outcome::Unchanged;
    }
    // Ranges have no meaning for HEAD; the RFC tells servers to ignore them there.
    match request.header(header::RANGE) {
        Some(range) if !request.is_head() && may_be_partial(request, tag) => ranges(range, len),
        _ => Outcome::Whole,
    }
}

/// `If-Range` holds for the same strong tag only. There are no dates here that a date could match.
fn may_be_partial(request: &SiteRequest<'_>, tag: &str) -> bool {
    request
        .headers
        .get(header::IF_RANGE)
        .is_none_or(|value| value.as_bytes().trim_ascii() == tag.as_bytes())
}

/// The entity tags of a list. A tag has no comma in this server, so splitting at commas finds them.
fn tags(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim)
}

fn ranges(header: &str, len: u64) -> Outcome {
    let Some((unit, set)) = header.split_once('=') else {
        return Outcome::Whole;
    };
    if !unit.trim().eq_ignore_ascii_case("bytes") {
        return Outcome::Whole;
    }
    let (mut first, mut count) = (None, 0);
    for range in set.split(',').map(str::trim).filter(|range| !range.is_empty()) {
        count += 1;
        match one(range, len) {
            // A malformed range makes the whole header void.
            None => return Outcome::Whole,
            Some(range) if range.is_empty() => {}
            Some(range) => first = first.or(Some(range)),
        }
    }
    match (first, count) {
        (_, 0) => Outcome::Whole,
        (None, _) => Outcome::Beyond,
        (Some(range), 1) => Outcome::Part(range),
        (Some(_), _) => Outcome::Whole,
    }
}

/// The bytes of one range. Empty when the range is past the end; `None` when it is malformed.
fn one(range: &str, len: u64) -> Option<Range<u64>> {
    let (first, last) = range.split_once('-')?;
    if first.is_empty() {
        let count = number(last)?;
        return Some(len - count.min(len)..len);
    }
    let first = number(first)?;
    let last = if last.is_empty() { u64::MAX } else { number(last)? };
    (first <= last).then(|| first.min(len)..last.saturating_add(1).min(len).max(first.min(len)))
}

/// A decimal number of any length, digits only.
fn number(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::Request;
    use proptest::prelude::*;

    const TAG: &str = "\"abc\"";

    fn outcome(method: &str, headers: &[(&str, &str)]) -> Outcome {
        let mut request = Request::builder().method(method).uri("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        evaluate(&SiteRequest::of(&request.body(()).unwrap()), TAG, 1000)
    }

    #[test]
    fn ranges_of_a_thousand_bytes() {
        use Outcome::*;
        for (range, expected) in [
            ("bytes=0-8", Part(0..9)),
            ("bytes=-10", Part(990..1000)),
            ("bytes=990-", Part(990..1000)),
            ("bytes=990-1990", Part(990..1000)),
            ("bytes=0-0", Part(0..1)),
            ("bytes=999-", Part(999..1000)),
            ("bytes=-2000", Part(0..1000)),
            ("bytes=0-99999999999999999999999", Part(0..1000)),
            ("Bytes = 5-6", Part(5..7)),
            ("bytes=100000-", Beyond),
            ("bytes=1000-", Beyond),
            ("bytes=1000-1999", Beyond),
            ("bytes=-0", Beyond),
            ("bytes=2000-,3000-", Beyond),
            ("bytes=0-8,20-30", Whole),
            ("bytes=0-8,2000-", Whole),
            ("bytes=8-0", Whole),
            ("bytes=a-b", Whole),
            ("bytes=+1-2", Whole),
            ("bytes=-", Whole),
            ("bytes=", Whole),
            ("bytes", Whole),
            ("lines=0-8", Whole),
        ] {
            assert_eq!(outcome("GET", &[("range", range)]), expected, "{range}");
        }
        assert_eq!(outcome("HEAD", &[("range", "bytes=0-8")]), Whole);
    }

    #[test]
    fn if_range_needs_the_same_strong_tag() {
        for (value, partial) in [
            (TAG, true),
            ("\"x\"", false),
            ("W/\"abc\"", false),
            ("Wed, 21 Oct 2015 07:28:00 GMT", false),
        ] {
            let answer = outcome("GET", &[("range", "bytes=0-8"), ("if-range", value)]);
            assert_eq!(answer == Outcome::Part(0..9), partial, "{value}");
        }
    }

    #[test]
    fn if_none_match_takes_lists_stars_and_weak_tags() {
        for (value, unchanged) in [
            (TAG, true),
            ("*", true),
            ("W/\"abc\"", true),
            ("\"x\", \"abc\"", true),
            ("\"x\",W/\"abc\" , \"y\"", true),
            ("\"x\"", false),
            ("abc", false),
            ("\"abc-br\"", false),
        ] {
            assert_eq!(
                outcome("GET", &[("if-none-match", value)]) == Outcome::Unchanged,
                unchanged,
                "{value}"
            );
            assert_eq!(
                outcome("HEAD", &[("if-none-match", value)]) == Outcome::Unchanged,
                unchanged,
                "{value}"
            );
        }
        assert_eq!(
            outcome("GET", &[("if-none-match", TAG), ("range", "bytes=0-8")]),
            Outcome::Unchanged
        );
    }

    #[test]
    fn if_match_needs_the_tag() {
        assert_eq!(outcome("GET", &[("if-match", "\"x\", \"abc\"")]), Outcome::Whole);
        assert_eq!(outcome("GET", &[("if-match", "*")]), Outcome::Whole);
        assert_eq!(outcome("GET", &[("if-match", "W/\"abc\"")]), Outcome::Changed);
        assert_eq!(outcome("GET", &[("if-match", "\"x\"")]), Outcome::Changed);
    }

    proptest! {
        #[test]
        fn a_part_is_never_outside(range in "bytes=[0-9,-]{0,20}", len in 0_u64..2000) {
            if let Outcome::Part(part) = ranges(&range, len) {
                prop_assert!(part.start < part.end && part.end <= len);
            }
        }
    }
}
