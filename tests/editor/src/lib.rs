//! The harness of the Editor's black-box tests: repositories, the program, Chromium.

pub mod apps;
pub mod bench;
pub mod corpus;
pub mod editor;
pub mod folders;
mod once;
pub mod oracle;
pub mod pages;
pub mod paths;
pub mod provider;
pub mod repository;
pub mod silent_browser;
pub mod small_model;
pub mod stamping;
pub mod vendor;

pub use editor::{Build, Editor, attached};
pub use repository::Repository;
