//! The permission review: what an artifact is and may do, beside what fills its slot now. Nothing of it has run but
//! `describe`, which can reach nothing.

mod words;

use std::fmt;

use galley_manifest::{Setting, SettingKind, UiPlace};
use serde::{Deserialize, Serialize};

use super::contract::WASI;
use super::entry::Entry;
use super::inspect::Inspected;
use super::manifest::{GuardKind, Manifest, Route};
use super::signature::key_id;
use words::Words;

/// What somebody has to know before a plugin runs.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub struct Review {
    /// The slot it fills.
    pub slot: String,
    /// The plugin's own name.
    pub id: String,
    /// The id of the key that it is signed with; `None` where no publisher's key was given.
    pub publisher: Option<String>,
    /// Its version.
    pub version: String,
    /// Bytes of the artifact.
    pub size: u64,
    /// Hex SHA-256 of the artifact.
    pub sha256: String,
    /// The interface it was built against, with its version.
    pub contract: String,
    /// Where it came from.
    pub source: Option<String>,
    /// What fills the slot now.
    pub replaces: Option<String>,
    /// What it may do.
    pub lines: Vec<Line>,
}

/// One sentence about a plugin.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq, Eq)]
pub struct Line {
    /// Beside what fills the slot now.
    pub change: Change,
    /// Whether somebody has to approve it where it is new.
    pub power: bool,
    /// The sentence, without its subject.
    pub text: String,
}

/// What is new and what goes.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Only the new plugin.
    Added,
    /// Only the present one.
    Removed,
    /// Both.
    Same,
}

/// What fills a slot now.
pub struct Present<'a> {
    /// Its approval.
    pub entry: &'a Entry,
    /// Its manifest, where it is known.
    pub manifest: Option<&'a Manifest>,
}

impl Review {
    /// Looks at an artifact. A present plugin with the same name and publisher is the one before; another one is replaced.
    pub fn of(inspected: &Inspected, entry: &Entry, size: u64, present: Option<&Present<'_>>) -> Self {
        let manifest = &inspected.built.manifest;
        let wanted = sentences(&entry.imports, &entry.hosts, Some(manifest));
        let mut lines = Vec::new();
        if let Some(present) = present.filter(|present| present.entry.id() != entry.id()) {
            let had = present.manifest.map(|manifest| manifest.routes.as_slice());
            let had = had.unwrap_or_default();
            let is_kept = |route: &&Route| {
                let mut own = manifest.routes.iter();
                own.any(|own| own.method == route.method && own.shape() == route.shape())
            };
            let taken = had.iter().filter(is_kept).count();
            let left = had.len() - taken;
            let mut add = |text: String| {
                lines.push(Line {
                    change: Change::Added,
                    power: true,
                    text,
                });
            };
            add(format!("takes over {} of {}", counted(taken, "route"), manifest.slot));
            if left > 0 {
                add(format!(
                    "leaves {} of {} without an answer",
                    counted(left, "route"),
                    manifest.slot
                ));
            }
        }
        if let Some(present) = present
            && present.entry.publisher != entry.publisher
        {
            let name = |key: &Option<String>| match key.as_deref().and_then(key_id) {
                Some(id) => format!("the key {id}"),
                None => "nobody".to_owned(),
            };
            let (now, before) = (name(&entry.publisher), name(&present.entry.publisher));
            lines.push(Line {
                change: Change::Added,
                power: true,
                text: format!("is signed by {now}, and what is there by {before}"),
            });
        }
        let had = present.map(|present| sentences(&present.entry.imports, &present.entry.hosts, present.manifest));
        let had = had.unwrap_or_default();
        for (text, power) in &wanted {
            let is_same = had.iter().any(|(other, _)| other == text);
            lines.push(Line {
                change: if is_same { Change::Same } else { Change::Added },
                power: *power,
                text: text.clone(),
            });
        }
        for (text, power) in had {
            if !wanted.iter().any(|(other, _)| *other == text) {
                let change = Change::Removed;
                lines.push(Line { change, power, text });
            }
        }
        Self {
            slot: manifest.slot.clone(),
            id: entry.id().to_owned(),
            publisher: entry.publisher.as_deref().and_then(key_id),
            version: entry.version.clone(),
            size,
            sha256: entry.sha256.clone(),
            contract: inspected.contract.clone(),
            source: entry.source.clone(),
            replaces: present.map(|present| {
                let from = if present.entry.bundled {
                    "it came with the program"
                } else {
                    present.entry.name()
                };
                format!("{} {} ({from})", present.entry.id(), present.entry.version)
            }),
            lines,
        }
    }

    /// Whether somebody has to approve it: it is new here, or may do more than what fills the slot now.
    pub fn needs_approval(&self) -> bool {
        let is_more = |line: &Line| line.power && line.change == Change::Added;
        self.replaces.is_none() || self.lines.iter().any(is_more)
    }

