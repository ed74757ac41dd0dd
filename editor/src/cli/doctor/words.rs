//! The report for people.

use std::fmt::Write;

use serde_json::Value;

use super::report::{Found, Report};
use crate::agent::vendor;
use crate::config::settings::Listed;
use crate::models::KeySource;

/// Everything the report holds, in sections. What is in the way stands last, where the terminal stops.
pub fn write(report: &Report) -> String {
    let mut text = String::new();
    let _ = program(&mut text, report);
    if let Some(found) = &report.found {
        let _ = prototype(&mut text, found);
    }
    let _ = outcome(&mut text, report);
    text
}

fn program(text: &mut String, report: &Report) -> std::fmt::Result {
    let place = |path: &Option<std::path::PathBuf>| {
        path.as_ref()
            .map_or("missing".into(), |path| path.display().to_string())
    };
    writeln!(text, "Galley's Editor {}", report.version)?;
    line(text, "Interface", &place(&report.bundles.ui))?;
    line(text, "Bridge", &place(&report.bundles.bridge))?;
    let port = |port: Option<u16>| port.map_or("any free one".into(), |port| port.to_string());
    line(
        text,
        "Ports",
        &format!(
            "interface {}, dev server {}",
            port(report.ports.interface),
            port(report.ports.host)
        ),
    )?;
    line(text, "Node", report.node.as_deref().unwrap_or("not found"))
}

fn prototype(text: &mut String, found: &Found) -> std::fmt::Result {
    writeln!(text, "\nPrototype {}", found.name)?;
    line(text, "Folder", &found.root.display().to_string())?;
    if found.git_root != found.root {
        line(text, "Git root", &found.git_root.display().to_string())?;
    }
    let version = found.framework_version.as_deref().unwrap_or("not installed");
    line(text, "Framework", &format!("{} ({version})", found.framework.name()))?;
    let installed = if found.is_installed {
        "installed"
    } else {
        "not installed"
    };
    line(text, "Packages", installed)?;
    line(text, "Dev server", &found.host.words)?;
    let commit = found.git.commit.as_deref().unwrap_or("?");
    let branch = match &found.git.branch {
        Some(branch) => format!("branch {branch} at {commit}"),
        None => format!("detached at {commit}"),
    };
    line(text, "Git", &format!("{branch}, {} changed files", found.git.changed))?;
    let project = match &found.project {
        Some(project) => format!("{} ({})", project.name, project.slug),
        None => "not linked".into(),
    };
    line(text, "Project", &project)?;
    for root in &found.read_roots {
        let kind = if root.is_git { "git" } else { "plain folder" };
        line(
            text,
            "Read root",
            &format!("{} = {} ({kind})", root.name, root.path.display()),
        )?;
    }
    for server in &found.servers {
        line(text, "MCP server", &format!("{} runs {}", server.id, server.command))?;
    }
    let models = &found.models;
    let key = match models.key {
        Some(KeySource::Environment) => format!("a key from {}", models.variable),
        Some(KeySource::Stored) => "a key from the settings".to_owned(),
        None => format!("no key ({} is not set, and none is stored)", models.variable),
    };
    let model = models.model.as_deref().unwrap_or("no model named");
    line(text, "Models", &format!("{}, {model}, {key}", models.provider.name()))?;
    match (models.subscription, &models.vendor_program) {
        (true, Some(path)) => line(
            text,
            "Vendor's program",
            &format!("{}, asked instead of a key", path.display()),
        )?,
        (true, None) => line(text, "Vendor's program", &vendor::missing())?,
        (false, Some(path)) => {
            let words = format!("{}, not asked (EDITOR_USE_SUBSCRIPTION is not set)", path.display());
            line(text, "Vendor's program", &words)?;
        }
        (false, None) => {}
    }
    if let Some(problem) = &models.problem {
        line(text, "Not used", problem)?;
    }
    let browser = found
        .browser
        .as_ref()
        .map_or("none, or switched off".into(), |path| path.display().to_string());
    line(text, "Review browser", &browser)?;
    for (name, value) in &found.environment {
        line(text, "Variable", &format!("{name}={value}"))?;
    }
    settings(text, &found.settings)?;
    if !found.warnings.is_empty() {
        writeln!(text, "\nWarnings")?;
    }
    for warning in &found.warnings {
        writeln!(text, "  {}", warning.words)?;
    }
    Ok(())
}

fn settings(text: &mut String, settings: &[Listed]) -> std::fmt::Result {
    writeln!(text, "\nSettings (* is set in the file)")?;
    let width = settings
        .iter()
        .map(|listed| listed.setting.key.len())
        .max()
        .unwrap_or(0);
    let mut file = None;
    for listed in settings {
        if file != Some(listed.setting.file) {
            file = Some(listed.setting.file);
            let name = serde_json::to_value(listed.setting.file).unwrap_or_default();
            writeln!(text, "  {}", name.as_str().unwrap_or_default())?;
        }
        let mark = if listed.is_set { '*' } else { ' ' };
        write!(text, "  {mark} {:width$}  {}", listed.setting.key, short(&listed.value))?;
        if let (true, Some(variable)) = (listed.by_environment, listed.setting.variable) {
            write!(text, "  (on by {variable}=1)")?;
        }
        if let Some(problem) = &listed.problem {
            write!(text, "  ! {problem}")?;
        }
        writeln!(text)?;
    }
    Ok(())
}

/// A value on one line.
fn short(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::Object(object) if !object.is_empty() => object.keys().map(String::as_str).collect::<Vec<_>>().join(", "),
        Value::Array(values) if values.iter().any(Value::is_object) => format!("{} entries", values.len()),
        value => value.to_string(),
    }
}

fn outcome(text: &mut String, report: &Report) -> std::fmt::Result {
    if report.ok {
        return writeln!(text, "\nNothing is in the way.");
    }
    writeln!(text, "\nIn the way")?;
    for obstacle in &report.obstacles {
        writeln!(
            text,
            "  {} (exit code {})",
            obstacle.words.replace('\n', "\n  "),
            obstacle.exit_code
        )?;
    }
    Ok(())
}

fn line(text: &mut String, name: &str, value: &str) -> std::fmt::Result {
    writeln!(text, "  {name:<11} {value}")
}
