//! `galley:attachments`: the values that plugins attach to projects.

use super::contract::galley::attachments::attachments::{Attachment, Host};
use super::state::granted;
use super::{Problem, State, problem, unexpected};
use crate::core::CoreError;

/// The longest value, in bytes.
const MAX_VALUE: usize = 16 << 10;

impl State {
    async fn attach(&mut self, project: &str, value: Option<serde_json::Value>) -> Result<(), Problem> {
        self.may_manage(project)?;
        let core = &self.slot.services.core;
        core.attach(project, &self.slot.name, value)
            .await
            .map_err(|error| match error {
                CoreError::NotFound => problem("not-found", "There is no such project."),
                error => unexpected("a value could not be attached to a project", &error),
            })
    }
}

impl Host for State {
    async fn get(&mut self, project: String, slot: String) -> wasmtime::Result<Result<Option<String>, Problem>> {
        granted!(self, Attachments);
        if let Err(refused) = self.may_manage(&project) {
            return Ok(Err(refused));
        }
        let value = self.slot.services.core.attachment(&project, &slot);
        Ok(Ok(value.map(|value| value.to_string())))
    }

    async fn set(&mut self, project: String, value: String) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Attachments);
        if value.len() > MAX_VALUE {
            let message = format!("An attachment has at most {MAX_VALUE} bytes.");
            return Ok(Err(problem("too-large", message)));
        }
        match serde_json::from_str(&value) {
            Ok(value) => Ok(self.attach(&project, Some(value)).await),
            Err(_) => Ok(Err(problem("bad-json", "An attachment is one JSON value."))),
        }
    }

    async fn clear(&mut self, project: String) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Attachments);
        Ok(self.attach(&project, None).await)
    }

    async fn all(&mut self) -> wasmtime::Result<Result<Vec<Attachment>, Problem>> {
        granted!(self, Attachments);
        if !self.call.system {
            let message = "What is attached to all projects is for calls of the server itself.";
            return Ok(Err(problem("denied", message)));
        }
        let all = self.slot.services.core.attachments_of(&self.slot.name);
        let describe = |(project, value): (String, std::sync::Arc<serde_json::Value>)| Attachment {
            project,
            value: value.to_string(),
        };
        Ok(Ok(all.into_iter().map(describe).collect()))
    }
}