    /// What it may do that the plugin before may not, as one sentence.
    pub fn additions(&self) -> String {
        let added = self
            .lines
            .iter()
            .filter(|line| line.power && line.change == Change::Added);
        let texts: Vec<&str> = added.map(|line| line.text.as_str()).collect();
        texts.join("; ")
    }
}

impl fmt::Display for Review {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {} for the slot {}", self.id, self.version, self.slot)?;
        let publisher = self
            .publisher
            .as_deref()
            .unwrap_or("none: its signature was not checked");
        writeln!(f, "  publisher  {publisher}")?;
        if let Some(source) = &self.source {
            writeln!(f, "  from       {source}")?;
        }
        writeln!(f, "  size       {} bytes", self.size)?;
        writeln!(f, "  sha256     {}", self.sha256)?;
        writeln!(f, "  contract   {}", self.contract)?;
        if let Some(replaces) = &self.replaces {
            writeln!(f, "  replaces   {replaces}")?;
        }
        for line in &self.lines {
            let mark = match line.change {
                Change::Added => '+',
                Change::Removed => '-',
                Change::Same => ' ',
            };
            writeln!(f, "{mark} {}", line.text)?;
        }
        Ok(())
    }
}

/// What a plugin that was approved may do, in sentences without their subject. Without its manifest, what its approval says.
pub fn powers(entry: &Entry, manifest: Option<&Manifest>) -> Vec<String> {
    let all = sentences(&entry.imports, &entry.hosts, manifest).into_iter();
    all.filter(|(_, power)| *power).map(|(text, _)| text).collect()
}

/// A number with its word.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// What a plugin may do, and whether each is a power.
fn sentences(imports: &[String], hosts: &[String], manifest: Option<&Manifest>) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut has_wasi = false;
    for import in imports {
        match words::of(import) {
            Some(Words::Power(text)) => found.push((text.to_owned(), true)),
            Some(Words::Free(_)) => has_wasi |= import == WASI,
            None => found.push((format!("may use {import}"), true)),
        }
    }
    for host in hosts {
        found.push((may_call(host), true));
    }
    if let Some(manifest) = manifest {
        let (all, open) = (manifest.routes.len(), public(manifest));
        if all > 0 {
            let open = match open {
                0 => String::new(),
                open if open == all => ", to anybody".to_owned(),
                open => format!(", {open} of them to anybody"),
            };
            found.push((format!("answers {}{open}", counted(all, "route")), false));
        }
        for topic in &manifest.subscriptions {
            found.push((format!("receives the event `{topic}`"), true));
        }
    }
    if let Some(manifest) = manifest {
        found.extend(runs_on(manifest).map(|text| (text, false)));
        for job in &manifest.jobs {
            found.push((format!("runs the job `{}` by itself, {}", job.name, job.when()), true));
        }
        for part in &manifest.ui {
            let place = match part.at {
                UiPlace::Page => "as a page of its own",
                UiPlace::ProjectTab => "as a tab of each project",
                UiPlace::ReviewPanel => "in each review",
                UiPlace::Instance => "among the pages for admins",
            };
            found.push((format!("shows `{}` {place}", part.title), false));
            for read in &part.reads {
                found.push((format!("may read `{read}` as whoever looks at `{}`", part.title), true));
            }
        }
        for publication in &manifest.publishes {
            found.push((format!("publishes the event `{}`", publication.topic), false));
        }
        for setting in &manifest.settings {
            found.push((has_setting(setting), false));
        }
    }
    if has_wasi {
        found.push((WASI.to_owned(), false));
    }
    found
}

/// The engines of a plugin that is not for SQLite alone.
pub fn runs_on(manifest: &Manifest) -> Option<String> {
    let names: Vec<&str> = manifest.engines.iter().map(|engine| engine.words()).collect();
    (names.len() > 1).then(|| format!("runs on {}", names.join(" and ")))
}

/// What an approval of `hosts` in `plugins.lock` allows.
fn may_call(approval: &str) -> String {
    match approval.split_once(" with ") {
        Some((host, secret)) => format!("may call {host} with the secret `{secret}`"),
        None if approval.contains('.') => format!("may call {approval}"),
        None => format!("may send requests with the credential `{approval}`"),
    }
}

fn has_setting(setting: &Setting<String>) -> String {
    let Setting { key, words, .. } = setting;
    let words = match words.is_empty() {
        true => String::new(),
        false => format!(": {words}"),
    };
    match &setting.default {
        _ if setting.kind == SettingKind::Secret => format!("takes the secret `{key}`{words}"),
        Some(default) => format!("has the setting `{key}`{words} (`{default}` until it is set)"),
        None => format!("has the setting `{key}`{words}"),
    }
}

fn public(manifest: &Manifest) -> usize {
    let routes = manifest.routes.iter();
    routes.filter(|route| route.guard.kind == GuardKind::Public).count()
}
