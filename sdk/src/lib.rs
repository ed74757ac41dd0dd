//! The library that Galley plugins are written with.
//!
//! A plugin is one function that builds a [`Plugin`]: routes with their guards and handlers, the schema of its own
//! database, the events it subscribes to. Handlers are plain functions whose arguments are taken from the request:
//!
//! ```
//! use galley_sdk::prelude::*;
//! use galley_sdk::testing::TestHost;
//! use serde::{Deserialize, Serialize};
//! use serde_json::json;
//!
//! #[derive(Serialize, Deserialize)]
//! struct Note {
//!     text: String,
//! }
//!
//! fn list(project: ProjectId) -> Result<Json<Vec<Note>>> {
//!     let rows = sql::query("SELECT text FROM notes WHERE project_id = ?1", params![project])?;
//!     Ok(Json(rows.map(|row| Ok(Note { text: row.take()? })).collect::<Result<_, _>>()?))
//! }
//!
//! fn add(project: ProjectId, Json(note): Json<Note>) -> Result<(Status, Json<Note>)> {
//!     sql::execute("INSERT INTO notes (project_id, text) VALUES (?1, ?2)", params![project, note.text.as_str()])?;
//!     Ok((Status::CREATED, Json(note)))
//! }
//!
//! fn plugin() -> Plugin {
//!     Plugin::new("notes", env!("CARGO_PKG_VERSION"))
//!         .migration(1, "CREATE TABLE notes (project_id TEXT NOT NULL, text TEXT NOT NULL)")
//!         .route(get("/api/v1/projects/{project}/notes", list).guard(Guard::project_read()))
//!         .route(post("/api/v1/projects/{project}/notes", add).guard(Guard::project_comment()))
//! }
//!
//! galley_sdk::export!(plugin);
//!
//! // In a test, the same handlers run natively against an in-memory host:
//! let host = TestHost::new(plugin());
//! host.project("p1");
//! let ann = host.account("ann@example.com");
//! let answer = host.post("/api/v1/projects/p1/notes").as_user(&ann).json(json!({ "text": "Hello" })).send();
//! assert_eq!(answer.status, 201);
//! let answer = host.post("/api/v1/projects/p1/notes").as_user(&ann).json(json!({ "text": 5 })).send();
//! assert_eq!((answer.status, answer.error()), (400, "`text` must be a string".into()));
//! ```
//!
//! # What a plugin may do
//! One module for each capability of the host: [`sql`], [`files`], [`sites`], [`blobs`], [`logs`], [`bells`], [`events`],
//! [`builds`], [`mail`], [`outbound`], [`projects`], [`attachments`], [`accounts`], [`settings`], [`config`], [`administration`],
//! [`log`](mod@log), [`clock`], [`random`]. A component imports exactly the
//! functions its code reaches, and its imports are the permissions an operator approves.
//!
//! # What it cannot
//! A component has no files, sockets, threads, environment, and no clock of the standard library. The standard
//! [`HashMap`](std::collections::HashMap) has predictable hashes there: use the one of [`hash`].

pub mod accounts;
pub mod administration;
pub mod attachments;
pub mod bells;
#[doc(hidden)]
pub mod bindings;
pub mod blobs;
pub mod builds;
pub mod caller;
pub mod clock;
pub mod config;
#[cfg(target_arch = "wasm32")]
mod current;
pub mod error;
pub mod events;
pub mod extract;
pub mod files;
pub mod guard;
#[doc(hidden)]
#[cfg(target_arch = "wasm32")]
pub mod guest;
pub mod handler;
pub mod hash;
mod host;
pub mod json;
pub mod log;
pub mod logs;
pub mod mail;
pub mod outbound;
pub mod plugin;
pub mod projects;
pub mod random;
pub mod response;
pub mod route;
pub mod settings;
pub mod sites;
pub mod sql;
pub mod tail;
#[cfg(not(target_arch = "wasm32"))]
pub mod testing;
pub mod ui;

/// Addresses and names of people, by the host's own rules.
pub use galley_people as people;

pub use caller::Caller;
pub use error::{Error, Problem, Result};
pub use extract::{
    Administrator, Bytes, CommentableProject, FromRequest, Json, ManagedProject, Path, ProjectId, Query, Request,
    Upload,
};
pub use guard::Guard;
pub use plugin::Plugin;
pub use response::{IntoResponse, NoContent, Response, Status};
pub use route::{Method, Route, delete, get, patch, post, put};
pub use tail::Tail;
pub use ui::Ui;

/// What most plugins use.
pub mod prelude {
    pub use crate::events::Event;
    pub use crate::{
        Administrator, Caller, CommentableProject, Error, Guard, IntoResponse, Json, ManagedProject, NoContent, Path,
        Plugin, Problem, ProjectId, Query, Response, Result, Status, Tail, Ui, Upload, delete, get, params, patch,
        post, put, sql, tail,
    };
}

/// Defines the component's exports, from a function that builds the [`Plugin`], and a test of the plugin's [`sql!`] statements.
/// Called once, in a plugin's `lib.rs`.
#[macro_export]
macro_rules! export {
    ($plugin:ident) => {
        const _: () = {
            #[cfg(target_arch = "wasm32")]
            mod component {
                use $crate::bindings::exports::galley::plugin::{handler, jobs, lifecycle, subscriber, ui};
                use $crate::bindings::galley::{errors::errors::Problem, events, http};

                struct Component;

                impl handler::Guest for Component {
                    fn describe() -> Vec<u8> {
                        $crate::guest::describe(super::$plugin)
                    }

                    fn handle(request: &http::types::Request) -> http::types::Response {
                        $crate::guest::handle(super::$plugin, request)
                    }
                }

                impl subscriber::Guest for Component {
                    fn receive(delivery: &events::types::Delivery) -> Result<(), Problem> {
                        $crate::guest::receive(super::$plugin, delivery)
                    }
                }

                impl lifecycle::Guest for Component {
                    fn start() -> Result<(), Problem> {
                        $crate::guest::start(super::$plugin)
                    }
                }

                impl jobs::Guest for Component {
                    fn run(job: &$crate::bindings::galley::jobs::types::Job) -> Result<(), Problem> {
                        $crate::guest::run_job(super::$plugin, job)
                    }
                }

                impl ui::Guest for Component {
                    fn assets() -> ::std::vec::Vec<::std::string::String> {
                        $crate::guest::assets(super::$plugin)
                    }

                    fn asset(path: ::std::string::String) -> ::core::option::Option<::std::vec::Vec<u8>> {
                        $crate::guest::asset(super::$plugin, &path)
                    }
                }

                $crate::bindings::export!(Component);
            }

            // The bindings work in a component only; natively the tests call the function itself.
            #[cfg(not(target_arch = "wasm32"))]
            const _: fn() -> $crate::Plugin = $plugin;
        };

        #[cfg(test)]
        mod galley_statements {
            #[test]
            fn fit_the_migrations() {
                let here = ::core::module_path!();
                let plugin = here.rsplit_once("::").map_or(here, |(module, _)| module);
                $crate::testing::check_statements(super::$plugin, plugin);
            }
        }
    };
}
