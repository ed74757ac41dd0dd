//! The canvas: pictures of the prototype's pages in several widths and schemes, and plans of them that are run again after edits.
//!
//! A plan is a file of the user's, `.tool/plans/<name>.json`; what its runs gave is kept below `.tool/pictures/<name>`
//! ([`Store`]). [`Canvas`] takes the pictures and runs one plan at a time.

mod compare;
mod error;
mod picture;
mod plan;
mod record;
mod runs;
mod shot;
mod store;

pub use compare::{Area, Difference};
pub use error::CanvasError;
pub use plan::{MAX_PLANS, MAX_SHOTS, Plan, PlanProblem};
pub use record::{Kept, PictureName, Record, ShotRecord};
pub use runs::{Canvas, Progress, Stage, Tell};
pub use shot::{MAX_WIDTH, MIN_WIDTH, PagePath, Shot, Width};
pub use store::{Listed, Stored};
