//! The dev server: starting one, or attaching to one that runs.
//!
//! [`start`] finds out which dev server a prototype uses ([`detect`]), starts it with the prototype's own packages and a
//! shim that asks the Editor to stamp each source file ([`shims`]), and watches over it: its output, its end, its restart.
//! Nothing of the prototype is changed or configured for this. What cannot be started is attached to: [`StartError`] says
//! how, with the exact block to paste.
//!
//! What a caller does, in this order:
//! 1. have the stamp endpoint listening,
//! 2. [`start`] the host, and [`crate::proxy::serve`] with [`Host::upstream`],
//! 3. wait for [`Host::booted`]: a missing module of the prototype ends the Editor with 1, everything else is shown,
//! 4. run [`smoke::check`],
//! 5. at the end: [`Host::stop`]. Whatever else happens to the Editor, the dev server ends with it.

mod attach;
mod attached;
pub mod detect;
mod early;
mod error;
mod host;
mod launch;
mod log;
mod packages;
mod process;
mod shims;
pub mod smoke;
mod status;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

pub use detect::{Found, HostKind, detect};
pub use early::Early;
pub use error::StartError;
pub use host::{Host, Restarter, start};
pub use status::{State, Status};
use url::Url;

/// What [`start`] needs to know.
#[derive(Debug, Clone)]
pub struct Options {
    /// The prototype's root, absolute.
    pub root: PathBuf,
    /// The `hosts` block of the configuration.
    pub enabled: Enabled,
    /// `--attach`: a dev server that somebody else started. Then none is started.
    pub attach: Option<Url>,
    /// `--host-port`: the port of the dev server; `None` takes a free one.
    pub port: Option<u16>,
    /// Where the shim has files stamped.
    pub stamping: Stamping,
}

/// Which dev servers the Editor starts itself: the `hosts` block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the block has one switch per dev server")]
pub struct Enabled {
    /// `vite`
    pub vite: bool,
    /// `nuxt`
    pub nuxt: bool,
    /// `react-router`
    pub react_router: bool,
    /// `next`
    pub next: bool,
    /// `astro`
    pub astro: bool,
}

/// The endpoint that stamps, and what opens it.
#[derive(Debug, Clone)]
pub struct Stamping {
    /// Its whole address, as `http://127.0.0.1:4400/__stamp`.
    pub endpoint: String,
    /// The run's secret, for the header `x-galley-token`.
    pub token: String,
}

impl Default for Enabled {
    /// Everything but Astro: markup in its own page files can only be looked at.
    fn default() -> Enabled {
        Enabled {
            vite: true,
            nuxt: true,
            react_router: true,
            next: true,
            astro: false,
        }
    }
}

impl Enabled {
    /// Whether the Editor starts this kind of dev server.
    #[must_use]
    pub fn allows(self, kind: HostKind) -> bool {
        match kind {
            HostKind::Vite => self.vite,
            HostKind::Nuxt => self.nuxt,
            HostKind::ReactRouter => self.react_router,
            HostKind::Next => self.next,
            HostKind::Astro => self.astro,
        }
    }
}
