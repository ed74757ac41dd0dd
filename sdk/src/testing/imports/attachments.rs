//! `galley:attachments`.

use crate::bindings::galley::attachments::attachments::Attachment;
use crate::error::Problem;
use crate::testing::{guard, problem, world};

fn may_manage(project: &str) -> Result<(), Problem> {
    let exists = world::with(|world| world.projects.contains_key(project));
    if !exists {
        return problem("not-found", "There is no such project");
    }
    if guard::may(project, "manage") {
        Ok(())
    } else {
        problem("denied", "The caller does not manage the project")
    }
}

pub(crate) fn get(project: &str, slot: &str) -> Result<Option<String>, Problem> {
    may_manage(project)?;
    let key = (project.to_owned(), slot.to_owned());
    Ok(world::with(|world| world.attachments.get(&key).cloned()))
}

pub(crate) fn set(project: &str, value: &str) -> Result<(), Problem> {
    may_manage(project)?;
    if value.len() > 16 << 10 {
        return problem("too-large", "The value is over 16 KiB");
    }
    world::with(|world| {
        let key = (project.to_owned(), world.slot.to_owned());
        world.attachments.insert(key, value.to_owned());
    });
    Ok(())
}

pub(crate) fn clear(project: &str) -> Result<(), Problem> {
    may_manage(project)?;
    world::with(|world| {
        let key = (project.to_owned(), world.slot.to_owned());
        world.attachments.remove(&key);
    });
    Ok(())
}

pub(crate) fn all() -> Result<Vec<Attachment>, Problem> {
    world::with(|world| {
        if !world.caller.is_system() {
            return problem("denied", "This is for system calls");
        }
        let own = world.attachments.iter().filter(|((_, slot), _)| slot == world.slot);
        let describe = |((project, _), value): (&(String, String), &String)| Attachment {
            project: project.clone(),
            value: value.clone(),
        };
        Ok(own.map(describe).collect())
    })
}
