//! The network of the machines: a bridge in a namespace of this program's own, so that no address of it is seen outside.

use std::net::Ipv4Addr;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The bridge, to which this program and all machines are joined.
const BRIDGE: &str = "cluster";

/// The address of this program, which is everybody's client.
const CLIENT: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 254);

/// Makes the bridge.
pub fn make() -> Result<()> {
    ip(&["link", "set", "lo", "up"])?;
    ip(&["link", "add", BRIDGE, "type", "bridge"])?;
    ip(&["addr", "add", &format!("{CLIENT}/24"), "dev", BRIDGE])?;
    ip(&["link", "set", BRIDGE, "up"])
}

/// Joins a machine, which is the network namespace of the process `id`.
pub fn join(name: &str, id: u32, address: Ipv4Addr) -> Result<()> {
    let cable = cable(name);
    ip(&[
        "link",
        "add",
        &cable,
        "type",
        "veth",
        "peer",
        "name",
        "eth0",
        "netns",
        &id.to_string(),
    ])?;
    ip(&["link", "set", &cable, "master", BRIDGE, "up"])?;
    for args in [
        vec!["link", "set", "lo", "up"],
        vec!["addr", "add", &format!("{address}/24"), "dev", "eth0"],
        vec!["link", "set", "eth0", "up"],
    ] {
        run(Command::new("nsenter")
            .args(["--net", "--target", &id.to_string(), "--", "ip"])
            .args(args))?;
    }
    Ok(())
}

/// Takes a machine's cable away. Nobody on the other machines is told.
pub fn cut(name: &str) -> Result<()> {
    ip(&["link", "delete", &cable(name)])
}

fn cable(name: &str) -> String {
    format!("to-{name}")
}

fn ip(args: &[&str]) -> Result<()> {
    run(Command::new("ip").args(args))
}

fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed ({status})");
    }
    Ok(())
}
