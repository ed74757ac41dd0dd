//! `galley cluster`: how the servers of a cluster, its database and its object store do. It asks those two, and no server.

use std::fmt::Write;

use anyhow::{Context, bail};
use clap::Subcommand;
use serde_json::json;

use super::boot;
use super::output::{print, print_json};
use crate::config::{ClusterConfig, Config, ObjectsConfig};
use crate::core::Status;
use crate::storage::objects::{Bucket, ObjectError};

/// How long an event may wait before it counts as something that is missing, in milliseconds.
const MAX_WAIT: i64 = 60_000;

/// What may be done with a cluster.
#[derive(Debug, Subcommand)]
pub enum ClusterCommand {
    /// Show servers, leases, waiting events, builds, the database and the object store
    ///
    /// It asks the database of SERVICE_DATABASE_URL and the store of SERVICE_OBJECTS_URL, with the settings of a server and from
    /// any machine of the cluster, also where no server runs. It changes nothing.
    ///
    /// What is missing is said in lines that begin with `!`: a server that was killed within a day and is not back, a store that does not
    /// answer, a database that no standby follows though it waits for one, events that nobody has delivered for a minute.
    ///
    /// Exit code: 0 when nothing is missing; 5 when something is; 1, with a sentence on standard error, when the database cannot be
    /// asked.
    ///
    /// The names of standbys, and which of them are waited for, are told to a role with `pg_monitor` only:
    /// `GRANT pg_monitor TO galley`, as a superuser of the database.
    Status {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Something is missing, and was said on standard output.
#[derive(Debug, thiserror::Error)]
#[error("something is missing in the cluster")]
pub struct Degraded;

/// Runs a command.
pub fn run(config: &Config, command: &ClusterCommand) -> anyhow::Result<()> {
    let ClusterCommand::Status { json } = command;
    let (Some(cluster), Some(objects)) = (&config.cluster, &config.objects) else {
        bail!(
            "`galley cluster` looks at a cluster: set SERVICE_DATABASE_URL, SERVICE_OBJECTS_URL and SERVICE_CLUSTER_KEY_FILE as they \
             are on its servers (a server without them is alone, and `galley plugins list` and its health say how it does)"
        );
    };
    let (status, store) = boot::runtime()?.block_on(look(cluster, objects))?;
    let missing = missing(&status, objects, &store);
    match json {
        true => {
            let mut all = serde_json::to_value(&status)?;
            all["database"]["address"] = cluster.database.shown().into();
            all["objects"] = json!({
                "url": objects.url, "answers": store.is_ok(), "problem": store.as_ref().err().map(ToString::to_string),
            });
            all["missing"] = json!(missing);
            print_json(&all)?;
        }
        false => print(&text(&status, cluster, objects, &store, &missing)?)?,
    }
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Degraded.into()),
    }
}

async fn look(cluster: &ClusterConfig, objects: &ObjectsConfig) -> anyhow::Result<(Status, Result<(), ObjectError>)> {
    let store = async {
        match Bucket::new(objects) {
            Ok(bucket) => bucket.check().await,
            Err(error) => Err(error),
        }
    };
    let (status, store) = tokio::join!(Status::of(&cluster.database), store);
    let status = status.with_context(|| {
        let place = cluster.database.shown();
        format!(
            "nothing can be told of the cluster, because its database cannot be asked: {place} (SERVICE_DATABASE_URL)"
        )
    });
    Ok((status?, store))
}

/// A sentence for each thing that is missing.
fn missing(status: &Status, objects: &ObjectsConfig, store: &Result<(), ObjectError>) -> Vec<String> {
    let mut missing = Vec::new();
    let gone = status.nodes.iter().filter(|node| !node.is_there);
    missing.extend(gone.map(|node| {
        let time = span(status.at - node.seen_at);
        format!(
            "the server `{}` at {} has not been seen for {time}",
            node.name, node.address
        )
    }));
    if !status.nodes.iter().any(|node| node.is_there) {
        missing.push("no server runs".to_owned());
    }
    let database = &status.database;
    if !database.synchronous_standby_names.is_empty() && database.standbys.is_empty() {
        missing.push(format!(
            "no standby follows the database, which waits for one (synchronous_standby_names is `{}`): no change is acknowledged",
            database.synchronous_standby_names
        ));
    }
    if let Err(error) = store {
        missing.push(format!(
            "{} cannot be used from here: {error} (SERVICE_OBJECTS_URL)",
            objects.url
        ));
    }
    for events in &status.events {
        let waited = events.oldest.map_or(0, |oldest| status.at - oldest);
        if waited > MAX_WAIT {
            let (slot, count, time) = (&events.slot, events.waiting, span(waited));
            missing.push(format!(
                "{count} events wait for the plugin `{slot}`, the first for {time}"
            ));
        }
    }
    missing
}

