//! Why the program ends with another exit code than 0.

use std::fmt::Display;

use super::port::PortError;
use crate::config::Stop;
use crate::gate::Refused;
use crate::hosts::StartError;
use crate::workspace::WorkspaceError;

/// Words for standard error, and the exit code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub words: String,
    pub exit_code: u8,
}

impl Failure {
    /// A failure with the exit code 1.
    pub fn new(words: impl Display) -> Failure {
        Failure {
            words: words.to_string(),
            exit_code: 1,
        }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        Failure {
            words: refused.to_string(),
            exit_code: refused.exit_code(),
        }
    }
}

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        Failure::new(format_args!("The Editor cannot start: {stop}"))
    }
}

impl From<PortError> for Failure {
    fn from(error: PortError) -> Failure {
        Failure::new(error)
    }
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Failure {
        Failure::new(error)
    }
}

impl From<WorkspaceError> for Failure {
    fn from(error: WorkspaceError) -> Failure {
        Failure::new(error)
    }
}
