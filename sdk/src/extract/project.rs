//! The project of a request, and what the caller may do to it.

use std::fmt;
use std::ops::Deref;

use super::{FromRequest, Parts};
use crate::error::{Error, Result};

/// The id of the project that the route's guard resolved. The caller has the right that the guard names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ProjectId(pub String);

/// The id of a project that the caller may read and write remarks on. Only a request makes one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CommentableProject(ProjectId);

/// The id of a project that the caller may change. Only a request makes one.
///
/// ```
/// use galley_sdk::prelude::*;
/// use galley_sdk::testing::TestHost;
/// use galley_sdk::{ManagedProject, sites};
///
/// /// Only a `ManagedProject` comes as far as this.
/// fn switch(project: &ManagedProject, version: &str) -> Result<(), Problem> {
///     sites::activate(project, version)
/// }
///
/// fn activate(project: ManagedProject, Path((_, version)): Path<(String, String)>) -> Result<NoContent> {
///     switch(&project, &version)?;
///     Ok(NoContent)
/// }
///
/// let route = post("/api/v1/projects/{project}/x/demo/{version}", activate).guard(Guard::project_manage());
/// let host = TestHost::new(Plugin::new("demo", "1.0.0").route(route));
/// let project = host.project("p1").version("v1", &[("index.html", "one")]).version("v2", &[("index.html", "two")]);
/// let editor = host.editor("ed@example.com");
/// assert_eq!(host.post("/api/v1/projects/p1/x/demo/v1").as_user(&editor).send().status, 204);
/// assert!(project.versions()[0].live);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ManagedProject(ProjectId);

impl FromRequest for ProjectId {
    type Needs = ProjectId;

    fn from_request(parts: &mut Parts<'_>) -> Result<ProjectId> {
        parts
            .request
            .project()
            .map(ProjectId)
            .ok_or_else(|| Error::internal("the route's guard names no project"))
    }
}

impl Deref for ProjectId {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! proven {
    ($($name:ident)*) => {
        $(
            impl FromRequest for $name {
                type Needs = $name;

                fn from_request(parts: &mut Parts<'_>) -> Result<$name> {
                    ProjectId::from_request(parts).map($name)
                }
            }

            impl Deref for $name {
                type Target = ProjectId;

                fn deref(&self) -> &ProjectId {
                    &self.0
                }
            }

            impl From<$name> for ProjectId {
                fn from(project: $name) -> ProjectId {
                    project.0
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(f)
                }
            }
        )*
    };
}

proven! { CommentableProject ManagedProject }
