//! wasmtime is compiled once. It takes minutes, and cargo compiles it again for each set of features its dependencies
//! are asked for: one dev-dependency that switches on a feature of some small crate below wasmtime is enough. So the
//! plan for the server and the plan for the tests must agree on it.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use galley_build::process::{cargo, read};
use serde_json::Value;

use crate::paths::Checkout;

/// The package that is expensive.
const EXPENSIVE: &str = "wasmtime";

/// Says what differs between the two plans, if anything below the expensive package does.
pub fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let server = plan(checkout, &["build", "--workspace", "--bin", "galley"])?;
    let tests = plan(checkout, &["test", "--workspace"])?;
    Ok(differences(&needs(&server), &needs(&tests)))
}

/// Cargo's plan, which it shows only on request of those who accept that its shape may change.
fn plan(checkout: &Checkout, args: &[&str]) -> Result<Value> {
    let mut command = cargo();
    command
        .args(args)
        .args(["--unit-graph", "-Zunstable-options"])
        .env("RUSTC_BOOTSTRAP", "1");
    let text = read(command.current_dir(checkout.root())).context("cargo did not tell its plan")?;
    serde_json::from_str(&text).context("cargo's plan is no JSON")
}

/// Each package that the expensive one needs, itself included, with the features of its every build.
fn needs(plan: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let units: &[Value] = plan["units"].as_array().map_or(&[], Vec::as_slice);
    let is_expensive = |unit: &Value| unit["target"]["name"] == EXPENSIVE && unit["mode"] == "build";
    let mut open: Vec<usize> = (0..units.len()).filter(|&index| is_expensive(&units[index])).collect();
    let mut seen: BTreeSet<usize> = open.iter().copied().collect();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    while let Some(index) = open.pop() {
        let unit = &units[index];
        let package = unit["pkg_id"]
            .as_str()
            .unwrap_or_default()
            .rsplit('#')
            .next()
            .unwrap_or_default()
            .to_owned();
        let target = unit["target"]["name"].as_str().unwrap_or_default();
        let features: Vec<&str> = unit["features"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        found
            .entry(format!("{package} ({target})"))
            .or_default()
            .insert(features.join(","));
        for dependency in unit["dependencies"].as_array().into_iter().flatten() {
            if let Some(next) = dependency["index"].as_u64().map(|index| index as usize)
                && next < units.len()
                && seen.insert(next)
            {
                open.push(next);
            }
        }
    }
    found
}

fn differences(server: &BTreeMap<String, BTreeSet<String>>, tests: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let none = BTreeSet::new();
    let differs =
        |(package, features): &(&String, &BTreeSet<String>)| tests.get(*package).unwrap_or(&none) != *features;
    server
        .iter()
        .filter(differs)
        .map(|(package, features)| {
            let (one, other) = (show(features), show(tests.get(package).unwrap_or(&none)));
            format!(
                "{EXPENSIVE} would be compiled twice: {package} has the features {one} for the server, {other} for the \
                 tests; let a normal dependency of some package ask for the same"
            )
        })
        .collect()
}

fn show(features: &BTreeSet<String>) -> String {
    let sets: Vec<String> = features.iter().map(|set| format!("[{set}]")).collect();
    sets.join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn plan_with(features: &[&str]) -> Value {
        json!({ "units": [
            { "pkg_id": "x#wasmtime@1.0.0", "target": { "name": "wasmtime" }, "mode": "build", "features": [],
              "dependencies": [{ "index": 1 }] },
            { "pkg_id": "x#fnv@1.0.7", "target": { "name": "fnv" }, "mode": "build", "features": features,
              "dependencies": [] },
            { "pkg_id": "x#other@1.0.0", "target": { "name": "other" }, "mode": "build", "features": features,
              "dependencies": [] },
        ] })
    }

    #[test]
    fn equal_plans_agree() {
        let needed = needs(&plan_with(&["std"]));
        assert_eq!(needed.len(), 2, "only what the expensive package needs is looked at");
        assert!(differences(&needed, &needed).is_empty());
    }

    #[test]
    fn a_feature_below_wasmtime_is_named() {
        let found = differences(&needs(&plan_with(&[])), &needs(&plan_with(&["default", "std"])));
        assert_eq!(found.len(), 1);
        assert!(found[0].contains("fnv@1.0.7 (fnv) has the features [] for the server, [default,std] for the"));
    }
}
