//! The time.
//!
//! ```
//! use galley_sdk::testing::TestHost;
//! use galley_sdk::{Plugin, clock};
//!
//! let host = TestHost::new(Plugin::new("demo", "1.0.0"));
//! host.advance(1_500);
//! assert_eq!(host.run(clock::now), "2026-01-01T00:00:01.500Z");
//! ```

use std::time::Duration;

/// The time as an RFC 3339 text in UTC, to the millisecond. Such texts sort by time.
pub fn now() -> String {
    format(now_ms())
}

/// Milliseconds since 1970-01-01T00:00:00Z.
pub fn now_ms() -> u64 {
    crate::host::clock::now_ms()
}

/// Time since an arbitrary moment; never goes back within one call.
pub fn monotonic() -> Duration {
    Duration::from_nanos(crate::host::clock::monotonic_ns())
}

/// Milliseconds since 1970 as an RFC 3339 text.
///
/// ```
/// assert_eq!(galley_sdk::clock::format(951_827_696_007), "2000-02-29T12:34:56.007Z");
/// ```
pub fn format(ms: u64) -> String {
    let (year, month, day) = date(ms / 86_400_000);
    let (ms, seconds) = (ms % 1_000, ms / 1_000 % 86_400);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}

/// Year, month and day of a number of days since 1970-01-01.
///
/// Years are counted from March, so that the leap day is the last day of its year, and in eras of 400 years, which all have
/// 146,097 days.
fn date(days_since_1970: u64) -> (u64, u64, u64) {
    const FROM_MARCH_OF_YEAR_0: u64 = 719_468;
    let days = days_since_1970 + FROM_MARCH_OF_YEAR_0;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    // Five months from March have 153 days, and so on.
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_day_follows_the_one_before() {
        let lengths = |year: u64| {
            let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
            [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        };
        let mut day = 0;
        for year in 1970..2500 {
            for (month, length) in (1..).zip(lengths(year)) {
                for of_month in 1..=length {
                    assert_eq!(date(day), (year, month, of_month));
                    day += 1;
                }
            }
        }
    }
}
