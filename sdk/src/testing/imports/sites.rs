//! `galley:sites`.

use super::files::Tree;
use super::small::projects::may;
use crate::error::Problem;
use crate::sites::Version;
use crate::testing::problem;
use crate::testing::world::{self, ProjectState};

/// `galley:sites/versions`.
pub(crate) mod versions {
    use super::{Problem, Version, look};

    pub(crate) fn all(project: &str) -> Result<Vec<Version>, Problem> {
        look(project, |state| Ok(state.versions()))
    }

    pub(crate) fn live(project: &str) -> Result<Option<String>, Problem> {
        look(project, |state| Ok(state.live.clone()))
    }
}

/// `galley:sites/publishing`.
pub(crate) mod publishing {
    use super::{Problem, Tree, change, problem};

    pub(crate) fn publish(tree: &Tree, project: &str, version: &str) -> Result<(), Problem> {
        change(project, |state| {
            state.check_new(version)?;
            match tree.files.take() {
                Some(files) => state.store(version, files),
                None => problem("gone", "The tree was published before"),
            }
        })
    }

    pub(crate) fn activate(project: &str, version: &str) -> Result<(), Problem> {
        change(project, |state| {
            if !state.versions.iter().any(|(id, _)| id == version) {
                return problem("not-found", "The project has no such version");
            }
            state.live = Some(version.into());
            Ok(())
        })
    }

    pub(crate) fn remove(project: &str, version: &str) -> Result<(), Problem> {
        change(project, |state| {
            if state.live.as_deref() == Some(version) {
                return problem("live", "The version is live");
            }
            state.versions.retain(|(id, _)| id != version);
            Ok(())
        })
    }
}

fn look<T>(project: &str, look: impl FnOnce(&mut ProjectState) -> Result<T, Problem>) -> Result<T, Problem> {
    world::with(|world| match world.projects.get_mut(project) {
        Some(state) => look(state),
        None => problem("not-found", "There is no such project"),
    })
}

fn change<T>(project: &str, change: impl FnOnce(&mut ProjectState) -> Result<T, Problem>) -> Result<T, Problem> {
    let exists = world::with(|world| world.projects.contains_key(project));
    if exists && !may(project, "manage") {
        return problem("denied", "The caller may not manage the project");
    }
    look(project, change)
}
