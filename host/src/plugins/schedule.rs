//! When a job runs.

use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use croner::Cron;
use galley_manifest::Job;

/// The times of a job.
pub enum Schedule {
    /// So long after the time before.
    Every(Duration),
    /// At the times of a cron expression, in UTC.
    Cron(Box<Cron>),
}

impl Schedule {
    /// Reads a job of a manifest that was checked. `Err` says what is wrong with its cron expression.
    pub fn of(job: &Job<String>) -> Result<Self, String> {
        if let Some(every) = job.every() {
            return Ok(Self::Every(every));
        }
        let (name, text) = (&job.name, job.cron.as_deref().unwrap_or_default());
        let refused = |why: &dyn std::fmt::Display| {
            format!("the job `{name}` has the cron expression `{text}`, which cannot be read: {why}")
        };
        let cron = Cron::from_str(text).map_err(|error| refused(&error))?;
        let schedule = Self::Cron(Box::new(cron));
        // Such as the 30th of February.
        let is_ever = schedule.next(0, 0).is_some();
        is_ever
            .then_some(schedule)
            .ok_or_else(|| refused(&"no time matches it"))
    }

    /// The time after `now` at which the job is due, when it was due at `due` before. In milliseconds since 1970; `None` when there
    /// is none.
    pub fn next(&self, due: i64, now: i64) -> Option<i64> {
        match self {
            Self::Every(pause) => {
                let pause = i64::try_from(pause.as_millis()).ok()?;
                let next = due.checked_add(pause)?;
                // What was missed is not made up for.
                Some(if next > now { next } else { now.checked_add(pause)? })
            }
            Self::Cron(cron) => {
                let now: DateTime<Utc> = DateTime::from_timestamp_millis(now)?;
                let next = cron.find_next_occurrence(&now, false).ok()?;
                Some(next.timestamp_millis())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(every: Option<&str>, cron: Option<&str>) -> Job<String> {
        Job {
            name: "tidy".into(),
            every: every.map(str::to_owned),
            cron: cron.map(str::to_owned),
            cluster: false,
        }
    }

    #[test]
    fn what_was_missed_is_due_once() {
        let every = Schedule::of(&job(Some("10s"), None)).unwrap();
        assert_eq!(every.next(1_000, 1_200), Some(11_000));
        assert_eq!(every.next(1_000, 95_000), Some(105_000));
        assert_eq!(every.next(i64::MAX, 0), None);
    }

    #[test]
    fn a_cron_expression_is_in_utc() {
        let daily = Schedule::of(&job(None, Some("30 9 * * 1-5"))).unwrap();
        // 2026-11-20 was a Friday.
        let friday = DateTime::parse_from_rfc3339("2026-11-20T09:30:00Z")
            .unwrap()
            .timestamp_millis();
        let monday = DateTime::parse_from_rfc3339("2026-11-23T09:30:00Z")
            .unwrap()
            .timestamp_millis();
        assert_eq!(daily.next(friday, friday), Some(monday));
        assert_eq!(daily.next(0, friday - 1), Some(friday));
    }

    #[test]
    fn nonsense_is_named() {
        for text in [
            "61 * * * *",
            "* 24 * * *",
            "* * 0 * *",
            "* * * 13 *",
            "a b c d e",
            "*/0 * * * *",
            "0 0 30 2 *",
            "5-1 * * * *",
        ] {
            let refused = Schedule::of(&job(None, Some(text))).err().unwrap_or_default();
            assert!(
                refused.contains(text) && refused.contains("`tidy`"),
                "{text}: {refused}"
            );
        }
    }
}
