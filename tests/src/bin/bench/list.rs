//! Listing 20 comments: through the plugin, and through the same handler in plain axum and rusqlite.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use galley_tests::prelude::*;

use crate::Row;
use crate::wrk::{Side, versus};

pub fn measure() -> Vec<Row> {
    let server = Server::start();
    let admin = server.admin();
    let project = project(&server.user("ed"), "list");
    for n in 0..20 {
        comment(
            &server.user("ed"),
            &project,
            &format!("Comment {n}: the heading could be \"larger\", I think."),
        );
    }
    let database = server.data_dir().join("slots/comments.db");
    let program = std::env::current_exe().unwrap();
    let mut peer = Command::new(program)
        .arg("--peer")
        .args([database.to_str().unwrap(), admin.secret()])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(peer.stdout.take().unwrap())
        .read_line(&mut address)
        .unwrap();
    let path = comments(&project);
    let bearer = format!("Bearer {}", admin.secret());
    let headers = [("Authorization", bearer.as_str())];
    let ours = Side {
        url: format!("{}{path}", server.url()),
        headers: &headers,
    };
    let theirs = Side {
        url: format!("http://{}{path}", address.trim()),
        headers: &headers,
    };
    let (our, their) = versus(&ours, &theirs, 5);
    peer.kill().unwrap();
    peer.wait().unwrap();
    let ratio = our / their;
    vec![Row {
        what: "list 20 comments through the plugin ÷ the same handler in plain axum + rusqlite".into(),
        goal: "≥ 0.9",
        measured: format!("{ratio:.2} ({our:.0} ÷ {their:.0} requests/s)"),
        reached: ratio >= 0.9,
    }]
}
