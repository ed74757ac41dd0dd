//! `galley:attachments`.

use crate::error::Problem;
use crate::testing::{problem, world};

pub(crate) fn get(project: &str, slot: &str) -> Result<Option<String>, Problem> {
    world::with(|world| {
        if !world.projects.contains_key(project) {
            return problem("not-found", "There is no such project");
        }
        Ok(world.attachments.get(&(project.to_owned(), slot.to_owned())).cloned())
    })
}
