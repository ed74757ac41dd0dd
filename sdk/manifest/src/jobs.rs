//! What a plugin does by itself, from time to time.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::error::ManifestError;
use crate::schema::check_name;

/// The most jobs of a plugin.
pub const MAX_JOBS: usize = 32;
/// The shortest and the longest pause between two runs.
const MIN_EVERY: Duration = Duration::from_secs(1);
const MAX_EVERY: Duration = Duration::from_secs(366 * 86_400);
/// The longest cron expression, in bytes.
const MAX_CRON_BYTES: usize = 100;

/// A job, with `every` or `cron`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job<S> {
    /// 1 to 32 of a-z, 0-9 and `-`, starting with a letter.
    pub name: S,
    /// The time between two runs, from 1 s to 366 d: `90s`, `15m`, `6h`, `1d`.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub every: Option<S>,
    /// Five fields in UTC: minute, hour, day of the month, month, day of the week.
    #[serde(default = "none", skip_serializing_if = "Option::is_none")]
    pub cron: Option<S>,
    /// Whether it runs only where several servers share the plugin's data.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cluster: bool,
}

fn none<T>() -> Option<T> {
    None
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_false(is: &bool) -> bool {
    !is
}

impl<S: AsRef<str>> Job<S> {
    /// The time between two runs; `None` for a cron expression.
    pub fn every(&self) -> Option<Duration> {
        self.every.as_ref().and_then(|text| duration(text.as_ref()))
    }

    /// When it runs, for people: `every 6h`, or `at 0 9 * * 1 (UTC)`, with `in a cluster` where it runs only there.
    pub fn when(&self) -> String {
        let when = match (&self.every, &self.cron) {
            (Some(every), _) => format!("every {}", every.as_ref()),
            (None, Some(cron)) => format!("at {} (UTC)", cron.as_ref()),
            (None, None) => "never".to_owned(),
        };
        match self.cluster {
            true => format!("{when} in a cluster"),
            false => when,
        }
    }

    /// Checks all but the meaning of a cron expression, which the server looks at.
    fn check(&self) -> Result<(), ManifestError> {
        let name = self.name.as_ref();
        check_name("job", name)?;
        match (&self.every, &self.cron) {
            (Some(_), Some(_)) | (None, None) => Err(ManifestError::new(format!(
                "the job `{name}` has either `every` or `cron`"
            ))),
            (Some(every), None) => match duration(every.as_ref()) {
                Some(time) if (MIN_EVERY..=MAX_EVERY).contains(&time) => Ok(()),
                _ => Err(ManifestError::new(format!(
                    "the job `{name}` runs every `{}`, which is no time from 1s to 366d, such as `90s`, `15m`, `6h` or `1d`",
                    every.as_ref().escape_debug()
                ))),
            },
            (None, Some(cron)) => match is_cron(cron.as_ref()) {
                true => Ok(()),
                false => Err(ManifestError::new(format!(
                    "the job `{name}` has the cron expression `{}`, which is not five fields: minute, hour, day of the \
                     month, month, day of the week",
                    cron.as_ref().escape_debug()
                ))),
            },
        }
    }
}

/// A whole number with its unit.
fn duration(text: &str) -> Option<Duration> {
    let digits = text.strip_suffix(['s', 'm', 'h', 'd'])?;
    let factor = match text.as_bytes().last()? {
        b's' => 1,
        b'm' => 60,
        b'h' => 3_600,
        _ => 86_400,
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let number: u64 = is_number.then(|| digits.parse().ok()).flatten()?;
    number.checked_mul(factor).map(Duration::from_secs)
}

fn is_cron(text: &str) -> bool {
    let is_field = |field: &str| {
        let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'*' | b',' | b'-' | b'/' | b'#' | b'?');
        field.bytes().all(plain)
    };
    text.len() <= MAX_CRON_BYTES
        && text.split(' ').count() == 5
        && text.split(' ').all(|f| !f.is_empty() && is_field(f))
}

/// Checks each, and that no name is there twice.
pub(crate) fn check<S: AsRef<str>>(jobs: &[Job<S>]) -> Result<(), ManifestError> {
    if jobs.len() > MAX_JOBS {
        return Err(ManifestError::new(format!(
            "it has {} jobs, at most {MAX_JOBS} are possible",
            jobs.len()
        )));
    }
    for (index, job) in jobs.iter().enumerate() {
        job.check()?;
        let name = job.name.as_ref();
        if jobs[..index].iter().any(|other| other.name.as_ref() == name) {
            return Err(ManifestError::new(format!("the job `{name}` is there twice")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every(text: &'static str) -> Job<&'static str> {
        Job {
            name: "tidy",
            every: Some(text),
            cron: None,
            cluster: false,
        }
    }

    fn cron(text: &'static str) -> Job<&'static str> {
        Job {
            name: "tidy",
            every: None,
            cron: Some(text),
            cluster: false,
        }
    }

    #[test]
    fn a_job_runs_every_so_often_or_at_times() {
        assert_eq!(every("90s").every(), Some(Duration::from_secs(90)));
        for fine in [
            every("1s"),
            every("366d"),
            cron("0 9 * * 1-5"),
            cron("*/15 * L * MON#2"),
        ] {
            assert_eq!(check(&[fine]), Ok(()), "{fine:?}");
        }
        assert_eq!(every("6h").when(), "every 6h");
        assert_eq!(cron("0 9 * * 1").when(), "at 0 9 * * 1 (UTC)");
    }

    #[test]
    fn a_job_of_a_cluster_says_so() {
        let job = Job {
            cluster: true,
            ..every("30s")
        };
        assert_eq!(job.when(), "every 30s in a cluster");
        let text = serde_json::to_string(&job).unwrap();
        assert_eq!(text, r#"{"name":"tidy","every":"30s","cluster":true}"#);
        assert_eq!(serde_json::from_str::<Job<&str>>(&text).unwrap(), job);
        // Who reads no such word reads what is no such job.
        let other = serde_json::to_string(&every("30s")).unwrap();
        assert_eq!(other, r#"{"name":"tidy","every":"30s"}"#);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for text in [
            "",
            "0s",
            "5",
            "m",
            "-1s",
            "+1s",
            "1.5h",
            "367d",
            "99999999999999999999d",
            "18446744073709551615d",
            "1 h",
        ] {
            let error = check(&[every(text)]).unwrap_err().to_string();
            assert!(error.contains("no time from 1s to 366d"), "{error}");
        }
        for text in [
            "",
            "nonsense",
            "* * * *",
            "* * * * * *",
            "* *  * *",
            "* * * * é",
            "@hourly",
        ] {
            let error = check(&[cron(text)]).unwrap_err().to_string();
            assert!(error.contains("five fields"), "{error}");
        }
        let both = Job {
            cron: Some("* * * * *"),
            ..every("1h")
        };
        assert!(check(&[both]).unwrap_err().to_string().contains("either"));
        assert!(
            check(&[every("1h"), every("2h")])
                .unwrap_err()
                .to_string()
                .contains("twice")
        );
        let many = vec![every("1h"); 10_000];
        assert!(check(&many).unwrap_err().to_string().contains("10000 jobs, at most 32"));
    }
}
