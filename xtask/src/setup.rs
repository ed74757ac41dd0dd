//! Installing what a step needs and this machine lacks. Quick when nothing is missing: a few looks at the disk.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use galley_build::process::which;

use crate::paths::Checkout;
use crate::{apt, languages, npm, pip, program};

/// What somebody wants to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// `run` and `build`.
    Build,
    /// `test` and `ci`.
    Test,
    /// `bench`.
    Bench,
    /// `corpus --browser`.
    Browser,
    /// `setup`: all of it.
    Everything,
}

/// A program from outside, and the Debian package that brings it.
struct Tool {
    /// Any of these will do.
    programs: &'static [&'static str],
    package: &'static str,
    purposes: &'static [Purpose],
}

const TOOLS: [Tool; 15] = [
    Tool {
        programs: &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
        package: "chromium",
        purposes: &[Purpose::Test, Purpose::Browser, Purpose::Everything],
    },
    Tool {
        programs: &["nginx"],
        package: "nginx-light",
        purposes: &[Purpose::Test, Purpose::Bench, Purpose::Everything],
    },
    // Debian's Python comes without it. It installs what checks the API's description, and what makes plugins in Python.
    Tool {
        programs: &["pip3", "pip"],
        package: "python3-pip",
        purposes: &[Purpose::Test, Purpose::Bench, Purpose::Everything],
    },
    // The requests of the tutorial.
    Tool {
        programs: &["curl"],
        package: "curl",
        purposes: &[Purpose::Test, Purpose::Everything],
    },
    // Authors sign plugins with it.
    Tool {
        programs: &["minisign"],
        package: "minisign",
        purposes: &[Purpose::Test, Purpose::Everything],
    },
    // Plugins are fetched from it.
    Tool {
        programs: &["docker-registry"],
        package: "docker-registry",
        purposes: &[Purpose::Test, Purpose::Everything],
    },
    // A database for many servers. `pg_ctlcluster` comes with the server only, `psql` without it as well.
    Tool {
        programs: &["pg_ctlcluster"],
        package: "postgresql",
        purposes: &[Purpose::Test, Purpose::Everything],
    },
    // What a server in front of that database refuses.
    Tool {
        programs: &["pgbouncer"],
        package: "pgbouncer",
        purposes: &[Purpose::Test, Purpose::Everything],
    },
    // What three of those databases are led by, and asked with.
    Tool {
        programs: &["etcd"],
        package: "etcd-server",
        purposes: &[Purpose::Test, Purpose::Everything],
    },
    Tool {
        programs: &["etcdctl"],
        package: "etcd-client",
        purposes: &[Purpose::Test, Purpose::Everything],
    },
    // What the page about many machines needs besides: a balancer, certificates, and a network of machines on this one.
    Tool {
        programs: &["haproxy"],
        package: "haproxy",
        purposes: &[Purpose::Test, Purpose::Everything],
    },
    Tool {
        programs: &["openssl"],
        package: "openssl",
        purposes: &[Purpose::Test, Purpose::Everything],
    },
    Tool {
        programs: &["ip"],
        package: "iproute2",
        purposes: &[Purpose::Test, Purpose::Everything],
    },
    // The fuzzer's engine is written in C++.
    Tool {
        programs: &["c++", "g++", "clang++"],
        package: "g++",
        purposes: &[Purpose::Test, Purpose::Everything],
    },
    Tool {
        programs: &["wrk"],
        package: "wrk",
        purposes: &[Purpose::Bench, Purpose::Everything],
    },
];

/// What the project takes for granted, with what to say when it is missing.
const GIVEN: [(&str, &str); 4] = [
    (
        "cc",
        "a C compiler is missing: install one (Debian: `apt-get install build-essential`)",
    ),
    ("git", "git is missing: install it (Debian: `apt-get install git`)"),
    ("node", "Node is missing: install Node 20 or newer with npm"),
    ("npm", "npm is missing: install Node 20 or newer with npm"),
];

