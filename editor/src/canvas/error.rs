//! Why the canvas does not do something.

use super::plan::{MAX_PLANS, MAX_SHOTS, PlanProblem};
use crate::review::ReviewError;
use crate::workspace::WorkspaceError;

/// Why something of the canvas is not done.
#[derive(Debug, thiserror::Error)]
pub enum CanvasError {
    /// The name would lead to another file.
    #[error("“{0}” cannot be the name of a plan: use letters, digits, spaces, - and _")]
    Name(String),
    /// There is no such plan.
    #[error("There is no plan “{0}”")]
    NoPlan(String),
    /// There is no such picture.
    #[error("The plan “{0}” has no such picture")]
    NoPicture(String),
    /// The file of a plan is none.
    #[error(".tool/plans/{name}.json is no plan: {problem}. Correct it there, or delete the plan")]
    Broken {
        /// Of the plan.
        name: String,
        /// What does not fit.
        problem: PlanProblem,
    },
    /// What is to be a plan is none.
    #[error("{0}. A plan has 1 to {MAX_SHOTS} pictures, each with page, width and scheme")]
    Unfit(PlanProblem),
    /// The file is another than the one that was seen.
    #[error("The plan “{0}” was changed meanwhile: read it again first")]
    Changed(String),
    /// The new name is taken.
    #[error("There is a plan “{0}” already: choose another name")]
    Exists(String),
    /// There are as many plans as there may be.
    #[error("There are {MAX_PLANS} plans already: delete one first")]
    TooMany,
    /// A plan is run.
    #[error("“{0}” is being run: wait for its end, or stop it")]
    Running(String),
    /// Pictures need the browser.
    #[error("Pictures are taken by a browser of the Editor’s own: {0}")]
    NoBrowser(ReviewError),
    /// A page gives no picture.
    #[error("There is no picture of {page}: {words}")]
    Page {
        /// Its path.
        page: String,
        /// Why not.
        words: String,
    },
    /// Its files cannot be used.
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
}
