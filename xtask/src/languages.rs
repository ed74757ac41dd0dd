//! The tools that make components of plugins in JavaScript and Python, for the tests: installed below the target folder, once
//! for each version that the templates name.

use std::fs;

use anyhow::{Context, Result};

use crate::paths::Checkout;
use crate::stamp::write_if_changed;
use crate::{npm, pip};

/// What npm installs from, in the template of JavaScript.
const NODE_FILES: [&str; 3] = ["package.json", "package-lock.json", ".npmrc"];

/// Installs what is missing.
pub fn ensure(checkout: &Checkout) -> Result<()> {
    let node = checkout.run_folder().join("js");
    for name in NODE_FILES {
        let file = checkout.at("sdk/js/template").join(name);
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        write_if_changed(&node.join(name), &bytes)?;
    }
    npm::ensure(&node)?;

    let python = checkout.run_folder().join("python");
    pip::ensure(checkout, "sdk/python/template/requirements.txt", &python)
}
