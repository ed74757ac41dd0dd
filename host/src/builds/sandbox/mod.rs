//! `galley build-step`: one command of a build, in a sandbox, with everything it can use up bounded.
//!
//! The program starts itself up to three times for a step, once for each [`Stage`]:
//!
//! 1. [`supervise`] stays outside. It watches the bounds, forwards the network, and ends every process of the step.
//! 2. [`enter`] makes new namespaces (skipped with [`Isolation::Rules`]).
//! 3. [`inside`] makes a root folder that holds nothing but the system's programs and the build's folder, gives up every
//!    right, and starts the command.
//!
//! Namespaces are the wall: inside, nothing outside has a name. Landlock ([`rules`]) and seccomp ([`syscalls`]) stand
//! behind it, and replace it where the kernel or a container refuses namespaces.
//!
//! Nothing here knows the server: what a step may do stands in its arguments.

mod descriptor;
mod enter;
mod groups;
mod inside;
mod limits;
mod processes;
mod proxy;
mod root;
mod rules;
mod step;
mod supervise;
mod syscalls;
mod view;

use std::process::ExitCode;

pub use groups::prepare as prepare_groups;
pub use proxy::{Upstream, is_usable as is_usable_proxy};
pub use rules::{OLDEST_LANDLOCK, SIGNAL_LANDLOCK, TCP_LANDLOCK, landlock_version};
pub use step::{CANNOT_START, Isolation, Network, Step, USED_UP};

use step::Stage;

/// Runs the command and gives its exit code, 128 and the signal's number when a signal ended it.
pub fn run(step: &Step) -> ExitCode {
    let code = match step.stage {
        Stage::Supervise => supervise::run(step),
        Stage::Enter => enter::run(step),
        Stage::Inside => inside::run(step),
    };
    code.map_or_else(
        |error| {
            eprintln!("{error:#}");
            ExitCode::from(CANNOT_START)
        },
        ExitCode::from,
    )
}
