//! A session's file: `.tool/chat/<id>.jsonl`, a record a line, for its owner alone.
//!
//! A turn is on disk before it is acknowledged, and once more at its end. Turns past the limit go to `<id>.archive.jsonl`: they
//! are appended there and synced before the file is replaced by a shorter one, so that a crash between leaves them in both, and
//! the ids of turns tell that they are the same. A last line that a crash tore is left out.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::pictures;
use super::turn::{Spent, Turn};
use crate::models::Message;
use crate::workspace::write_private;

/// Longer lines are no records.
const MAX_LINE: u64 = 16 << 20;

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "record", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub(super) enum Record {
    /// The first line.
    Session {
        title: String,
        created_at: u64,
        /// Turns that are in the archive, and what they cost.
        #[serde(default)]
        archived: usize,
        #[serde(default)]
        archived_cost: Spent,
    },
    /// Another title.
    Title { title: String },
    /// A turn as it begins, and again as it ends: the last one counts.
    Turn { turn: Box<Turn> },
    /// What was said to the model and by it, for the turns that come.
    Messages { turn: String, messages: Vec<Message> },
}

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) title: String,
    pub(super) created_at: u64,
    pub(super) archived: usize,
    pub(super) archived_cost: Spent,
    /// Each with what was said to the model and by it.
    pub(super) turns: Vec<(Turn, Vec<Message>)>,
    /// Lines that are no records.
    pub(super) damaged: usize,
}

/// Where a session is kept.
#[derive(Debug, Clone)]
pub(super) struct Place {
    folder: PathBuf,
    id: String,
}

impl Place {
    pub(super) fn new(folder: &Path, id: &str) -> Place {
        Place {
            folder: folder.to_owned(),
            id: id.to_owned(),
        }
    }

    pub(super) fn file(&self) -> PathBuf {
        self.folder.join(format!("{}.jsonl", self.id))
    }

    pub(super) fn archive(&self) -> PathBuf {
        self.folder.join(format!("{}.archive.jsonl", self.id))
    }

    /// Makes the file of a new session.
    pub(super) fn create(&self, title: &str, created_at: u64) -> io::Result<()> {
        let record = Record::Session {
            title: title.to_owned(),
            created_at,
            archived: 0,
            archived_cost: Spent::default(),
        };
        write_private(&self.file(), &line(&record))
    }

    /// Everything the file says; `None` when there is none.
    pub(super) fn read(&self) -> io::Result<Option<Kept>> {
        read(&self.file())
    }

    /// The turns of the archive, the oldest first.
    pub(super) fn read_archive(&self) -> io::Result<Vec<Turn>> {
        let kept = read(&self.archive())?.unwrap_or_default();
        Ok(kept.turns.into_iter().map(|(turn, _)| turn).collect())
    }

    /// Adds records, and waits until they are durable.
    pub(super) fn append(&self, records: &[Record]) -> io::Result<()> {
        append(&self.file(), records)
    }

    /// Moves the oldest turns to the archive, so that `keep` of them stay.
    pub(super) fn archive_past(&self, keep: usize) -> io::Result<()> {
        let Some(mut kept) = self.read()? else { return Ok(()) };
        let over = kept.turns.len().saturating_sub(keep);
        if over == 0 {
            return Ok(());
        }
        let there: HashSet<String> = self.read_archive()?.into_iter().map(|turn| turn.id).collect();
        let old: Vec<Turn> = kept.turns.drain(..over).map(|(turn, _)| turn).collect();
        for turn in &old {
            kept.archived += 1;
            kept.archived_cost += turn.cost;
        }
        let records: Vec<Record> = old
            .into_iter()
            .filter(|turn| !there.contains(&turn.id))
            .map(|turn| Record::Turn { turn: Box::new(turn) })
            .collect();
        append(&self.archive(), &records)?;
        let mut content = line(&Record::Session {
            title: kept.title,
            created_at: kept.created_at,
            archived: kept.archived,
            archived_cost: kept.archived_cost,
        });
        for (turn, messages) in kept.turns {
            let id = turn.id.clone();
            content.extend(line(&Record::Turn { turn: Box::new(turn) }));
            if !messages.is_empty() {
                content.extend(line(&Record::Messages { turn: id, messages }));
            }
        }
        write_private(&self.file(), &content)
    }

    /// The folder of its pictures.
    pub(super) fn pictures(&self) -> PathBuf {
        pictures::folder(&self.folder, &self.id)
    }

    /// Deletes it.
    pub(super) fn delete(&self) -> io::Result<()> {
        pictures::delete(&self.pictures())?;
        for path in [self.file(), self.archive()] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        File::open(&self.folder)?.sync_all()
    }
}

fn line(record: &Record) -> Vec<u8> {
    let mut line = serde_json::to_vec(record).unwrap_or_default();
    line.push(b'\n');
    line
}

/// Opens a file of the Editor's own; a symbolic link in its place is an error.
fn open(path: &Path) -> io::Result<File> {
    let no_link = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).unwrap_or_default();
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).mode(0o600);
    options.custom_flags(no_link).open(path)
}

