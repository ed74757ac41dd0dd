//! The bounds of a slot, which an operator can change.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Bounds of one slot, in `plugins.lock`; a change is in force with the slot's next call.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Limits {
    /// Milliseconds from the arrival of the whole body to the answer.
    pub deadline_ms: u64,
    /// Mebibytes of linear memory of one instance.
    pub memory_mib: u32,
    /// Calls of host functions in one call.
    pub host_calls: u32,
    /// Lines in the log of one call.
    pub log_lines: u32,
    /// Calls that run at the same time; more wait for a place until their deadline.
    pub concurrency: u32,
    /// Mebibytes of the slot's database.
    pub storage_mib: u32,
    /// Outbound requests in a minute.
    pub outbound_per_minute: u32,
    /// Its turns for long calls, beside those of other slots that have long calls at the same time: a slot with 50 gets half
    /// as much time as one with 100.
    pub cpu_share: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            deadline_ms: 5_000,
            memory_mib: 64,
            host_calls: 10_000,
            log_lines: 64,
            concurrency: 64,
            storage_mib: 4_096,
            outbound_per_minute: 600,
            cpu_share: 100,
        }
    }
}

/// Why a limit was refused. The text names the key, and what it takes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LimitError(String);

/// What the number of a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Milliseconds,
    Mebibytes,
    PerMinute,
    Count,
}

/// One limit: its name, what it takes, and its place in [`Limits`].
struct Key {
    name: &'static str,
    /// As it stands in `plugins.lock`.
    in_file: &'static str,
    unit: Unit,
    least: u64,
    most: u64,
    get: fn(&Limits) -> u64,
    set: fn(&mut Limits, u64),
}

/// The field of a key with 32 bits. What is set was compared with the key's bounds before.
macro_rules! field {
    ($name:ident) => {
        (
            |limits| limits.$name.into(),
            |limits, value| limits.$name = u32::try_from(value).unwrap_or(u32::MAX),
        )
    };
}

/// How a field is read and set.
type Field = (fn(&Limits) -> u64, fn(&mut Limits, u64));

const fn key(
    (name, in_file): (&'static str, &'static str),
    unit: Unit,
    (least, most): (u64, u64),
    (get, set): Field,
) -> Key {
    Key {
        name,
        in_file,
        unit,
        least,
        most,
        get,
        set,
    }
}

/// All limits. The most memory and the most calls at once are what the engine's pool has.
const KEYS: [Key; 8] = [
    key(
        ("deadline", "deadline-ms"),
        Unit::Milliseconds,
        (1, 600_000),
        (|limits| limits.deadline_ms, |limits, value| limits.deadline_ms = value),
    ),
    key(("memory", "memory-mib"), Unit::Mebibytes, (1, 256), field!(memory_mib)),
    key(
        ("host-calls", "host-calls"),
        Unit::Count,
        (1, 10_000_000),
        field!(host_calls),
    ),
    key(("log-lines", "log-lines"), Unit::Count, (0, 100_000), field!(log_lines)),
    key(
        ("concurrency", "concurrency"),
        Unit::Count,
        (1, 1_000),
        field!(concurrency),
    ),
    key(
        ("storage", "storage-mib"),
        Unit::Mebibytes,
        (1, 16 << 20),
        field!(storage_mib),
    ),
    key(
        ("outbound", "outbound-per-minute"),
        Unit::PerMinute,
        (0, 1_000_000),
        field!(outbound_per_minute),
    ),
    key(("cpu-share", "cpu-share"), Unit::Count, (1, 1_000), field!(cpu_share)),
];

impl Key {
    /// Reads a value with its unit. One that is set by its name in the file has the unit there.
    fn parse(&self, text: &str, has_unit: bool) -> Result<u64, LimitError> {
        let refused = || {
            LimitError(format!(
                "`{}` is {} from {} to {}, not `{text}`",
                self.name,
                self.unit.words(),
                self.unit.show(self.least),
                self.unit.show(self.most)
            ))
        };
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, unit) = text.split_at(digits);
        let factor = match unit.trim() {
            "" if has_unit => Some(1),
            unit => self.unit.factor(unit),
        };
        let factor = factor.ok_or_else(refused)?;
        let number: u64 = number.parse().map_err(|_| refused())?;
        let value = number.checked_mul(factor).ok_or_else(refused)?;
        self.takes(value).then_some(value).ok_or_else(refused)
    }

    fn takes(&self, value: u64) -> bool {
        (self.least..=self.most).contains(&value)
    }
}

impl Unit {
    /// What one of a written unit is in the unit of the number. Only what is counted has none: `deadline=5` could be anything.
    fn factor(self, written: &str) -> Option<u64> {
        Some(match (self, written) {
            (Self::Count, "") => 1,
            (Self::Milliseconds, "ms") | (Self::Mebibytes, "MiB" | "M" | "MB") | (Self::PerMinute, "/min") => 1,
            (Self::Milliseconds, "s") => 1_000,
            (Self::Mebibytes, "GiB" | "G" | "GB") => 1 << 10,
            (Self::PerMinute, "/s") => 60,
            _ => return None,
        })
    }

