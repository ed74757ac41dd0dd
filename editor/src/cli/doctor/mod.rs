//! `--doctor`: what was found and would be done. Nothing is started, and nothing is written.

mod report;
mod words;

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;

use report::{Bundles, Found, Git, Host, Models, Obstacle, Ports, Report, Server};

use super::arguments::Arguments;
use super::{assets, port, say, start};
use crate::agent::vendor;
use crate::config::{Config, Environment, Turn, Warning, settings};
use crate::gate::{self, Prototype, git, looking};
use crate::hosts;
use crate::models::Access;
use crate::review::Surface;

/// Looks at everything, prints it, and gives the exit code: 0, or that of the first thing that is in the way.
pub fn run(arguments: &Arguments, program: &Path) -> u8 {
    let report = examine(arguments, program);
    if arguments.json {
        match serde_json::to_string_pretty(&report) {
            Ok(json) => say::out(json + "\n"),
            Err(error) => say::note(format_args!("The report cannot be written as JSON: {error}")),
        }
    } else {
        say::out(words::write(&report));
    }
    report.exit_code
}

fn examine(arguments: &Arguments, program: &Path) -> Report {
    let mut obstacles = Vec::new();
    let found = match gate::check(&arguments.path) {
        Ok(prototype) => Some(examine_prototype(arguments, &prototype, &mut obstacles)),
        Err(refused) => {
            obstacles.push(Obstacle::new(refused.exit_code(), &refused));
            None
        }
    };
    let ui = assets::find_ui(arguments.ui.as_deref(), program);
    let bridge = assets::find_bridge(arguments.bridge.as_deref(), program);
    for refused in [ui.as_ref().err(), bridge.as_ref().err()].into_iter().flatten() {
        obstacles.push(Obstacle::new(refused.exit_code(), refused));
    }
    let ports = ports(arguments, &mut obstacles);
    let node = version_of("node");
    if node.is_none() && arguments.attach.is_none() {
        let words = "`node` was not found: install Node.js 20 or newer, and see that it is on the PATH";
        obstacles.push(Obstacle::new(1, &words));
    }
    Report {
        ok: obstacles.is_empty(),
        exit_code: obstacles.first().map_or(0, |obstacle| obstacle.exit_code),
        obstacles,
        version: env!("CARGO_PKG_VERSION"),
        path: arguments.path.clone(),
        node,
        bundles: Bundles {
            ui: ui.ok(),
            bridge: bridge.ok(),
        },
        ports,
        found,
    }
}

fn examine_prototype(arguments: &Arguments, prototype: &Prototype, obstacles: &mut Vec<Obstacle>) -> Found {
    let variables = Environment::read(|name| std::env::var(name).ok());
    let turn = Turn::read(&prototype.git_root, &|name| std::env::var(name).ok());
    let mut warnings = Vec::new();
    let config = match Config::load(prototype) {
        Ok(config) => {
            warnings.extend(config.warnings.clone());
            Some(config)
        }
        Err(stop) => {
            obstacles.push(Obstacle::new(1, &stop));
            None
        }
    };
    warnings.extend(turn.problems().map(|(file, problem)| Warning {
        code: "per-message",
        words: format!("{file}: {problem}"),
    }));
    warnings.extend(turn.warnings.iter().cloned());
    let missing_modules = prototype.missing_modules();
    if arguments.attach.is_none() {
        warnings.extend(missing_modules.iter().map(|missing| Warning {
            code: "missing-module",
            words: format!(
                "'{}', which {} imports, is not installed",
                missing.module, missing.config
            ),
        }));
    }
    let servers = turn.servers.as_ref().ok().into_iter().flatten();
    let server = |(id, command): (&str, &str)| Server {
        id: id.to_owned(),
        command: command.to_owned(),
    };
    let mut servers: Vec<_> = servers.map(|(id, found)| server((id, &found.command))).collect();
    if let Ok(Some(tool)) = &turn.design_tool {
        servers.push(server((crate::config::servers::DESIGN_TOOL, &tool.server.command)));
    }
    Found {
        root: prototype.root.clone(),
        git_root: prototype.git_root.clone(),
        name: prototype.name(),
        framework: prototype.framework,
        framework_version: prototype.installed_version(prototype.framework.id()),
        is_installed: prototype.is_installed(),
        missing_modules,
        git: git_state(prototype),
        host: host(arguments, prototype, config.as_ref()),
        project: config.as_ref().and_then(|config| config.tool.project.clone()),
        has_tool_file: config.as_ref().is_some_and(|config| config.has_tool_file),
        features: config.as_ref().map(Config::features),
        read_roots: config
            .as_ref()
            .map(|config| config.read_roots.clone())
            .unwrap_or_default(),
        design_systems: config
            .as_ref()
            .map(|config| config.design_systems.clone())
            .unwrap_or_default(),
        servers,
        models: models(prototype, &variables),
        browser: browser(&variables),
        environment: variables.set,
        settings: settings::list(prototype, config.as_ref()),
        warnings,
    }
}

