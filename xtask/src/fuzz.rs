//! Fuzzing the Editor's scanners and its edits: `cargo fuzz` over the targets in `editor/fuzz`.

use anyhow::{Context, Result};
use galley_build::process::{cargo, run, which};

use crate::paths::Checkout;

/// Each target with the folder of files it begins from, if it takes plain files.
const TARGETS: [(&str, Option<&str>); 4] = [
    ("jsx", Some("tests/editor/oracles/jsx")),
    ("vue", Some("tests/editor/oracles/vue")),
    ("css", None),
    ("edit", None),
];

/// Longer texts find nothing that shorter ones do not, and take longer.
const MAX_LENGTH: u32 = 1000;

/// Runs every target for so many seconds. What is found lies in `editor/fuzz/artifacts` afterwards, and the last lines say
/// how to run it again.
pub fn run_all(checkout: &Checkout, seconds: u32) -> Result<()> {
    let tools = checkout.target().join("tools");
    if which("cargo-fuzz").is_none() && !tools.join("bin/cargo-fuzz").is_file() {
        eprintln!("xtask: installing cargo-fuzz into {}", checkout.show(&tools));
        let mut install = cargo();
        install
            .args(["install", "cargo-fuzz", "--locked", "--quiet", "--root"])
            .arg(&tools);
        run(&mut install).context("cargo-fuzz could not be installed")?;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(tools.join("bin")).chain(std::env::split_paths(&path)))
        .context("PATH cannot be extended")?;
    for (target, seeds) in TARGETS {
        let own = checkout.at("editor/fuzz/corpus").join(target);
        std::fs::create_dir_all(&own).with_context(|| format!("cannot create {}", own.display()))?;
        let mut fuzz = cargo();
        // Without a sanitizer the project's own compiler will do: there is no unsafe code to watch.
        fuzz.args(["fuzz", "run", "--sanitizer", "none", target]).arg(own);
        fuzz.args(seeds.map(|seeds| checkout.at(seeds)));
        fuzz.args(["--", "-print_final_stats=1", "-verbosity=0"])
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-max_len={MAX_LENGTH}"))
            .env("PATH", &path)
            .current_dir(checkout.at("editor"));
        run(&mut fuzz).with_context(|| format!("the target {target} found something"))?;
    }
    Ok(())
}
