//! What a plugin says of itself (its manifest), the checks of it, the rule of who may call its routes, and what it may
//! ask of the server and publish, as far as that can be said without a server.
//!
//! The server and the SDK use the same types: a plugin's builder writes them, the server reads them. The rule of the
//! guards is one function, [`Guard::decide`]: the server and the SDK's test harness gather facts about a caller and a
//! project, and both ask it. The shape of the JSON is documented in `wit/README.md`.
//!
//! Texts have the type `S`: a plugin holds literals (`&'static str`), the server what it read (`String`).
//!
//! ```
//! use galley_manifest::{Access, CallerFacts, Guard, ProjectFacts};
//!
//! let project = ProjectFacts {
//!     access: Access::PublicLink,
//!     is_listed: false,
//!     public_links: true,
//!     anonymous_comments: false,
//! };
//! let guard = Guard::project_comment().message("Sign in to comment on this project");
//! let refusal = guard.decide(&CallerFacts::anonymous(), Some(&project)).unwrap_err();
//! assert_eq!((refusal.status, refusal.message.as_ref()), (403, "Sign in to comment on this project"));
//! ```

mod build;
mod decide;
mod engine;
mod error;
mod events;
mod facts;
mod guard;
mod headers;
mod hosts;
mod jobs;
mod manifest;
mod note;
mod outbound;
mod route;
mod schema;
mod settings;
mod ui;

pub use build::{BuildRequest, check_reason, is_commit, is_id};
pub use decide::Refusal;
pub use engine::Engine;
pub use error::ManifestError;
pub use events::{CallEvents, EventError, HOST_TOPICS, MAX_EVENT_BYTES, MAX_EVENTS, MAX_EVENTS_BYTES, Publisher};
pub use facts::{Access, CallerFacts, CallerKind, ProjectFacts, Role};
pub use guard::{Guard, GuardKind, ProjectSource};
pub use headers::{is_event_data, may_read_header};
pub use hosts::{HostRule, may_send_header};
pub use jobs::{Job, MAX_JOBS};
pub use manifest::{MAX_MANIFEST_BYTES, Manifest, Publication};
pub use note::{MAX_NOTES, NoteParts, check_sender};
pub use outbound::{OutboundRequest, check_together, is_request_path};
pub use route::{BodyKind, BodyLimits, Method, RateLimit, Route, StreamLimits, parameters};
pub use schema::{Adoption, Migration, Schema, Statements, is_name};
pub use settings::{MAX_KEY_BYTES, MAX_SETTINGS, Setting, SettingKind, SettingValue, is_key};
pub use ui::{UiPart, UiPlace, is_asset_path};
