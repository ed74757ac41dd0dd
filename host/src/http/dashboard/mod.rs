//! The prebuilt pages (SERVICE_DASHBOARD_DIR): a build is checked against its manifest at boot and then served from memory.
//!
//! There are two documents. `review.html` shows one project and frames its prototype, which may share this origin; `app.html`
//! shows everything else. Each carries a key with a scope (`identity/page_key.rs`), so full loads lie between the two. What the
//! pages show is their own business: the host knows their addresses and nothing else of them.

mod answers;
mod build;

pub use answers::{root, router};
pub use build::Dashboard;