    fn words(self) -> &'static str {
        match self {
            Self::Milliseconds => "a time (`500ms`, `5s`)",
            Self::Mebibytes => "a size (`64MiB`, `2GiB`)",
            Self::PerMinute => "a rate (`60/min`, `2/s`)",
            Self::Count => "a number",
        }
    }

    fn show(self, value: u64) -> String {
        match self {
            Self::Milliseconds if value > 0 && value.is_multiple_of(1_000) => format!("{}s", value / 1_000),
            Self::Milliseconds => format!("{value}ms"),
            Self::Mebibytes if value > 0 && value.is_multiple_of(1 << 10) => format!("{}GiB", value >> 10),
            Self::Mebibytes => format!("{value}MiB"),
            Self::PerMinute => format!("{value}/min"),
            Self::Count => value.to_string(),
        }
    }
}

impl Limits {
    /// The deadline as a length of time.
    pub fn deadline(&self) -> Duration {
        Duration::from_millis(self.deadline_ms)
    }

    /// The memory of an instance, in bytes.
    pub fn memory(&self) -> usize {
        (self.memory_mib as usize) << 20
    }

    /// The size of the database, in bytes.
    pub fn storage(&self) -> u64 {
        u64::from(self.storage_mib) << 20
    }

    /// Applies `key=value` as an operator writes it: `memory=128MiB`, `deadline=10s`, `outbound=60/min`, `cpu-share=50`.
    /// `key=default` sets what a new slot has.
    pub fn set(&mut self, change: &str) -> Result<(), LimitError> {
        let Some((name, value)) = change.split_once('=') else {
            let first = KEYS[0].name;
            return Err(LimitError(format!(
                "`{change}` is not key=value, such as `{first}=5s`; the keys are {}",
                names()
            )));
        };
        let (name, value) = (name.trim(), value.trim());
        let key = KEYS.iter().find(|key| key.name == name || key.in_file == name);
        let key = key.ok_or_else(|| LimitError(format!("there is no limit `{name}`; the limits are {}", names())))?;
        let value = match value {
            "default" => (key.get)(&Self::default()),
            value => key.parse(value, name == key.in_file)?,
        };
        (key.set)(self, value);
        Ok(())
    }

    /// All limits as an operator reads them, by the names that [`set`](Self::set) takes.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let pair = |key: &Key| (key.name, key.unit.show((key.get)(self)));
        KEYS.iter().map(pair).collect()
    }

    /// Checks values that were written into a file.
    pub fn check(&self) -> Result<(), LimitError> {
        match KEYS.iter().find(|key| !key.takes((key.get)(self))) {
            None => Ok(()),
            Some(key) => Err(LimitError(format!(
                "`{}` is {}: it takes {} to {}",
                key.in_file,
                (key.get)(self),
                key.least,
                key.most
            ))),
        }
    }
}

impl fmt::Display for Limits {
    /// `deadline=5s memory=64MiB …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.pairs().into_iter();
        let words: Vec<_> = pairs.map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&words.join(" "))
    }
}

/// The limits, for the help of a command: a line for each, with what it takes and what a new slot has.
pub fn help() -> String {
    let defaults = Limits::default();
    let line = |key: &Key| {
        let Key { name, unit, .. } = key;
        let (least, most) = (unit.show(key.least), unit.show(key.most));
        let default = unit.show((key.get)(&defaults));
        format!(
            "  {name:<12} {} from {least} to {most}; {default} unless it is set",
            unit.words()
        )
    };
    format!("Keys:\n{}", KEYS.each_ref().map(line).join("\n"))
}

fn names() -> String {
    KEYS.map(|key| key.name).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_a_key_and_a_value_with_its_unit() {
        let mut limits = Limits::default();
        for change in [
            "deadline=10s",
            "memory=128MiB",
            "host-calls = 5",
            "storage=2GiB",
            "outbound=2/s",
            "cpu-share=50",
        ] {
            limits.set(change).unwrap();
        }
        let shown = limits.to_string();
        assert_eq!(
            shown,
            "deadline=10s memory=128MiB host-calls=5 log-lines=64 concurrency=64 storage=2GiB outbound=120/min cpu-share=50"
        );
        // What is shown can be written again.
        let mut again = Limits::default();
        shown.split(' ').for_each(|change| again.set(change).unwrap());
        assert_eq!(again, limits);
        limits.set("memory=default").unwrap();
        limits.set("deadline-ms=250").unwrap();
        assert_eq!((limits.memory_mib, limits.deadline_ms), (64, 250));
    }

    #[test]
    fn a_refused_change_says_what_the_key_takes() {
        let refused = |change: &str| Limits::default().set(change).unwrap_err().to_string();
        assert_eq!(
            refused("memory=1GiB"),
            "`memory` is a size (`64MiB`, `2GiB`) from 1MiB to 256MiB, not `1GiB`"
        );
        for change in [
            "deadline=0",
            "deadline=5",
            "memory=1",
            "storage=64",
            "outbound=60",
            "deadline=5m",
            "memory=-1",
            "memory=",
            "cpu-share=0",
            "host-calls=99999999999999999999",
            "outbound=5/h",
            "concurrency=2x",
        ] {
            let (key, value) = change.split_once('=').unwrap();
            let error = refused(change);
            assert!(
                error.contains(key) && error.contains(&format!("not `{value}`")),
                "{error}"
            );
        }
        assert!(refused("colour=red").contains("there is no limit `colour`; the limits are deadline, memory"));
        assert!(refused("memory").contains("is not key=value"));
    }

    #[test]
    fn a_value_written_into_the_file_is_checked() {
        let limits: Limits = toml::from_str("memory-mib = 4096").unwrap();
        assert_eq!(
            limits.check().unwrap_err().to_string(),
            "`memory-mib` is 4096: it takes 1 to 256"
        );
        assert_eq!(Limits::default().check(), Ok(()));
    }
}
