//! House rules that no compiler checks. Each has its own file, and its reason there.

mod bounds;
mod circles;
mod dependencies;
mod features;
mod files;
mod once;
mod pages;
mod rooms;
mod rust_source;
mod scripts;
mod uses;

use anyhow::{Result, bail};

use crate::bridge;
use crate::paths::Checkout;

/// Checks every rule, prints what breaks one, and fails when anything does. Warnings do not count.
pub fn check(checkout: &Checkout) -> Result<()> {
    let host = checkout.at("host/src");
    let mut found = features::check(&host)?;
    for house in [rooms::HOST, rooms::EDITOR, rooms::EDITOR_SOURCE] {
        found.extend(rooms::check(checkout.root(), &house)?);
    }
    found.extend(bounds::check(checkout.root())?);
    found.extend(circles::check(checkout.root())?);
    found.extend(scripts::check(checkout.root())?);
    found.extend(files::check_addresses(checkout.root())?);
    found.extend(pages::check(checkout.root())?);
    found.extend(once::check(checkout)?);
    found.extend(dependencies::check(checkout)?);
    if !bridge::is_current(checkout)? {
        found.push("the bridge's bundle is stale: run `cargo xtask build` and commit it".to_owned());
    }
    for warning in files::long_files(checkout.root())? {
        eprintln!("warning: {warning}");
    }
    for line in &found {
        eprintln!("error: {line}");
    }
    match found.len() {
        0 => Ok(()),
        1 => bail!("one house rule is broken"),
        n => bail!("house rules are broken in {n} places"),
    }
}