/// Sees to it that everything for `purpose` is there, or says in one line what to install.
pub fn ensure(checkout: &Checkout, purpose: Purpose) -> Result<()> {
    if let Some((_, line)) = GIVEN.iter().find(|(program, _)| which(program).is_none()) {
        // The committed bundle makes Node needless for a first run.
        if purpose != Purpose::Build || line.starts_with("a C") {
            bail!("{line}");
        }
    }
    // The Editor holds no plugins.
    if purpose != Purpose::Browser {
        program::compiler_for_plugins()?;
    }
    if purpose == Purpose::Build {
        return Ok(());
    }
    let missing = missing_packages(purpose, |program| which(program).is_some());
    if !missing.is_empty() {
        apt::install(&missing)?;
        let still = missing_packages(purpose, |program| which(program).is_some());
        if !still.is_empty() {
            bail!("still missing: {}", apt::by_hand(&still));
        }
    }
    npm::check_node()?;
    for folder in ["editor", "host/dashboard", "tests/browser"] {
        let folder = checkout.at(folder);
        if folder.join("package-lock.json").is_file() {
            npm::ensure(&folder)?;
        }
    }
    if purpose == Purpose::Browser {
        return Ok(());
    }
    languages::ensure(checkout)?;
    if purpose != Purpose::Bench {
        // What checks the API's description.
        let folder = checkout.run_folder().join("openapi");
        pip::ensure(checkout, "tests/openapi/requirements.txt", &folder)?;
        // An object store.
        let folder = checkout.run_folder().join("seaweedfs");
        pip::ensure(checkout, "tests/seaweedfs/requirements.txt", &folder)?;
        // A newer PostgreSQL than Debian's.
        pip::ensure(checkout, "tests/postgres-18/requirements.txt", &checkout.postgres_18())?;
        // What leads three databases.
        let folder = checkout.run_folder().join("patroni");
        pip::ensure_for(pip::DEBIANS, checkout, "tests/patroni/requirements.txt", &folder)?;
        // A model that is small enough to run here.
        let folder = checkout.run_folder().join("small-model");
        pip::ensure(checkout, "tests/small-model/requirements.txt", &folder)?;
    }
    check_rust_tools()
}

fn missing_packages(purpose: Purpose, is_there: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let wanted = TOOLS.iter().filter(|tool| tool.purposes.contains(&purpose));
    wanted
        .filter(|tool| !tool.programs.iter().any(|program| is_there(program)))
        .map(|tool| tool.package)
        .collect()
}

/// `cargo fmt` and `cargo clippy` are parts of rustup's default profile, but not of its minimal one.
fn check_rust_tools() -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let beside = Path::new(&cargo).parent().unwrap_or(Path::new("")).to_owned();
    for tool in ["cargo-fmt", "cargo-clippy"] {
        if which(tool).is_none() && !beside.join(tool).is_file() {
            return Err(anyhow!("{tool} is missing: run `rustup component add rustfmt clippy`"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_asks_for_its_own_tools() {
        let nothing = |_: &str| false;
        assert_eq!(missing_packages(Purpose::Build, nothing), Vec::<&str>::new());
        assert_eq!(
            missing_packages(Purpose::Test, nothing),
            [
                "chromium",
                "nginx-light",
                "python3-pip",
                "curl",
                "minisign",
                "docker-registry",
                "postgresql",
                "pgbouncer",
                "etcd-server",
                "etcd-client",
                "haproxy",
                "openssl",
                "iproute2",
                "g++"
            ]
        );
        assert_eq!(
            missing_packages(Purpose::Bench, nothing),
            ["nginx-light", "python3-pip", "wrk"]
        );
        assert_eq!(missing_packages(Purpose::Browser, nothing), ["chromium"]);
        assert_eq!(
            missing_packages(Purpose::Everything, nothing),
            [
                "chromium",
                "nginx-light",
                "python3-pip",
                "curl",
                "minisign",
                "docker-registry",
                "postgresql",
                "pgbouncer",
                "etcd-server",
                "etcd-client",
                "haproxy",
                "openssl",
                "iproute2",
                "g++",
                "wrk"
            ]
        );
    }

    #[test]
    fn a_browser_by_another_name_will_do() {
        assert_eq!(
            missing_packages(Purpose::Test, |name| name == "google-chrome"),
            [
                "nginx-light",
                "python3-pip",
                "curl",
                "minisign",
                "docker-registry",
                "postgresql",
                "pgbouncer",
                "etcd-server",
                "etcd-client",
                "haproxy",
                "openssl",
                "iproute2",
                "g++"
            ]
        );
    }
}
