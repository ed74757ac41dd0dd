//! An upload until it is live ÷ `tar xzf` of the same file.

use std::process::Command;
use std::time::Instant;

use anyhow::{Result, ensure};

use super::Row;
use super::load::median;
use crate::prelude::*;

const FILES: usize = 5_000;
const FILE: usize = 20 << 10;
const TURNS: usize = 5;

pub(super) fn measure() -> Result<Vec<Row>> {
    let bundle = bundle().build();
    let server = Server::start();
    let ed = server.user("ed");
    let folder = tempfile::tempdir()?;
    let archive = folder.path().join("build.tgz");
    std::fs::write(&archive, &bundle)?;
    // A warm server: what grows from here on is the upload's.
    let first = project(&ed, "first");
    upload(&ed, &first, &Bundle::sample("first"));
    let before = server.resident();

    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for turn in 0..TURNS {
        let shop = project(&ed, "shop");
        let started = Instant::now();
        upload_bytes(&ed, &shop, bundle.clone()).expect(201);
        ours.push(started.elapsed().as_secs_f64());
        server.anonymous().get("/api/v1/health").expect(200);

        let target = folder.path().join(format!("unpacked-{turn}"));
        std::fs::create_dir(&target)?;
        let started = Instant::now();
        let status = Command::new("tar")
            .arg("xzf")
            .arg(&archive)
            .arg("-C")
            .arg(&target)
            .status()?;
        theirs.push(started.elapsed().as_secs_f64());
        ensure!(status.success(), "tar failed");
        std::fs::remove_dir_all(target)?;
    }
    let (a, b) = (median(&mut ours), median(&mut theirs));
    let grown = peak(server.id()).saturating_sub(before) as f64 / f64::from(1 << 20);
    Ok(vec![Row {
        what: format!(
            "upload of a {} MB / {FILES}-file build until live ÷ `tar xzf` of it",
            (FILES * FILE) >> 20
        ),
        goal: "≤ 1.5, memory flat",
        result: format!("{:.2}, +{grown:.0} MB at most", a / b),
        detail: format!(
            "{a:.2} s ÷ {b:.2} s, {:.0} MB compressed",
            bundle.len() as f64 / f64::from(1 << 20)
        ),
        reached: Some(a / b <= 1.5 && grown <= 64.0),
    }])
}

/// The most memory a process had so far, in bytes.
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kib| kib.parse::<u64>().ok())
        .unwrap_or(0)
        * 1024
}

/// Files as a build has them: text that compresses to about a third, each one different.
fn bundle() -> Bundle {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut word = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 40
    };
    (1..FILES).fold(Bundle::page("<h1>Large</h1>"), |bundle, number| {
        let mut text = String::with_capacity(FILE + 32);
        while text.len() < FILE {
            text.push_str(&format!("export const v{} = f{};\n", word(), word() % 1_000));
        }
        text.truncate(FILE);
        bundle.file(&format!("assets/{:02}/chunk-{number}.txt", number % 100), text)
    })
}
