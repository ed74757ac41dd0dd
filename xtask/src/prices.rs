//! What models cost: from a list that others keep, as the Editor reads it.

use anyhow::{Context, Result, ensure};
use galley_build::process::{command, read, run};

use crate::npm::check_node;
use crate::paths::Checkout;
use crate::stamp::write_if_changed;

/// The package with the list.
const PACKAGE: &str = "@pydantic/genai-prices";

/// Where the Editor has it.
const FILE: &str = "editor/src/models/prices.json";

/// Fetches the list and writes it into the Editor.
pub fn write(checkout: &Checkout) -> Result<()> {
    check_node()?;
    let folder = checkout.target().join("prices");
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut pack = command("npm");
    pack.args(["pack", "--silent", PACKAGE]).current_dir(&folder);
    let archive = read(&mut pack).context("npm does not give the list")?;
    let mut unpack = command("tar");
    unpack.args(["-xzf", archive.trim()]).current_dir(&folder);
    run(&mut unpack).context("the list cannot be unpacked")?;
    let mut node = command("node");
    node.arg(checkout.at("xtask/src/prices.mjs"))
        .arg(folder.join("package"));
    let list = read(&mut node)?;
    ensure!(
        list.contains("\"anthropic\""),
        "the list is not of the form it had: look at xtask/src/prices.mjs"
    );
    let file = checkout.at(FILE);
    write_if_changed(&file, format!("{}\n", list.trim_end()).as_bytes())?;
    eprintln!("xtask: {} has what models cost", checkout.show(&file));
    Ok(())
}
