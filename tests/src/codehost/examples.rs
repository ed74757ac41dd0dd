//! GitHub's own samples of deliveries, from the npm package that its SDK is tested with.

use std::fs;
use std::process::Command;
use std::sync::Mutex;

use serde_json::Value;

use crate::paths;

/// Every sample: the kind of event and the body.
///
/// # Panics
/// When npm cannot install the package.
pub fn examples() -> Vec<(String, Value)> {
    // Tests run beside each other, and one installation is enough.
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _one = INSTALLING.lock();
    let folder = paths::checkout().join("tests/deliveries");
    let file = folder.join("node_modules/@octokit/webhooks-examples/api.github.com/index.json");
    if !file.is_file() {
        let mut npm = Command::new("npm");
        npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
        let output = npm.current_dir(&folder).output().expect("npm is there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let text = fs::read(file).expect("the package holds the samples");
    let kinds: Vec<Value> = serde_json::from_slice(&text).expect("the samples are JSON");
    let of_kind = |kind: Value| {
        let name = kind["name"].as_str().unwrap_or_default().to_owned();
        let examples = kind["examples"].as_array().cloned().unwrap_or_default();
        examples.into_iter().map(move |example| (name.clone(), example))
    };
    kinds.into_iter().flat_map(of_kind).collect()
}
