//! When a provider wants to be asked again: in headers of several sorts.

use std::time::Duration;

use http::HeaderMap;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc2822;

/// A longer wait than this is no hint.
const MAX_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// The wait that an answer asks for.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let exact = text("retry-after-ms")
        .and_then(|text| text.parse().ok())
        .and_then(seconds_of(1e-3));
    let usual = || {
        let text = text("retry-after")?;
        text.parse().ok().and_then(seconds_of(1.0)).or_else(|| until(text))
    };
    exact
        .or_else(usual)
        .or_else(|| resets(headers))
        .filter(|wait| *wait <= MAX_WAIT)
}

/// Whether the provider says that asking again helps; `None` when it does not say.
pub(super) fn should_retry(headers: &HeaderMap) -> Option<bool> {
    match headers.get("x-should-retry")?.to_str().ok()? {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn seconds_of(unit: f64) -> impl Fn(f64) -> Option<Duration> {
    move |count| Duration::try_from_secs_f64(count * unit).ok()
}

/// From now until a date of HTTP, which is one of mails but for the name of its zone.
fn until(date: &str) -> Option<Duration> {
    let date = date
        .strip_suffix("GMT")
        .map_or_else(|| date.to_owned(), |date| format!("{date}+0000"));
    let then = OffsetDateTime::parse(&date, &Rfc2822).ok()?;
    (then - OffsetDateTime::now_utc()).try_into().ok()
}

/// OpenAI: the limits that are used up, each with the time until it is reset.
fn resets(headers: &HeaderMap) -> Option<Duration> {
    let of = |what: &str| {
        let text = |name: &str| headers.get(format!("x-ratelimit-{name}-{what}"))?.to_str().ok();
        if text("remaining").is_some_and(|left| left.trim() != "0") {
            return None;
        }
        span(text("reset")?)
    };
    ["requests", "tokens"].into_iter().filter_map(of).max()
}

/// A span as `1m30s`, `6ms` or `1h2m3.5s`.
fn span(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut sum = Duration::ZERO;
    while !rest.is_empty() {
        let end = rest.find(|character: char| !character.is_ascii_digit() && character != '.')?;
        let count: f64 = rest[..end].parse().ok()?;
        let unit = rest[end..]
            .find(|character: char| character.is_ascii_digit())
            .map_or(rest.len(), |at| end + at);
        let seconds = match &rest[end..unit] {
            "ms" => count / 1000.0,
            "s" => count,
            "m" => count * 60.0,
            "h" => count * 3600.0,
            "d" => count * 86_400.0,
            _ => return None,
        };
        sum += Duration::try_from_secs_f64(seconds).ok()?;
        rest = &rest[unit..];
    }
    (!text.trim().is_empty()).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(headers: &[(&'static str, &'static str)]) -> Option<Duration> {
        let map = headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect();
        retry_after(&map)
    }

    #[test]
    fn every_sort_of_hint_is_read() {
        let seconds = |count| Some(Duration::from_secs(count));
        assert_eq!(of(&[("retry-after", "42")]), seconds(42));
        assert_eq!(
            of(&[("retry-after-ms", "1500"), ("retry-after", "9")]),
            Some(Duration::from_millis(1500))
        );
        assert_eq!(of(&[("x-ratelimit-reset-requests", "1m30s")]), seconds(90));
        assert_eq!(
            of(&[
                ("x-ratelimit-remaining-requests", "7"),
                ("x-ratelimit-reset-requests", "1h"),
                ("x-ratelimit-remaining-tokens", "0"),
                ("x-ratelimit-reset-tokens", "6s"),
            ]),
            seconds(6)
        );
        for nonsense in ["", "soon", "-5", "nan", "1e99", "99999999"] {
            assert_eq!(of(&[("retry-after", nonsense)]), None, "{nonsense}");
        }
        let date = OffsetDateTime::now_utc() + Duration::from_secs(100);
        let date = date.format(&Rfc2822).unwrap().replace("+0000", "GMT");
        let wait = until(&date).unwrap().as_secs();
        assert!((95..=100).contains(&wait), "{date}: {wait}");
    }
}
