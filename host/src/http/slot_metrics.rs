//! What Prometheus is told of each slot. Written here and not by the exporter, which would go on showing slots that are gone.

use std::fmt::{Display, Write};
use std::sync::atomic::{AtomicU64, Ordering};

use super::App;
use crate::capabilities::Counters;
use crate::plugins::plugin::Plugin;

/// A family of counts: its name, its kind, and the values of a slot, each with further labels.
type Family = (
    &'static str,
    &'static str,
    fn(&Counters) -> Vec<(&'static str, &AtomicU64)>,
);

const FAMILIES: [Family; 10] = [
    ("galley_plugin_failures_total", "counter", |of| {
        vec![
            (",cause=\"trap\"", &of.traps),
            (",cause=\"memory\"", &of.out_of_memory),
            (",cause=\"timeout\"", &of.timeouts),
            (",cause=\"busy\"", &of.busy),
            (",cause=\"tripped\"", &of.refused),
        ]
    }),
    ("galley_plugin_traps_total", "counter", |of| vec![("", &of.traps)]),
    ("galley_plugin_timeouts_total", "counter", |of| vec![("", &of.timeouts)]),
    ("galley_plugin_denied_total", "counter", |of| vec![("", &of.denied)]),
    ("galley_plugin_dropped_log_lines_total", "counter", |of| {
        vec![("", &of.dropped_lines)]
    }),
    ("galley_plugin_slow_calls_total", "counter", |of| vec![("", &of.slow)]),
    ("galley_plugin_jobs_total", "counter", |of| {
        vec![
            (",outcome=\"done\"", &of.jobs),
            (",outcome=\"failed\"", &of.failed_jobs),
        ]
    }),
    ("galley_plugin_trips_total", "counter", |of| vec![("", &of.trips)]),
    ("galley_plugin_instances", "gauge", |of| vec![("", &of.instances)]),
    ("galley_plugin_memory_bytes", "gauge", |of| vec![("", &of.memory)]),
];

/// The text of all slots.
pub async fn render(app: &App) -> String {
    let mut text = String::new();
    let serving = app.serving();
    let slots = &serving.slots;
    for (name, kind, values) in FAMILIES {
        head(&mut text, name, kind);
        for plugin in slots.iter() {
            for (labels, value) in values(&plugin.state.counters) {
                line(
                    &mut text,
                    name,
                    &plugin.state.name,
                    labels,
                    value.load(Ordering::Relaxed),
                );
            }
        }
    }
    head(&mut text, "galley_plugin_calls_total", "counter");
    for plugin in slots.iter() {
        let calls = plugin.state.counters.calls.total();
        line(&mut text, "galley_plugin_calls_total", &plugin.state.name, "", calls);
    }
    head(&mut text, "galley_plugin_call_duration_seconds", "histogram");
    slots.iter().for_each(|plugin| durations(&mut text, plugin));
    let failing = app.failing();
    head(&mut text, "galley_plugin_serves", "gauge");
    let others = failing
        .iter()
        .filter(|slot| !slots.iter().any(|plugin| plugin.state.name == **slot));
    for slot in slots.iter().map(|plugin| &plugin.state.name).chain(others) {
        line(
            &mut text,
            "galley_plugin_serves",
            slot,
            "",
            u8::from(!failing.contains(slot)),
        );
    }
    match app.core.count_set_aside().await {
        Ok(counts) => {
            head(&mut text, "galley_plugin_events_set_aside", "gauge");
            for (slot, count) in counts {
                line(&mut text, "galley_plugin_events_set_aside", &slot, "", count);
            }
        }
        Err(error) => error.tell("the events that were set aside cannot be counted"),
    }
    text
}

fn durations(text: &mut String, plugin: &Plugin) {
    const NAME: &str = "galley_plugin_call_duration_seconds";
    let (slot, calls) = (plugin.state.name.as_str(), &plugin.state.counters.calls);
    let rows = calls.cumulative();
    let total = rows.last().map_or(0, |(_, count)| *count);
    for (end, count) in rows {
        let labels = format!(",le=\"{}\"", end.as_secs_f64());
        line(text, &format!("{NAME}_bucket"), slot, &labels, count);
    }
    line(text, &format!("{NAME}_bucket"), slot, ",le=\"+Inf\"", total);
    line(text, &format!("{NAME}_sum"), slot, "", calls.sum().as_secs_f64());
    line(text, &format!("{NAME}_count"), slot, "", total);
}

pub(super) fn head(text: &mut String, name: &str, kind: &str) {
    let _ = writeln!(text, "# TYPE {name} {kind}");
}

fn line(text: &mut String, name: &str, slot: &str, labels: &str, value: impl Display) {
    // A slot's name is a word of small letters and hyphens.
    let _ = writeln!(text, "{name}{{slot=\"{slot}\"{labels}}} {value}");
}
