//! `galley:builds`: queues builds and takes their output. A slot sees its own builds only.

use galley_manifest::{BuildRequest, check_reason};
use wasmtime::component::Resource;

use super::contract::galley::builds::builds::{Conditions, Host, Request};
use super::handles::TreeHandle;
use super::objects::TreeEntry;
use super::problem::of_files;
use super::state::{granted, or_problem};
use super::{Problem, State, problem, unexpected};
use crate::builds::{self, TreeError};
use crate::core::CoreError;
use crate::projects::Enqueued;

fn unconfigured() -> Problem {
    problem(
        "unconfigured",
        "The server has no code-host app whose repositories it could build.",
    )
}

fn describe(error: CoreError) -> Problem {
    match error {
        CoreError::NotFound => problem("not-found", "There is no such project."),
        error => unexpected("the build queue failed", &error),
    }
}

fn parts(request: &Request) -> BuildRequest<'_> {
    BuildRequest {
        id: &request.id,
        owner: &request.source.owner,
        name: &request.source.name,
        branch: &request.source.branch,
        commit: request.source.commit.as_deref(),
        install_command: &request.install_command,
        build_command: &request.build_command,
        output_dir: &request.output_dir,
    }
}

fn from_guest(request: Request, conditions: &Conditions) -> builds::Request {
    builds::Request {
        source: builds::Source {
            installation_id: request.source.installation_id,
            owner: request.source.owner,
            name: request.source.name,
            branch: request.source.branch,
            commit: request.source.commit,
            repository_id: conditions.repository_id,
            only_newest: conditions.only_newest,
        },
        install_command: request.install_command,
        build_command: request.build_command,
        output_dir: request.output_dir,
    }
}

impl Host for State {
    async fn enqueue(&mut self, request: Request) -> wasmtime::Result<Result<(), Problem>> {
        let none = Conditions {
            repository_id: None,
            only_newest: false,
        };
        self.enqueue_with(request, none).await
    }

    async fn enqueue_with(
        &mut self,
        request: Request,
        conditions: Conditions,
    ) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Builds);
        if !self.slot.services.builds.is_configured() {
            return Ok(Err(unconfigured()));
        }
        let (id, project) = (request.id.clone(), request.project.clone());
        or_problem!(self.may_manage(&project));
        if let Err(reason) = parts(&request).check() {
            return Ok(Err(problem("bad-request", reason)));
        }
        let request = from_guest(request, &conditions);
        let builds = self.slot.services.builds.clone();
        Ok(match builds.enqueue(&self.slot.name, &id, &project, &request).await {
            Ok(Enqueued::Queued) => Ok(()),
            Ok(Enqueued::Running(id)) => Err(problem("running", id)),
            Ok(Enqueued::Known) => Err(problem("exists", "There was a build of this id.")),
            Err(error) => Err(describe(error)),
        })
    }

    async fn cancel(&mut self, id: String, reason: String) -> wasmtime::Result<Result<bool, Problem>> {
        granted!(self, Builds);
        if let Err(rule) = check_reason(&reason) {
            return Ok(Err(problem("bad-request", rule)));
        }
        let (services, slot) = (self.slot.services.clone(), self.slot.name.clone());
        let Some(project) = or_problem!(services.core.build_project(&slot, &id).await.map_err(describe)) else {
            return Ok(Ok(false));
        };
        or_problem!(self.may_manage(&project));
        Ok(services.builds.cancel(&slot, &id, &reason).await.map_err(describe))
    }

    async fn running(&mut self, project: String) -> wasmtime::Result<Result<Option<String>, Problem>> {
        granted!(self, Builds);
        let services = &self.slot.services;
        if !services.builds.is_configured() {
            return Ok(Err(unconfigured()));
        }
        Ok(services.core.running_build(&project).await.map_err(describe))
    }

    async fn state(&mut self, id: String) -> wasmtime::Result<Result<Option<String>, Problem>> {
        granted!(self, Builds);
        let state = self.slot.services.core.build_state(&self.slot.name, &id).await;
        Ok(state.map_err(describe))
    }

    async fn take_tree(&mut self, id: String) -> wasmtime::Result<Result<Resource<TreeHandle>, Problem>> {
        granted!(self, Builds);
        let (builds, slot) = (self.slot.services.builds.clone(), self.slot.name.clone());
        let taken = match builds.take_tree(&slot, &id).await {
            Ok(taken) => taken,
            Err(TreeError::Core(error)) => return Ok(Err(describe(error))),
            Err(TreeError::Store(error)) => return Ok(Err(of_files("output could not be taken", &error))),
        };
        let Some(tree) = taken else {
            return Ok(Err(problem("gone", "The output of the build is not there (any more).")));
        };
        let (published, own_slot, own_id) = (builds.clone(), slot.clone(), id.clone());
        let entry = TreeEntry::lent(tree, move |tree| builds.give_back(&slot, &id, tree), async move {
            published.spend_tree(&own_slot, &own_id).await
        });
        Ok(Ok(self.handles.insert(entry)?))
    }

    async fn forget(&mut self, id: String) -> wasmtime::Result<Result<(), Problem>> {
        granted!(self, Builds);
        let builds = self.slot.services.builds.clone();
        Ok(builds.forget(&self.slot.name, &id).await.map_err(describe))
    }
}
