//! Killing a server again and again while it is written to, and counting what is missing afterwards.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use crate::prelude::*;

/// What became of the comments of all rounds.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Comments the server said it has.
    pub acknowledged: usize,
    /// Acknowledged comments that were not there after a boot.
    pub lost: Vec<String>,
    /// Comments that were there more than once.
    pub doubled: Vec<String>,
}

/// Kills a server `kills` times while four writers comment, and looks for everything after each boot.
pub fn while_commenting(kills: u32) -> Outcome {
    let mut server = Server::start();
    let shop = project(&server.user("ed"), "shop");
    let path = comments(&shop);
    let acknowledged = Mutex::new(Vec::new());
    let mut outcome = Outcome::default();
    for round in 0..kills {
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let (server, acknowledged, path) = (&server, &acknowledged, &path);
                scope.spawn(move || write(server, path, &format!("{round}-{writer}"), acknowledged));
            }
            let processes = server.ids();
            scope.spawn(move || kill_after(&processes, life(round)));
            // The writers end by themselves when the server does.
        });
        server.kill();
        server.again();
        compare(&server, &shop, &lock(&acknowledged), &mut outcome);
    }
    outcome.acknowledged = lock(&acknowledged).len();
    outcome
}

fn lock(list: &Mutex<Vec<String>>) -> std::sync::MutexGuard<'_, Vec<String>> {
    list.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Comments until the server is gone.
fn write(server: &Server, path: &str, name: &str, acknowledged: &Mutex<Vec<String>>) {
    let ed = server.user("ed");
    for number in 0.. {
        let body = format!("{name}-{number}");
        match ed.request("POST", path).json(&remark(&body)).try_send() {
            Ok(answer) if answer.status == 201 => lock(acknowledged).push(body),
            Ok(answer) => panic!("a comment was refused: {}{}", answer.head, answer.text()),
            Err(_) => return,
        }
    }
}

fn compare(server: &Server, project: &str, acknowledged: &[String], outcome: &mut Outcome) {
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    for body in bodies(&server.user("ed"), project) {
        *found.entry(body).or_default() += 1;
    }
    outcome
        .lost
        .extend(acknowledged.iter().filter(|body| !found.contains_key(*body)).cloned());
    outcome
        .doubled
        .extend(found.into_iter().filter(|(_, count)| *count > 1).map(|(body, _)| body));
}

/// Sends SIGKILL after a while.
pub fn kill_after(processes: &[u32], time: Duration) {
    std::thread::sleep(time);
    let _ = std::process::Command::new("sh")
        .args(["-c", "kill -s KILL \"$@\"", "sh"])
        .args(processes.iter().map(u32::to_string))
        .status();
}

/// How long the server lives in a round: from at once to half a second, in an order without pattern.
pub fn life(round: u32) -> Duration {
    Duration::from_millis(u64::from(round.wrapping_mul(2_654_435_761) >> 16) % 500)
}
