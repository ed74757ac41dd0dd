//! `galley:logs`.

use super::small::slice;
use crate::error::Problem;
use crate::testing::{problem, world};

#[derive(Debug)]
pub(crate) struct Log {
    id: String,
}

fn check(id: &str) -> Result<(), Problem> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    match (1..=64).contains(&id.len()) && id.chars().all(allowed) {
        true => Ok(()),
        false => problem("bad-id", "The id of the log is not valid"),
    }
}

impl Log {
    pub(crate) fn open(id: &str) -> Result<Log, Problem> {
        check(id)?;
        world::with(|world| {
            world.logs.entry(id.into()).or_default();
        });
        Ok(Log { id: id.into() })
    }

    fn with<T>(&self, look: impl FnOnce(&mut (String, Option<String>)) -> T) -> T {
        world::with(|world| look(world.logs.entry(self.id.clone()).or_default()))
    }

    pub(crate) fn append(&self, more: &str) -> Result<(), Problem> {
        self.with(|(text, status)| {
            if status.is_some() {
                return problem("closed", "The log is closed");
            }
            if text.len() + more.len() > 16 << 20 {
                return problem("too-large", "The log is over 16 MiB");
            }
            text.push_str(more);
            Ok(())
        })
    }

    pub(crate) fn read(&self, offset: u64, len: u32) -> Result<String, Problem> {
        self.with(|(text, _)| {
            let bytes = slice(text.as_bytes(), offset, len);
            let whole = match std::str::from_utf8(bytes) {
                Ok(text) => text.len(),
                Err(error) => error.valid_up_to(),
            };
            Ok(String::from_utf8_lossy(&bytes[..whole]).into_owned())
        })
    }

    pub(crate) fn close(&self, end: &str) -> Result<(), Problem> {
        self.with(|(_, status)| {
            status.get_or_insert_with(|| end.into());
        });
        Ok(())
    }
}

pub(crate) fn remove(id: &str) -> Result<(), Problem> {
    check(id)?;
    world::with(|world| world.logs.remove(id));
    Ok(())
}
