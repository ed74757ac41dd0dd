//! The interfaces of one or two functions.

use galley_manifest::{MAX_NOTES, NoteParts, check_sender};

use crate::error::Problem;
use crate::testing::world::World;
use crate::testing::{guard, problem, world};

/// `galley:accounts`.
pub(crate) mod accounts {
    use super::*;
    use crate::accounts::Account;

    pub(crate) fn get(id: &str) -> Result<Option<Account>, Problem> {
        Ok(world::with(|world| {
            world.accounts.iter().find(|account| account.id == id).cloned()
        }))
    }

    pub(crate) fn find(email: &str) -> Result<Option<Account>, Problem> {
        let email = crate::people::email::normal(email);
        Ok(world::with(|world| {
            world.accounts.iter().find(|account| account.email == email).cloned()
        }))
    }
}

/// `galley:bells`.
pub(crate) mod bells {
    use super::*;

    pub(crate) fn ring(topic: &str) {
        world::with(|world| world.rung.push(topic.into()));
    }
}

/// `galley:blobs`.
pub(crate) mod blobs {
    use super::*;

    pub(crate) fn put(key: &str, data: &[u8]) -> Result<(), Problem> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
        let parts = key.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if key.len() > 200 || !parts || !key.chars().all(allowed) {
            return problem("bad-key", "The key is not valid");
        }
        if data.len() > 16 << 20 {
            return problem("too-large", "The blob is over 16 MiB");
        }
        world::with(|world| world.blobs.insert(key.into(), data.into()));
        Ok(())
    }

    pub(crate) fn get(key: &str, offset: u64, len: u32) -> Result<Option<Vec<u8>>, Problem> {
        Ok(world::with(|world| {
            world
                .blobs
                .get(key)
                .map(|bytes| super::slice(bytes, offset, len).to_vec())
        }))
    }

    pub(crate) fn delete(key: &str) -> Result<(), Problem> {
        world::with(|world| world.blobs.remove(key));
        Ok(())
    }
}

/// `galley:clock`.
pub(crate) mod clock {
    use super::*;

    pub(crate) fn now_ms() -> u64 {
        world::with(|world| world.now_ms)
    }

    pub(crate) fn monotonic_ns() -> u64 {
        world::with(|world| world.now_ms * 1_000_000)
    }
}

/// `galley:config`.
pub(crate) mod config {
    use super::*;

    pub(crate) fn get(key: &str) -> Option<String> {
        world::with(|world| {
            let setting = world.declared.iter().find(|setting| setting.key == key)?;
            let value = setting.value(world.configured.get(key).map(String::as_str))?;
            serde_json::to_string(&value).ok()
        })
    }

    pub(crate) fn has_secret(key: &str) -> bool {
        world::with(|world| world.secrets.contains(key))
    }
}

/// `galley:events`.
pub(crate) mod events {
    use super::*;
    use crate::events::Published;

    /// Counts events for the bounds of the call, which are the real host's.
    pub(crate) fn check(events: &[Published]) -> Result<(), Problem> {
        let topics_and_data = events.iter().map(|event| (event.topic.as_str(), event.data.as_str()));
        let added = world::with(|world| {
            let World {
                call_events, publisher, ..
            } = world;
            call_events.add(publisher, topics_and_data)
        });
        added.or_else(|error| problem(error.code, error.message))
    }

    pub(crate) fn publish(events: &[Published]) -> Result<(), Problem> {
        check(events)?;
        world::with(|world| world.published.extend_from_slice(events));
        Ok(())
    }
}

/// `galley:log`. Works outside of a host too: there the line goes to standard error.
pub(crate) mod log {
    use super::*;
    use crate::log::Level;

    pub(crate) fn write(level: Level, message: &str) {
        if world::try_with(|world| world.lines.push((level, message.into()))).is_none() {
            eprintln!("{level:?}: {message}");
        }
    }
}

/// `galley:mail`.
pub(crate) mod mail {
    use super::*;
    use crate::mail::Note;

    pub(crate) fn notify(note: &Note) -> Result<(), Problem> {
        send(note, None, &note.text)
    }

    pub(crate) fn notify_by(note: &Note, sender: &str, outline: &str) -> Result<(), Problem> {
        send(note, Some(sender), outline)
    }

    /// `outline` is what an address without an account reads in place of the text.
    fn send(note: &Note, sender: Option<&str>, outline: &str) -> Result<(), Problem> {
        let (system, prototype, instance) = world::with(|world| {
            world.call_notes += 1;
            let project = world.projects.get(&note.project);
            let instance = world.settings.get("publicUrl").and_then(|url| url.as_str());
            (
                world.caller.is_system(),
                project.map(|state| state.project.url.clone()),
                instance.unwrap_or_default().to_owned(),
            )
        });
        if world::with(|world| world.call_notes) > MAX_NOTES {
            return problem("limit", format!("One call can send at most {MAX_NOTES} notes."));
        }
        let prototype = prototype.filter(|_| system || super::projects::may(&note.project, "comment"));
        let Some(prototype) = prototype else {
            return problem("not-found", "There is no such project");
        };
        let parts = NoteParts {
            key: &note.key,
            to: &note.to,
            subject: &note.subject,
            heading: &note.heading,
            text: &note.text,
            link: &note.link,
        };
        let checked = parts.check(&[&prototype, &instance]);
        checked
            .and_then(|()| sender.map_or(Ok(()), |sender| check_sender(sender, outline)))
            .or_else(|rule| problem("invalid", rule))?;
        let mut note = note.clone();
        match super::accounts::find(&note.to)? {
            None => note.text = outline.into(),
            Some(account) if guard::account_may_read(&account, &note.project) => {}
            // They are told nothing, and neither is the plugin.
            Some(_) => return Ok(()),
        }
        world::with(|world| {
            let sent = |other: &Note| other.key == note.key && other.to == note.to;
            if !world.notes.iter().any(sent) {
                world.notes.push(note);
            }
        });
        Ok(())
    }
}

/// `galley:projects`.
pub(crate) mod projects {
    use super::*;
    use crate::projects::Project;

    pub(crate) fn get(id: &str) -> Option<Project> {
        if !may(id, "read") {
            return None;
        }
        world::with(|world| world.projects.get(id).map(|state| state.project.clone()))
    }

    pub(crate) fn may(id: &str, action: &str) -> bool {
        guard::may(id, action)
    }

    pub(crate) fn is_listed(id: &str, user_id: &str) -> bool {
        world::with(|world| {
            world
                .projects
                .get(id)
                .is_some_and(|state| state.listed.contains(user_id))
        })
    }
}

/// `galley:random`: a counter, so that a test's answers are the same each time.
pub(crate) mod random {
    use super::*;

    pub(crate) fn bytes(len: u32) -> Vec<u8> {
        (0..len.min(64 << 10)).map(|at| at as u8).collect()
    }

    pub(crate) fn id() -> String {
        world::with(|world| {
            world.made += 1;
            format!("id{:018}", world.made)
        })
    }
}

/// `galley:settings`.
pub(crate) mod settings {
    use super::*;

    pub(crate) fn get(key: &str) -> Option<String> {
        world::with(|world| world.settings.get(key).map(ToString::to_string))
    }
}

/// At most `len` bytes (bounded to 1 MiB) from `offset`.
pub(super) fn slice(bytes: &[u8], offset: u64, len: u32) -> &[u8] {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let end = start + (len.min(1 << 20) as usize).min(bytes.len() - start);
    &bytes[start..end]
}
