//! An upload until it is live, and `tar xzf` of the same archive.

use std::process::Command;
use std::time::Instant;

use galley_tests::prelude::*;
use galley_tests::steps::upload_bytes;

use crate::{Row, median};

const FILES: usize = 5_000;
const BYTES: usize = 20 << 10;

pub fn measure() -> Vec<Row> {
    let archive = archive();
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("build.tgz");
    std::fs::write(&packed, &archive).unwrap();
    let server = Server::start();
    let ed = server.user("ed");
    let project = project(&ed, "upload");
    let before = server.resident();
    let (mut ours, mut theirs, mut peak) = (Vec::new(), Vec::new(), 0);
    for round in 0..5 {
        let started = Instant::now();
        upload_bytes(&ed, &project, archive.clone()).expect(201);
        ours.push(started.elapsed().as_secs_f64());
        peak = peak.max(server.resident());
        let target = folder.path().join(format!("out{round}"));
        std::fs::create_dir(&target).unwrap();
        let started = Instant::now();
        let status = Command::new("tar")
            .arg("xzf")
            .arg(&packed)
            .arg("-C")
            .arg(&target)
            .status();
        assert!(status.unwrap().success());
        theirs.push(started.elapsed().as_secs_f64());
    }
    let (our, their) = (median(ours), median(theirs));
    let grown = peak.saturating_sub(before) as f64 / (1 << 20) as f64;
    let ratio = our / their;
    vec![Row {
        what: "upload of a 100 MB / 5,000-file build until live ÷ `tar xzf` of it".into(),
        goal: "≤ 1.5, memory flat",
        measured: format!("{ratio:.2} ({our:.2} ÷ {their:.2} s), {grown:.0} MB more resident"),
        reached: ratio <= 1.5 && grown < 100.0,
    }]
}

/// Scripts and pages as builds hold them: text that compresses about three to one.
fn archive() -> Vec<u8> {
    let mut seed = 1u64;
    let mut bundle = Bundle::page("x");
    for n in 0..FILES {
        let mut text = String::with_capacity(BYTES + 64);
        while text.len() < BYTES {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            text.push_str(&format!(
                "const value{:x} = make({:x}, \"part\");\n",
                seed >> 40,
                seed >> 32 & 0xffff
            ));
        }
        let ending = ["js", "css", "txt", "json"][n % 4];
        bundle = bundle.file(&format!("assets/{}/part-{n}.{ending}", n % 50), text.into_bytes());
    }
    bundle.build()
}
