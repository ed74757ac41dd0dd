//! Which compiler makes the modules of plugins, decided over facts that `probe` collected.
//!
//! Two ways lead to WebAssembly. `rustup target add wasm32-unknown-unknown` is all that a usual machine needs. Where
//! rustup cannot download, Debian's `rustc-web` and `rust-web-src` bring a matched compiler and library source, from
//! which cargo builds the standard library itself. The two keep separate target folders: their outputs never mix.

mod probe;

use std::path::PathBuf;

use anyhow::{Result, bail};

pub use probe::ensure;

/// Installs packages of Debian.
pub type Install<'a> = &'a dyn Fn(&[&str]) -> Result<()>;

/// Who looks for a compiler.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// The program that looks, in front of each of its lines.
    pub program: &'a str,
    /// Nothing where it is not for this program to install any.
    pub install: Option<Install<'a>>,
}

/// The target of every module.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Debian's packages of a matched compiler and library source.
pub const DEBIAN_PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];

/// One of the two ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The own compiler with its prebuilt standard library for the target (usually through rustup).
    Rustup,
    /// Debian's compiler, building the standard library from Debian's source.
    Debian,
}

impl Way {
    /// The name in folders, stamps and `GALLEY_WASM_TOOLCHAIN`.
    pub fn name(self) -> &'static str {
        match self {
            Way::Rustup => "rustup",
            Way::Debian => "debian",
        }
    }

    /// The way `GALLEY_WASM_TOOLCHAIN` asks for; nothing when it is unset or empty.
    pub fn forced(value: Option<&str>) -> Result<Option<Self>> {
        match value {
            None | Some("") => Ok(None),
            Some("rustup") => Ok(Some(Way::Rustup)),
            Some("debian") => Ok(Some(Way::Debian)),
            Some(other) => bail!("GALLEY_WASM_TOOLCHAIN is `{other}`: it must be `rustup` or `debian`"),
        }
    }
}

/// A compiler that can make modules.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// Where its library comes from.
    pub way: Way,
    /// The program to set as `RUSTC`; nothing for cargo's own choice.
    pub rustc: Option<PathBuf>,
    /// What `rustc -vV` says: part of every stamp.
    pub version: String,
    /// The commit the compiler was made from, as it stands in the paths of the prebuilt library.
    pub commit: String,
    /// Folders of the library's source, which must not show in a module.
    pub library_sources: Vec<PathBuf>,
    /// The linker, where the compiler does not bring one.
    pub linker: Option<PathBuf>,
}

impl Toolchain {
    /// The name of the folder below `target/` that belongs to this toolchain alone.
    pub fn target_folder(&self) -> String {
        format!("guests-{}", self.way.name())
    }

    /// Says in one line what builds the modules; `program` is who says it.
    pub fn announce(&self, program: &str) {
        let release = self.version.lines().next().unwrap_or_default();
        let folder = self.target_folder();
        match self.way {
            Way::Rustup => eprintln!("{program}: plugins: {release} with its {TARGET} library, in target/{folder}"),
            Way::Debian => {
                eprintln!("{program}: plugins: Debian's {release} with its library source, in target/{folder}")
            }
        }
    }
}

/// What is true of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// The own compiler has a standard library for the target on disk.
    pub own_library: bool,
    /// There is a `rustup` to ask for one.
    pub rustup: bool,
    /// `rustup target add` was tried in this run and did not help.
    pub rustup_failed: bool,
    /// Debian's compiler and its source are installed, match, and are new enough.
    pub debian: bool,
    /// The own toolchain has a `rust-lld` to lend to Debian's compiler.
    pub linker: bool,
    /// This process may install Debian packages.
    pub apt: bool,
    /// `apt-get` was tried in this run and did not help.
    pub apt_failed: bool,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Build with this.
    Use(Way),
    /// Run `rustup target add`, then look again.
    AddTarget,
    /// Install Debian's packages, then look again.
    InstallPackages,
    /// Nothing helps: the line for the user.
    GiveUp(String),
}

/// What is on disk wins over what would have to be fetched, and a small download over a large one.
pub fn decide(facts: Facts, forced: Option<Way>) -> Decision {
    let may = |way| forced.is_none_or(|wish| wish == way);
    if may(Way::Rustup) && facts.own_library {
        return Decision::Use(Way::Rustup);
    }
    if may(Way::Debian) && facts.debian && facts.linker {
        return Decision::Use(Way::Debian);
    }
    if may(Way::Rustup) && facts.rustup && !facts.rustup_failed {
        return Decision::AddTarget;
    }
    if may(Way::Debian) && !facts.debian && facts.linker && facts.apt && !facts.apt_failed {
        return Decision::InstallPackages;
    }
    Decision::GiveUp(remedy(facts, forced))
}