fn append(path: &Path, records: &[Record]) -> io::Result<()> {
    if records.is_empty() {
        return Ok(());
    }
    let is_new = !path.exists();
    let mut file = open(path)?;
    let mut content = Vec::new();
    // A line that a crash tore must not swallow the next one.
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            content.push(b'\n');
        }
    }
    for record in records {
        content.extend(line(record));
    }
    file.write_all(&content)?;
    file.sync_all()?;
    if is_new && let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

fn read(path: &Path) -> io::Result<Option<Kept>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut kept = Kept::default();
    let mut reader = BufReader::new(file);
    loop {
        let mut line = Vec::new();
        if (&mut reader).take(MAX_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(Some(kept));
        }
        match serde_json::from_slice(&line) {
            Ok(record) => kept.add(record),
            Err(_) if line.trim_ascii().is_empty() => {}
            Err(_) => kept.damaged += 1,
        }
    }
}

impl Kept {
    fn add(&mut self, record: Record) {
        match record {
            Record::Session {
                title,
                created_at,
                archived,
                archived_cost,
            } => {
                self.title = title;
                self.created_at = created_at;
                self.archived = archived;
                self.archived_cost = archived_cost;
            }
            Record::Title { title } => self.title = title,
            Record::Turn { turn } => match self.turns.iter_mut().rev().find(|(known, _)| known.id == turn.id) {
                Some((known, _)) => *known = *turn,
                None => self.turns.push((*turn, Vec::new())),
            },
            Record::Messages { turn, messages } => {
                let known = self.turns.iter_mut().rev().find(|(known, _)| known.id == turn);
                if let Some((_, kept)) = known {
                    *kept = messages;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::agent::chat::turn::Status;

    fn turn(id: usize, status: Status) -> Turn {
        let mut turn = Turn::new(format!("turn-{id:04}"), 1, "Do it".to_owned(), Vec::new(), None);
        turn.status = status;
        turn.cost.usd = 0.5;
        turn
    }

    fn record(id: usize, status: Status) -> Record {
        let turn = Box::new(turn(id, status));
        Record::Turn { turn }
    }

    fn ids(kept: &Kept) -> Vec<&str> {
        kept.turns.iter().map(|(turn, _)| turn.id.as_str()).collect()
    }

    #[test]
    fn the_last_record_of_a_turn_counts_and_a_torn_line_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path(), "s");
        assert!(place.read().unwrap().is_none());
        place.create("First", 7).unwrap();
        let said = Record::Messages {
            turn: "turn-0001".to_owned(),
            messages: vec![Message::user("Do it")],
        };
        place.append(&[record(1, Status::Running)]).unwrap();
        place
            .append(&[said, record(1, Status::Done), record(2, Status::Running)])
            .unwrap();
        let torn = fs::read(place.file()).unwrap();
        fs::write(place.file(), &torn[..torn.len() - 20]).unwrap();
        let kept = place.read().unwrap().unwrap();
        assert_eq!((ids(&kept), kept.damaged), (vec!["turn-0001"], 1));
        assert_eq!((kept.turns[0].0.status, kept.turns[0].1.len()), (Status::Done, 1));
        // What comes after the torn line is whole.
        place.append(&[record(3, Status::Running)]).unwrap();
        let kept = place.read().unwrap().unwrap();
        assert_eq!(ids(&kept), ["turn-0001", "turn-0003"]);
        assert_eq!(kept.title, "First");
        assert_eq!(fs::metadata(place.file()).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn old_turns_are_archived_once_whenever_that_is_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path(), "s");
        place.create("First", 7).unwrap();
        let all: Vec<Record> = (0..10).map(|id| record(id, Status::Done)).collect();
        place.append(&all).unwrap();
        let before = fs::read(place.file()).unwrap();
        place.archive_past(4).unwrap();
        let kept = place.read().unwrap().unwrap();
        assert_eq!(ids(&kept), ["turn-0006", "turn-0007", "turn-0008", "turn-0009"]);
        assert_eq!((kept.archived, kept.archived_cost.usd), (6, 3.0));
        // As if the crash had come before the file was replaced.
        fs::write(place.file(), before).unwrap();
        place.archive_past(4).unwrap();
        let archived: Vec<String> = place.read_archive().unwrap().into_iter().map(|turn| turn.id).collect();
        assert_eq!(archived.len(), 6);
        assert_eq!(archived[0], "turn-0000");
        assert_eq!(place.read().unwrap().unwrap().archived, 6);
        assert_eq!(
            fs::metadata(place.archive()).unwrap().permissions().mode() & 0o777,
            0o600
        );
        place.delete().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_link_in_place_of_the_file_is_not_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path(), "s");
        fs::write(folder.path().join("other"), "precious").unwrap();
        std::os::unix::fs::symlink("other", place.file()).unwrap();
        assert!(place.append(&[record(1, Status::Running)]).is_err());
        assert_eq!(fs::read_to_string(folder.path().join("other")).unwrap(), "precious");
    }
}
