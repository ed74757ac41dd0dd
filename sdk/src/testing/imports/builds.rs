//! `galley:builds`: a queue whose builds end when a test says so.

use super::sites::Tree;
use super::small::projects::may;
use crate::builds::Request;
use crate::error::Problem;
use crate::testing::problem;
use crate::testing::world::{self, Build, BuildState};

pub(crate) fn enqueue(request: &Request) -> Result<(), Problem> {
    let exists = world::with(|world| world.projects.contains_key(&request.project));
    if let Some(running) = running(&request.project)? {
        return problem("running", running);
    }
    if !exists {
        return problem("not-found", "There is no such project");
    }
    if !may(&request.project, "manage") {
        return problem("denied", "The caller may not manage the project");
    }
    world::with(|world| {
        if world.builds.iter().any(|build| build.request.id == request.id) {
            return problem("exists", "There was a build of this id");
        }
        world.logs.entry(request.id.clone()).or_default();
        world.builds.push(Build {
            request: request.clone(),
            state: BuildState::Running,
        });
        Ok(())
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
