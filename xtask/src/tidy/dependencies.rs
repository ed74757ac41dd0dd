//! What the server must not depend on, directly or not. A build may (test doubles, build scripts).

use anyhow::{Context, Result};
use galley_build::process::{cargo, read};

use crate::paths::Checkout;

/// Packages, and why they stay out.
const KEPT_OUT: [(&str, &str); 1] = [(
    "rsa",
    "its time depends on the key (RUSTSEC-2023-0071): sign by ring, which rustls brings",
)];

/// One line for each package that came in.
pub fn check(checkout: &Checkout) -> Result<Vec<String>> {
    let mut tree = cargo();
    tree.args([
        "tree",
        "--package",
        "galley-host",
        "--edges",
        "normal",
        "--prefix",
        "none",
    ]);
    let tree = read(tree.current_dir(checkout.root())).context("cargo did not tell what the server depends on")?;
    Ok(found(&tree))
}

fn found(tree: &str) -> Vec<String> {
    let is_in = |name: &str| tree.lines().any(|line| line.split(' ').next() == Some(name));
    let there = KEPT_OUT.iter().filter(|(name, _)| is_in(name));
    there
        .map(|(name, why)| {
            format!("galley-host depends on `{name}`, {why} (`cargo tree -p galley-host -e normal -i {name}`)")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_found_by_its_whole_name() {
        let found_in = |tree: &str| found(tree).len();
        assert_eq!(found_in("galley-host v0.1.0 (/x)\nrsa v0.9.10\nring v0.17.14\n"), 1);
        assert_eq!(
            found_in("galley-host v0.1.0 (/x)\nrsa-padding v1.0.0\nring v0.17.14 (*)\n"),
            0
        );
    }
}
