//! Projects: who may read them, their versions and builds, what plugins attach to them, and the settings that hold for all of them.
//! The rows are in `core.db`; what every request asks for is in the memory of [`Core`](crate::core::Core), too.

mod access_list;
mod attachments;
mod builds;
mod claims;
mod lifecycle;
mod settings;
mod versions;
mod view_codes;

pub use builds::{BuildEnd, Enqueued, QueuedBuild};
pub use claims::{CLAIM_LENGTH, Course};
pub use lifecycle::{MAX_SLUG, NewProject, ProjectChange};
pub use settings::SettingsChange;
pub use versions::SiteVersion;

#[cfg(test)]
mod tests;