fn text(
    status: &Status,
    cluster: &ClusterConfig,
    objects: &ObjectsConfig,
    store: &Result<(), ObjectError>,
    missing: &[String],
) -> Result<String, std::fmt::Error> {
    let mut text = String::from("servers\n");
    for node in &status.nodes {
        let seen = match node.is_there {
            true => format!("up for {}", span(status.at - node.since)),
            false => format!("gone for {}", span(status.at - node.seen_at)),
        };
        let (name, version, address) = (&node.name, &node.version, &node.address);
        writeln!(text, "  {name:<20} {version:<10} {address:<22} {seen}")?;
    }
    writeln!(text, "leases")?;
    for lease in &status.leases {
        let (name, node, epoch) = (&lease.name, shown(lease.node.as_deref()), lease.epoch);
        let ends = span(lease.ends_at - status.at);
        writeln!(
            text,
            "  {name:<20} {node:<20} epoch {epoch}, ends in {ends} unless it is renewed"
        )?;
    }
    writeln!(text, "waiting")?;
    for events in &status.events {
        let oldest = events
            .oldest
            .map(|at| format!(", the first for {}", span(status.at - at)));
        let (slot, count) = (format!("events for {}", events.slot), events.waiting);
        writeln!(text, "  {slot:<20} {count}{}", oldest.unwrap_or_default())?;
    }
    writeln!(text, "  {:<20} {}", "mails", status.mails)?;
    writeln!(text, "  {:<20} {}", "builds", status.queued_builds)?;
    writeln!(text, "builds")?;
    for build in &status.builds {
        let (name, node) = (format!("{}/{}", build.slot, build.id), shown(build.node.as_deref()));
        let ends = span(build.ends_at - status.at);
        writeln!(text, "  {name:<20} {node:<20} claimed for {ends} unless it is renewed")?;
    }
    let database = &status.database;
    writeln!(text, "database\n  {}", cluster.database.shown())?;
    let (version, leader) = (&database.version, shown(database.leader.as_deref()));
    let (mb, schema) = (database.bytes as f64 / 1e6, database.schema);
    writeln!(
        text,
        "  PostgreSQL {version}, led by {leader}, schema {schema}, {mb:.1} MB"
    )?;
    match database.synchronous_standby_names.as_str() {
        "" => writeln!(text, "  waits for no standby (synchronous_standby_names is empty)")?,
        names => writeln!(text, "  waits for standbys: {names}")?,
    }
    for standby in &database.standbys {
        let (name, state) = (
            shown(standby.name.as_deref().filter(|name| !name.is_empty())),
            shown(standby.state.as_deref()),
        );
        writeln!(
            text,
            "  standby {name}: {state}, {}",
            shown(standby.sync_state.as_deref())
        )?;
    }
    let answers = match store {
        Ok(()) => "answers",
        Err(_) => "does not answer",
    };
    writeln!(text, "object store\n  {} {answers}", objects.url)?;
    for line in missing {
        writeln!(text, "! {line}")?;
    }
    Ok(text)
}

/// What is not known, or not told to this role, is a question mark.
fn shown(text: Option<&str>) -> &str {
    text.unwrap_or("?")
}

/// A length of time for people.
fn span(ms: i64) -> String {
    let seconds = ms.max(0) / 1_000;
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h", seconds / 3_600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_the_unit_that_fits() {
        for (ms, text) in [
            (-5, "0 s"),
            (1_999, "1 s"),
            (119_999, "119 s"),
            (120_000, "2 min"),
            (7_200_000, "2 h"),
            (172_800_000, "2 days"),
        ] {
            assert_eq!(span(ms), text);
        }
    }
}