fn remedy(facts: Facts, forced: Option<Way>) -> String {
    let add = format!("run `rustup target add {TARGET}`");
    let install = format!(
        "install Debian's packages as root: `apt-get install {}`",
        DEBIAN_PACKAGES.join(" ")
    );
    let what = match forced {
        Some(Way::Rustup) => add,
        Some(Way::Debian) if !facts.linker => {
            "install Rust through rustup: its toolchain brings the linker rust-lld".to_owned()
        }
        Some(Way::Debian) => install,
        None if facts.linker => format!("{add}, or {install}"),
        None => add,
    };
    format!("no Rust compiler for {TARGET}, which plugins need: {what}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const BARE: Facts = Facts {
        own_library: false,
        rustup: true,
        rustup_failed: false,
        debian: false,
        linker: true,
        apt: true,
        apt_failed: false,
    };

    #[test]
    fn what_is_there_is_used_without_fetching() {
        assert_eq!(
            decide(
                Facts {
                    own_library: true,
                    debian: true,
                    ..BARE
                },
                None
            ),
            Decision::Use(Way::Rustup)
        );
        assert_eq!(decide(Facts { debian: true, ..BARE }, None), Decision::Use(Way::Debian));
    }

    #[test]
    fn a_bare_machine_asks_rustup_and_then_debian() {
        assert_eq!(decide(BARE, None), Decision::AddTarget);
        let offline = Facts {
            rustup_failed: true,
            ..BARE
        };
        assert_eq!(decide(offline, None), Decision::InstallPackages);
        assert_eq!(
            decide(
                Facts {
                    debian: true,
                    ..offline
                },
                None
            ),
            Decision::Use(Way::Debian)
        );
        assert_eq!(decide(Facts { rustup: false, ..BARE }, None), Decision::InstallPackages);
    }

    #[test]
    fn nothing_is_tried_twice() {
        let Decision::GiveUp(line) = decide(
            Facts {
                rustup_failed: true,
                apt_failed: true,
                ..BARE
            },
            None,
        ) else {
            panic!("there was nothing left to try");
        };
        assert!(
            line.contains("rustup target add") && line.contains("rustc-web rust-web-src"),
            "{line}"
        );
        assert!(!line.contains('\n'));
    }

    #[test]
    fn an_ordinary_user_is_told_and_nothing_is_installed() {
        let user = Facts {
            apt: false,
            rustup_failed: true,
            ..BARE
        };
        assert!(matches!(decide(user, None), Decision::GiveUp(_)));
    }

    #[test]
    fn the_wish_of_the_environment_holds() {
        let both = Facts {
            own_library: true,
            debian: true,
            ..BARE
        };
        assert_eq!(decide(both, Some(Way::Debian)), Decision::Use(Way::Debian));
        assert_eq!(decide(both, Some(Way::Rustup)), Decision::Use(Way::Rustup));
        assert_eq!(
            decide(Facts { debian: true, ..BARE }, Some(Way::Rustup)),
            Decision::AddTarget
        );
        assert_eq!(
            decide(
                Facts {
                    own_library: true,
                    ..BARE
                },
                Some(Way::Debian)
            ),
            Decision::InstallPackages
        );
    }

    #[test]
    fn debians_compiler_needs_a_linker() {
        let bare = Facts {
            debian: true,
            linker: false,
            rustup: false,
            ..BARE
        };
        assert!(matches!(decide(bare, None), Decision::GiveUp(_)));
        let Decision::GiveUp(line) = decide(bare, Some(Way::Debian)) else {
            panic!("no linker, no build")
        };
        assert!(line.contains("rust-lld"), "{line}");
    }

    #[test]
    fn the_environment_is_read_strictly() {
        assert_eq!(Way::forced(None).unwrap(), None);
        assert_eq!(Way::forced(Some("")).unwrap(), None);
        assert_eq!(Way::forced(Some("debian")).unwrap(), Some(Way::Debian));
        assert!(
            Way::forced(Some("gcc"))
                .unwrap_err()
                .to_string()
                .contains("`rustup` or `debian`")
        );
    }
}
