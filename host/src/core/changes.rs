//! Which of the rows that servers hold in memory has changed. Where a database has several servers, each change gets a number,
//! the generation, in its own transaction; a server reads again what changed since the number it knows.

use super::error::CoreError;
use super::index::{Entry, Index};
use super::settings::Settings;
use super::subscriptions::Subscriptions;
use crate::storage::engine::Rows;

/// The number of the last change.
pub(super) const GENERATION: &str = "SELECT value FROM generation";

/// How many changes are kept. A server that missed more reads everything.
const MAX_KEPT: i64 = 1_000;

const PROJECT: &str = "project";
const SETTINGS: &str = "settings";
const MAIL_SERVER: &str = "mail-server";
const APPROVALS: &str = "approvals";
const SUBSCRIPTIONS: &str = "subscriptions";

/// What a change is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Subject {
    /// The project of this id: its row, access list or attachments.
    Project(String),
    /// The settings.
    Settings,
    /// The mail server.
    MailServer,
    /// The approvals of plugins.
    Approvals,
    /// The topics that slots are subscribed to.
    Subscriptions,
}

/// What has changed since a generation.
pub(super) struct News {
    /// The generation it leads to.
    pub generation: i64,
    /// The projects that changed, each as it is now.
    pub projects: Vec<(String, Entry)>,
    /// Everything, where too much changed. The projects above are empty then.
    pub index: Option<Index>,
    /// The settings, when they changed.
    pub settings: Option<Settings>,
    /// Whether the mail server changed.
    pub mail_server: bool,
    /// Whether the approvals of plugins changed.
    pub approvals: bool,
    /// The subscriptions, when they changed.
    pub subscriptions: Option<Subscriptions>,
}

/// Runs a change in a transaction that has done nothing yet, and notes what it is about.
pub(super) fn noted<T, E: From<CoreError>>(
    rows: &mut Rows<'_>,
    write: impl FnOnce(&mut Rows<'_>) -> Result<T, E>,
    subject: impl FnOnce(&T) -> Subject,
) -> Result<T, E> {
    begin(rows)?;
    let value = write(rows)?;
    note(rows, &subject(&value))?;
    Ok(value)
}

/// Begins a change: the changes of all servers come one after the other. The first statement of a transaction.
fn begin(rows: &mut Rows<'_>) -> Result<(), CoreError> {
    // Before the transaction sees anything, so that it sees the change before: a row that two of them update would make one of
    // them run again.
    rows.execute("LOCK TABLE generation IN EXCLUSIVE MODE", ())?;
    Ok(())
}

/// Notes what a change is about, in its transaction.
fn note(rows: &mut Rows<'_>, subject: &Subject) -> Result<(), CoreError> {
    let (kind, id) = match subject {
        Subject::Project(id) => (PROJECT, id.as_str()),
        Subject::Settings => (SETTINGS, ""),
        Subject::MailServer => (MAIL_SERVER, ""),
        Subject::Approvals => (APPROVALS, ""),
        Subject::Subscriptions => (SUBSCRIPTIONS, ""),
    };
    let sql = "UPDATE generation SET value = value + 1 RETURNING value";
    let generation: i64 = rows.fetch_one(sql, (), |row| row.get(0))?;
    let sql = "INSERT INTO changes (generation, kind, id) VALUES (?1, ?2, ?3)";
    rows.execute(sql, (generation, kind, id))?;
    rows.execute("DELETE FROM changes WHERE generation <= ?1", [generation - MAX_KEPT])?;
    Ok(())
}

/// Everything.
pub(super) fn all(rows: &mut Rows<'_>) -> Result<News, CoreError> {
    Ok(News {
        generation: rows.fetch_one(GENERATION, (), |row| row.get(0))?,
        projects: Vec::new(),
        index: Some(Index::load(rows)?),
        settings: Some(Settings::load(rows)?),
        mail_server: true,
        // Whoever begins reads them after this.
        approvals: false,
        subscriptions: Some(Subscriptions::load(rows)?),
    })
}

/// What has changed since the generation `known`; everything where it is not known what.
pub(super) fn since(rows: &mut Rows<'_>, known: i64) -> Result<News, CoreError> {
    let generation: i64 = rows.fetch_one(GENERATION, (), |row| row.get(0))?;
    let sql = "SELECT count(*) FROM changes WHERE generation > ?1";
    let kept: i64 = rows.fetch_one(sql, [known], |row| row.get(0))?;
    // A generation that goes back is that of a restored database.
    if generation < known || kept != generation - known {
        return Ok(News {
            approvals: true,
            ..all(rows)?
        });
    }
    let mut news = News {
        generation,
        projects: Vec::new(),
        index: None,
        settings: None,
        mail_server: false,
        approvals: false,
        subscriptions: None,
    };
    let sql = "SELECT DISTINCT kind, id FROM changes WHERE generation > ?1";
    let changed: Vec<(String, String)> = rows.fetch_all(sql, [known], |row| Ok((row.get(0)?, row.get(1)?)))?;
    for (kind, id) in changed {
        match kind.as_str() {
            PROJECT => {
                let entry = Entry::load(rows, &id)?;
                news.projects.push((id, entry));
            }
            SETTINGS => news.settings = Some(Settings::load(rows)?),
            MAIL_SERVER => news.mail_server = true,
            APPROVALS => news.approvals = true,
            SUBSCRIPTIONS => news.subscriptions = Some(Subscriptions::load(rows)?),
            // Of a newer server beside this one: nothing that is held here.
            _ => {}
        }
    }
    Ok(news)
}
