//! Landlock: a list of the files a step may read and write, and of the ports it may connect to.
//!
//! The data folder and its keys are out of reach without being named; they are named all the same, for the case that
//! they lie inside of what is allowed (`/opt/galley/data`).

use anyhow::Context;
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, NetPort, Ruleset, RulesetAttr, RulesetCreatedAttr,
    Scope, path_beneath_rules,
};

use super::step::{Isolation, Network, Step};
use super::view::{DEVICES, readable};

/// The newest rules this program knows; an older kernel enforces those it has.
const NEWEST: ABI = ABI::V7;

/// Below this version, files can be emptied that cannot be written: not a confinement.
pub const OLDEST_LANDLOCK: u32 = 3;
/// From this version on, TCP ports are confined.
pub const TCP_LANDLOCK: u32 = 4;
/// From this version on, signals and abstract sockets are confined.
pub const SIGNAL_LANDLOCK: u32 = 6;

/// The version of the kernel's Landlock up to 6, the newest that adds anything here; 0 without.
pub fn landlock_version() -> u32 {
    let is_known = |abi: ABI| {
        let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
        let rules = rules.handle_access(AccessFs::from_all(abi));
        let rules = match AccessNet::from_all(abi) {
            ports if ports.is_empty() => rules,
            ports => rules.and_then(|rules| rules.handle_access(ports)),
        };
        let rules = match Scope::from_all(abi) {
            scopes if scopes.is_empty() => rules,
            scopes => rules.and_then(|rules| rules.scope(scopes)),
        };
        rules.and_then(Ruleset::create).is_ok()
    };
    let known = [ABI::V1, ABI::V2, ABI::V3, ABI::V4, ABI::V5, ABI::V6];
    known.into_iter().take_while(|abi| is_known(*abi)).count() as u32
}

/// Confines this thread and every process it starts from now on. On a kernel without Landlock nothing happens.
pub fn restrict(step: &Step) -> anyhow::Result<()> {
    let mut places: Vec<_> = readable(&step.hide).into_iter().map(|place| place.real).collect();
    places.push("/proc".into());
    // This program itself, which packs the output.
    places.push("/proc/self/exe".into());
    let writable = [step.folder.as_path(), "/dev/shm".as_ref()];
    // Only a namespace has one of its own.
    let writable = &writable[..if step.isolation == Isolation::Namespaces { 2 } else { 1 }];
    let mut rules = Ruleset::default()
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?;
    // A network namespace needs no list of ports: there, a build may talk to itself on any of them.
    let ports = step.isolation == Isolation::Rules;
    if ports {
        rules = rules.handle_access(AccessNet::ConnectTcp)?;
    }
    let mut rules = rules
        .create()?
        .add_rules(path_beneath_rules(places, AccessFs::from_read(NEWEST)))?
        .add_rules(path_beneath_rules(DEVICES, AccessFs::from_all(NEWEST)))?
        .add_rules(path_beneath_rules(writable, AccessFs::from_all(NEWEST)))?;
    if ports && step.network == Network::Proxied {
        rules = rules.add_rule(NetPort::new(step.proxy_port, AccessNet::ConnectTcp))?;
    }
    rules.restrict_self().context("Landlock refuses its rules")?;
    Ok(())
}
