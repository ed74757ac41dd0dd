//! `galley:projects`: the projects that the current caller may read.

use super::contract::galley::projects::projects::{Host, Project};
use super::{Capability, State};
use crate::identity::access;

impl Host for State {
    fn get(&mut self, id: String) -> wasmtime::Result<Option<Project>> {
        if self.enter_granted(Capability::Projects)?.is_err() {
            return Ok(None);
        }
        let services = &self.slot.services;
        let Some(project) = services.core.project(&id) else {
            return Ok(None);
        };
        if !self.call.system && !access::may_read(&services.core, &self.call.caller, &project) {
            return Ok(None);
        }
        Ok(Some(Project {
            id: project.id.clone(),
            slug: project.slug.clone(),
            name: project.name.clone(),
            access: project.access.as_str().to_owned(),
            url: services.config.project_url(&project.slug),
        }))
    }

    fn may(&mut self, id: String, action: String) -> wasmtime::Result<bool> {
        if self.enter_granted(Capability::Projects)?.is_err() {
            return Ok(false);
        }
        let core = &self.slot.services.core;
        if self.call.system {
            return Ok(core.project(&id).is_some());
        }
        let caller = &self.call.caller;
        Ok(match action.as_str() {
            "read" => access::read(core, caller, &id).is_ok(),
            "comment" => access::contribute(core, caller, &id).is_ok(),
            "manage" => access::manage(core, caller, &id, true).is_ok(),
            _ => false,
        })
    }

    fn is_listed(&mut self, id: String, user_id: String) -> wasmtime::Result<bool> {
        Ok(self.enter_granted(Capability::Projects)?.is_ok() && self.slot.services.core.is_listed(&id, &user_id))
    }
}