/// Whose models would be asked.
fn models(prototype: &Prototype, variables: &Environment) -> Models {
    let lookup = |name: &str| std::env::var(name).ok();
    let (access, problem) = Access::find(&start::home(prototype), &prototype.root, &lookup);
    Models {
        subscription: vendor::is_used(variables.use_subscription, &access),
        vendor_program: vendor::find(|name| std::env::var_os(name)),
        provider: access.provider,
        model: access.model,
        key: access.key.map(|(_, source)| source),
        variable: access.provider.key_variable(),
        base_url: access.base.map(|base| base.as_str().trim_end_matches('/').to_owned()),
        problem: problem.map(|problem| problem.to_string()).or(access.base_problem),
    }
}

/// The Chromium that would read pages.
fn browser(variables: &Environment) -> Option<PathBuf> {
    let surface = Surface::new("", variables.review_surface, variables.browser.as_deref());
    surface.program().ok().map(Path::to_owned)
}

/// What would be done about the dev server.
fn host(arguments: &Arguments, prototype: &Prototype, config: Option<&Config>) -> Host {
    let found = hosts::detect(&prototype.root);
    let hosts = config.map(|config| config.hosts).unwrap_or_default();
    let (starts, words) = match (&arguments.attach, &found) {
        (Some(url), _) => (false, format!("would attach to the one at {url}")),
        (None, Some(found)) if hosts.allows(found.kind.id()) => (
            true,
            format!("would start {}, because of {}", found.kind, found.evidence),
        ),
        (None, Some(found)) => {
            let words = format!(
                "{} (because of {}) is switched off by `hosts.{}`; start it yourself and pass --attach URL",
                found.kind,
                found.evidence,
                found.kind.id()
            );
            (false, words)
        }
        (None, None) => (
            false,
            "none that the Editor knows; start it yourself and pass --attach URL".into(),
        ),
    };
    Host {
        kind: found.as_ref().map(|found| found.kind.id()),
        config: found.and_then(|found| found.config),
        starts,
        words,
    }
}

/// Whether the ports that were asked for are free, and which one the interface would take.
fn ports(arguments: &Arguments, obstacles: &mut Vec<Obstacle>) -> Ports {
    let is_free = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok();
    let interface = match arguments.port {
        Some(0) => None,
        Some(port) => {
            if !is_free(port) {
                obstacles.push(Obstacle::new(1, &port::PortError::Taken(port)));
            }
            Some(port)
        }
        None => (port::DEFAULT..=u16::MAX).find(|port| is_free(*port)),
    };
    if let Some(port) = arguments.host_port.filter(|port| !is_free(*port)) {
        let words = format!("Port {port} is taken, so the dev server cannot listen on it (--host-port {port})");
        obstacles.push(Obstacle::new(1, &words));
    }
    Ports {
        interface,
        host: arguments.host_port,
    }
}

fn git_state(prototype: &Prototype) -> Git {
    let ask = |arguments: &[&str]| {
        let output = git(&prototype.root).args(arguments).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        output.status.success().then_some(text)
    };
    let quiet = looking::without_filters(&prototype.root);
    let status = ["status", "--porcelain", "--untracked-files=normal", "--", "."];
    let changed: Vec<&str> = quiet.iter().map(String::as_str).chain(status).collect();
    let changed = ask(&changed).unwrap_or_default();
    Git {
        branch: ask(&["symbolic-ref", "--quiet", "--short", "HEAD"]),
        commit: ask(&["rev-parse", "--short", "HEAD"]),
        changed: changed.lines().count(),
        version: ask(&["version"]).map(|text| text.trim_start_matches("git version ").to_owned()),
    }
}

fn version_of(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}
