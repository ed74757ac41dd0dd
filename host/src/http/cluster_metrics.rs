//! What Prometheus is told of a cluster, by each server as the database knows it. Written here as that of slots is: servers and leases
//! come and go.

use std::fmt::{Display, Write};

use super::App;
use super::slot_metrics::head;
use crate::core::Status;

/// The text; empty for a server alone.
pub async fn render(app: &App) -> String {
    let mut text = String::new();
    if app.config.objects.is_some() {
        let answers = app.services.sites.check_store().await.is_ok();
        one(&mut text, "galley_objects_up", u8::from(answers));
    }
    if !app.core.is_shared() {
        return text;
    }
    let status = app.core.status().await;
    one(&mut text, "galley_database_up", u8::from(status.is_ok()));
    one(
        &mut text,
        "galley_database_acknowledges",
        u8::from(status.is_ok() && !app.core.is_stuck()),
    );
    match status {
        Ok(Some(status)) => of(&mut text, &status),
        Ok(None) => {}
        Err(error) => error.tell("the cluster cannot be looked at"),
    }
    text
}

fn of(text: &mut String, status: &Status) {
    one(text, "galley_database_bytes", status.database.bytes);
    one(text, "galley_database_standbys", status.database.standbys.len());
    let seconds = |from: Option<i64>| from.map_or(0.0, |from| (status.at - from).max(0) as f64 / 1e3);
    let nodes = status.nodes.iter();
    family(
        text,
        "galley_node_up",
        nodes.map(|node| {
            (
                [("node", &*node.name), ("version", &*node.version)],
                u8::from(node.is_there),
            )
        }),
    );
    let leases = status.leases.iter().filter(|lease| lease.is_own);
    family(
        text,
        "galley_lease_held",
        leases.map(|lease| ([("lease", &*lease.name)], 1)),
    );
    let events = status.events.iter();
    family(
        text,
        "galley_slot_events_waiting",
        events.clone().map(|events| ([("slot", &*events.slot)], events.waiting)),
    );
    family(
        text,
        "galley_slot_events_oldest_seconds",
        events.map(|events| ([("slot", &*events.slot)], seconds(events.oldest))),
    );
    one(
        text,
        "galley_builds_claimed",
        status.builds.iter().filter(|build| build.is_own).count(),
    );
}

fn one(text: &mut String, name: &str, value: impl Display) {
    head(text, name, "gauge");
    let _ = writeln!(text, "{name} {value}");
}

fn family<'s, const N: usize, V: Display>(
    text: &mut String,
    name: &str,
    values: impl Iterator<Item = ([(&'static str, &'s str); N], V)>,
) {
    head(text, name, "gauge");
    for (labels, value) in values {
        // Names of servers, leases and slots have no character that would have to be escaped.
        let labels = labels.map(|(label, of)| format!("{label}=\"{of}\"")).join(",");
        let _ = writeln!(text, "{name}{{{labels}}} {value}");
    }
}
