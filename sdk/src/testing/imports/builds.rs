//! `galley:builds`: a queue whose builds end when a test says so.

use galley_manifest::{BuildRequest, check_reason};

use super::files::Tree;
use super::small::projects::may;
use crate::builds::{Conditions, Request};
use crate::error::Problem;
use crate::testing::problem;
use crate::testing::world::{self, Build, BuildState};

pub(crate) fn enqueue(request: &Request) -> Result<(), Problem> {
    let none = Conditions {
        repository_id: None,
        only_newest: false,
    };
    enqueue_with(request, none)
}

pub(crate) fn enqueue_with(request: &Request, conditions: Conditions) -> Result<(), Problem> {
    let busy = running(&request.project)?;
    if !world::with(|world| world.projects.contains_key(&request.project)) {
        return problem("not-found", "There is no such project");
    }
    if !may(&request.project, "manage") {
        return problem("denied", "The caller may not manage the project");
    }
    let parts = BuildRequest {
        id: &request.id,
        owner: &request.source.owner,
        name: &request.source.name,
        branch: &request.source.branch,
        commit: request.source.commit.as_deref(),
        install_command: &request.install_command,
        build_command: &request.build_command,
        output_dir: &request.output_dir,
    };
    parts.check().or_else(|reason| problem("bad-request", reason))?;
    if let Some(running) = busy {
        return problem("running", running);
    }
    world::with(|world| {
        if world.builds.iter().any(|build| build.request.id == request.id) {
            return problem("exists", "There was a build of this id");
        }
        world.logs.entry(request.id.clone()).or_default();
        world.builds.push(Build {
            request: request.clone(),
            conditions,
            state: BuildState::Running,
        });
        Ok(())
    })
}

/// Ends the build at once. A test delivers `build-finished` itself.
pub(crate) fn cancel(id: &str, reason: &str) -> Result<bool, Problem> {
    check_reason(reason).or_else(|rule| problem("bad-request", rule))?;
    let is_running = |build: &&mut Build| build.request.id == id && matches!(build.state, BuildState::Running);
    let project = world::with(|world| {
        let build = world.builds.iter_mut().find(is_running);
        build.map(|build| build.request.project.clone())
    });
    let Some(project) = project else { return Ok(false) };
    if !may(&project, "manage") {
        return problem("denied", "The caller may not manage the project");
    }
    world::with(|world| {
        if let Some(build) = world.builds.iter_mut().find(is_running) {
            build.state = BuildState::Ended(None);
        }
        world.logs.entry(id.to_owned()).or_default().0 += &format!("{reason}\n");
        Ok(true)
    })
}

pub(crate) fn running(project: &str) -> Result<Option<String>, Problem> {
    world::with(|world| {
        if !world.builds_configured {
            return problem("unconfigured", "The server has no code-host app");
        }
        let running = |build: &&Build| build.request.project == project && matches!(build.state, BuildState::Running);
        Ok(world.builds.iter().find(running).map(|build| build.request.id.clone()))
    })
}

pub(crate) fn state(id: &str) -> Result<Option<String>, Problem> {
    world::with(|world| {
        let build = world.builds.iter().find(|build| build.request.id == id);
        let state = build.map(|build| match build.state {
            BuildState::Running => "running",
            BuildState::Ended(_) => "ended",
        });
        Ok(state.map(str::to_owned))
    })
}

pub(crate) fn take_tree(id: &str) -> Result<Tree, Problem> {
    world::with(|world| {
        let build = world.builds.iter_mut().find(|build| build.request.id == id);
        match build.and_then(|build| build.state.take_output()) {
            Some(files) => Ok(Tree::new(files)),
            None => problem("gone", "The output of the build is not there (any more)"),
        }
    })
}

pub(crate) fn forget(id: &str) -> Result<(), Problem> {
    world::with(|world| {
        world
            .builds
            .retain(|build| build.request.id != id || matches!(build.state, BuildState::Running));
    });
    Ok(())
}
