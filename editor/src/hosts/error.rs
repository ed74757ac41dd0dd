//! Why a dev server could not be started. Each text says what to do; the Editor ends with 1.

use std::path::PathBuf;

use super::HostKind;

/// What keeps the Editor from starting.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StartError {
    /// The prototype's packages are not installed, or its configuration asks for one that is not there.
    #[error(
        "Cannot find module '{name}' from {}: the prototype's dependencies are not installed. Run `{install}` in {}, then start the Editor again.",
        .from.display(),
        .root.display()
    )]
    MissingModule {
        /// The package that was asked for.
        name: String,
        /// The file that asks for it.
        from: PathBuf,
        /// Where to install.
        root: PathBuf,
        /// What installs, as `npm install`.
        install: &'static str,
    },
    /// The Editor does not start this dev server; the text tells how to attach to it.
    #[error("{0}")]
    AttachNeeded(String),
    /// `--host-port` names a port in use.
    #[error(
        "Port {0} is taken, so the dev server cannot listen on it (--host-port {0}). End what listens there, or leave --host-port out: then a free port is taken."
    )]
    PortTaken(u16),
    /// Node is not there.
    #[error(
        "Cannot start {kind}: `node` was not found ({error}). Install Node.js 20 or newer, and see that `node` is on the PATH."
    )]
    NoNode {
        /// What was to be started.
        kind: HostKind,
        /// What the system said.
        error: String,
    },
    /// The shim could not be written.
    #[error("Cannot write the files that run inside the dev server to {}: {error}", .folder.display())]
    Shims {
        /// Where to.
        folder: PathBuf,
        /// What the system said.
        error: String,
    },
}
