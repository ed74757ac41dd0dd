//! Copies of what was changed: `.tool/backups/<id>/`, a `manifest.json` beside the files as they were (`before/`), and as
//! they became (`after/`) where the journal cannot tell.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use time::PrimitiveDateTime;
use time::format_description::BorrowedFormatItem;
use time::macros::format_description;

use super::entry::Entry;

/// Their folder, under `.tool/`.
pub(super) const FOLDER: &str = "backups";
/// The time in an id.
const TIME: &[BorrowedFormatItem<'_>] =
    format_description!("[year][month][day]-[hour][minute][second]-[subsecond digits:3]");
const TIME_LENGTH: usize = "20260101-000000-000".len();

/// How long backups are kept (`retention.backups` in `.tool/config.json`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retention {
    /// At most so many.
    pub keep_newest: usize,
    /// None that is older, in days.
    pub max_age_days: f64,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            keep_newest: 200,
            max_age_days: 14.0,
        }
    }
}

/// One of the two contents of a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Side {
    Before,
    After,
}

/// A new name: the time, so that people find it and it sorts, and something that makes it unique.
pub(super) fn new_id(now: SystemTime) -> String {
    let now = time::OffsetDateTime::from(now);
    let stamp = now.format(TIME).unwrap_or_else(|_| "0".repeat(TIME_LENGTH));
    format!("{stamp}-{:04x}", rand::random::<u16>())
}

/// Whether a text is such a name, and so can be part of a path.
pub(super) fn is_id(text: &str) -> bool {
    made_at(text).is_some()
        && text[TIME_LENGTH..]
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

fn made_at(id: &str) -> Option<SystemTime> {
    let time = PrimitiveDateTime::parse(id.get(..TIME_LENGTH)?, TIME).ok()?;
    Some(time.assume_utc().into())
}

/// Where the backup of an edit lies.
pub(super) fn folder(tool: &Path, id: &str) -> PathBuf {
    tool.join(FOLDER).join(id)
}

/// Where a content lies in it.
pub(super) fn place(tool: &Path, id: &str, side: Side, path: &str) -> PathBuf {
    let side = match side {
        Side::Before => "before",
        Side::After => "after",
    };
    folder(tool, id).join(side).join(path)
}

/// Writes the list of an edit's files.
pub(super) fn describe(tool: &Path, entry: &Entry) -> io::Result<()> {
    let folder = folder(tool, &entry.id);
    fs::create_dir(&folder)?;
    fs::write(folder.join("manifest.json"), serde_json::to_vec_pretty(entry)?)
}

/// Keeps a content. The file is handed back to be made durable.
pub(super) fn keep(tool: &Path, id: &str, side: Side, path: &str, content: &[u8]) -> io::Result<File> {
    let place = place(tool, id, side, path);
    fs::create_dir_all(place.parent().unwrap_or(tool))?;
    let mut file = File::create_new(place)?;
    file.write_all(content)?;
    Ok(file)
}

/// Deletes what is too much or too old; the names of what was deleted.
pub(super) fn sweep(tool: &Path, retention: &Retention, now: SystemTime) -> Vec<String> {
    let listed = fs::read_dir(tool.join(FOLDER)).into_iter().flatten().flatten();
    let mut ids: Vec<String> = listed
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_id(name))
        .collect();
    ids.sort_unstable_by(|a, b| b.cmp(a));
    let oldest = Duration::try_from_secs_f64(retention.max_age_days * 86_400.0)
        .ok()
        .and_then(|age| now.checked_sub(age));
    let is_old = |id: &str| matches!((oldest, made_at(id)), (Some(oldest), Some(made)) if made < oldest);
    let mut gone = Vec::new();
    for (position, id) in ids.into_iter().enumerate() {
        if position < retention.keep_newest && !is_old(&id) {
            continue;
        }
        match fs::remove_dir_all(folder(tool, &id)) {
            Ok(()) => gone.push(id),
            Err(error) => tracing::warn!(%id, %error, "an old backup could not be deleted"),
        }
    }
    gone
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_are_kept_and_strangers_are_left_alone() {
        let tool = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        let day = Duration::from_secs(86_400);
        let ids: Vec<String> = (0..5).map(|age| new_id(now - day * age)).collect();
        for name in ids.iter().map(String::as_str).chain(["mine", "20260101"]) {
            fs::create_dir_all(folder(tool.path(), name)).unwrap();
        }
        let by_number = Retention {
            keep_newest: 3,
            max_age_days: 14.0,
        };
        assert_eq!(sweep(tool.path(), &by_number, now), ids[3..]);
        let by_age = Retention {
            keep_newest: 200,
            max_age_days: 1.5,
        };
        assert_eq!(sweep(tool.path(), &by_age, now), ids[2..3]);
        let forever = Retention {
            keep_newest: 200,
            max_age_days: f64::MAX,
        };
        assert!(sweep(tool.path(), &forever, now).is_empty());
        assert_eq!(fs::read_dir(tool.path().join(FOLDER)).unwrap().count(), 4);
    }

    #[test]
    fn names_that_lead_elsewhere_are_no_ids() {
        assert!(is_id(&new_id(SystemTime::now())));
        for text in [
            "",
            "x",
            "../../x",
            "20260101-000000-000/../x",
            "20260101-000000-000-00zz",
        ] {
            assert!(!is_id(text), "{text}");
        }
    }
}
