//! Archives that are refused without a trace.

use galley_tests::archive::{Entry, empty_blocks, tar};
use galley_tests::bundle::gzip;
use galley_tests::prelude::*;

/// A server with a project that has something live.
pub(crate) struct Live {
    pub(crate) server: Server,
    pub(crate) ed: Client,
    pub(crate) shop: String,
}

impl Live {
    pub(crate) fn start() -> Live {
        let server = Server::start();
        let ed = server.user("ed");
        let shop = project(&ed, "shop");
        upload(&ed, &shop, &Bundle::sample("The first"));
        Live { server, ed, shop }
    }

    pub(crate) fn serves(&self, title: &str) -> bool {
        self.ed.get("/p/shop/").expect(200).text().contains(title)
    }

    /// Uploads bytes that must be refused with `status`, and demands that nothing changed. Gives the message.
    #[track_caller]
    pub(crate) fn refuses(&self, bytes: impl Into<Vec<u8>>, status: u16) -> String {
        let before = live(&self.ed, &self.shop);
        let error = upload_bytes(&self.ed, &self.shop, bytes).expect(status).error();
        assert_eq!(live(&self.ed, &self.shop), before, "what is live changed");
        assert!(self.serves("The first"));
        eventually("the refused upload left nothing", || {
            self.left_over(before.as_str().unwrap_or_default())
                .is_empty()
                .then_some(())
        });
        error
    }

    /// Files of prototypes that do not belong to the live deployment. What belongs to it is named after it.
    fn left_over(&self, live: &str) -> Vec<String> {
        let mut files = self.server.own_files("staging");
        files.extend(self.server.stored("sites"));
        files.retain(|file| !file.contains(live));
        files
    }

    /// Demands that the server is none the worse for it.
    #[track_caller]
    pub(crate) fn still_works(&self) {
        healthy(&self.server);
        upload(&self.ed, &self.shop, &Bundle::sample("The second"));
        assert!(self.serves("The second"));
    }
}

pub(crate) fn evil(entries: &[Entry]) -> Vec<u8> {
    let mut all = vec![Entry::file("index.html", "<h1>Evil</h1>")];
    all.extend_from_slice(entries);
    gzip(&tar(&all))
}

#[test]
fn what_is_no_gzipped_tar_is_refused() {
    let live = Live::start();
    live.refuses(b"<h1>not an archive</h1>".to_vec(), 400);
    live.refuses(Vec::new(), 400);
    live.refuses(Bundle::page("x").tar(), 400);
    live.refuses(
        gzip(b"this is not a tar at all, although it is longer than a few bytes"),
        400,
    );
    live.refuses(gzip(&[0xff; 4096]), 400);
    live.still_works();
}

#[test]
fn a_truncated_archive_is_refused() {
    let live = Live::start();
    let whole = Bundle::sample("Whole").file("big.bin", noise(200_000)).build();
    for keep in [10, 100, whole.len() / 2, whole.len() - 9, whole.len() - 1] {
        live.refuses(whole[..keep].to_vec(), 400);
    }
    let tar = Bundle::sample("Whole").tar();
    live.refuses(gzip(&tar[..512 + 100]), 400);
    live.refuses(gzip(&tar[..700]), 400);
    live.still_works();
}

#[test]
fn a_damaged_gzip_is_refused() {
    let live = Live::start();
    let mut checksum = Bundle::page("x").build();
    let at = checksum.len() - 6;
    checksum[at] ^= 1;
    live.refuses(checksum, 400);
    let mut trailing = Bundle::page("x").build();
    trailing.extend(b"and then something that is no gzip");
    live.refuses(trailing, 400);
    let mut reserved = Bundle::page("x").build();
    reserved[3] |= 0xe0;
    live.refuses(reserved, 400);
    live.still_works();
}

#[test]
fn paths_that_leave_the_bundle_are_refused() {
    let live = Live::start();
    let long = format!("{}/x", "d".repeat(90));
    let names: [&[u8]; 14] = [
        b"/tmp/moo",
        b"//tmp/moo",
        b"../moo",
        b"tmp/../../moo",
        b"a/../../index.html",
        b"..",
        b"a\\..\\..\\moo",
        b"a//../../x",
        b"C:\\moo",
        b"bad\x01name",
        b"bad\nname",
        b"\xff\xfe",
        b"a/./../../b",
        b".../../../x",
    ];
    for name in names {
        let error = live.refuses(evil(&[Entry::file(name, "x")]), 400);
        assert!(
            !error.contains("/tmp/galley"),
            "the message tells of the server's disk: {error}"
        );
    }
    live.refuses(
        evil(&[Entry::pax("path", b"../moo"), Entry::file("harmless", "x")]),
        400,
    );
    live.refuses(
        evil(&[
            Entry {
                kind: b'L',
                ..Entry::file("././@LongLink", "../".repeat(60))
            },
            Entry::file("short", "x"),
        ]),
        400,
    );
    let deep = vec![long.as_str(); 60].join("/");
    live.refuses(
        evil(&[Entry::pax("path", deep.as_bytes()), Entry::file("deep", "x")]),
        400,
    );
    live.still_works();
}

#[test]
fn links_and_devices_are_refused() {
    let live = Live::start();
    for (kind, link) in [
        (b'1', "index.html"),
        (b'2', "/etc/passwd"),
        (b'2', "index.html"),
        (b'3', ""),
        (b'4', ""),
        (b'6', ""),
    ] {
        live.refuses(evil(&[Entry::of(kind, "odd", link)]), 400);
    }
    live.refuses(
        evil(&[Entry::of(b'2', "dir", "/tmp"), Entry::file("dir/moo", "x")]),
        400,
    );
    live.refuses(evil(&[Entry::of(b'2', "index.html", "/etc/passwd")]), 400);
    live.refuses(evil(&[Entry::of(b'S', "sparse", "")]), 400);
    live.still_works();
}

#[test]
fn one_path_twice_is_refused() {
    let live = Live::start();
    live.refuses(evil(&[Entry::file("index.html", "again")]), 400);
    live.refuses(evil(&[Entry::file("./index.html", "again")]), 400);
    live.refuses(
        evil(&[Entry::file("a", "file"), Entry::file("a/b", "below a file")]),
        400,
    );
    live.still_works();
}

#[test]
fn headers_that_lie_are_refused() {
    let live = Live::start();
    live.refuses(
        evil(&[Entry {
            honest: false,
            ..Entry::file("a", "x")
        }]),
        400,
    );
    live.refuses(evil(&[Entry::file("a", "x").sized(b"77777777777\0")]), 400);
    live.refuses(evil(&[Entry::file("a", "x").sized(b"not a number")]), 400);
    live.refuses(
        evil(&[Entry::file("a", "x").sized(b"\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff")]),
        400,
    );
    live.refuses(
        evil(&[Entry::file("a", "x").sized(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")]),
        400,
    );
    live.refuses(
        evil(&[Entry::pax("size", b"99999999999999"), Entry::file("a", "x")]),
        400,
    );
    live.refuses(evil(&[Entry::pax("size", b"-1"), Entry::file("a", "x")]), 400);
    live.refuses(
        evil(&[
            Entry {
                kind: b'x',
                ..Entry::file("p", "999999999 path=a\n")
            },
            Entry::file("a", "x"),
        ]),
        400,
    );
    live.still_works();
}

#[test]
fn a_bomb_stops_at_the_limit() {
    let live = Live::start();
    let bomb = Entry::file("zeros.bin", vec![0; 201 << 20]);
    let bytes = evil(&[bomb]);
    assert!(bytes.len() < 4 << 20, "the point is a small upload");
    live.refuses(bytes, 400);
    live.still_works();
}

#[test]
fn a_pax_header_without_end_stops_at_a_limit() {
    let live = Live::start();
    live.refuses(
        evil(&[
            Entry {
                kind: b'x',
                ..Entry::file("p", vec![b'a'; 64 << 20])
            },
            Entry::file("a", "x"),
        ]),
        400,
    );
    live.refuses(
        evil(&[
            Entry {
                kind: b'L',
                ..Entry::file("p", vec![b'a'; 64 << 20])
            },
            Entry::file("a", "x"),
        ]),
        400,
    );
    live.still_works();
}

#[test]
fn more_than_twenty_thousand_entries_are_refused() {
    let live = Live::start();
    let entries: Vec<Entry> = (0..20_000)
        .map(|number| Entry::file(format!("f{number}"), ""))
        .collect();
    live.refuses(evil(&entries), 400);
    let folders: Vec<Entry> = (0..20_000)
        .map(|number| Entry::of(b'5', format!("d{number}/"), ""))
        .collect();
    live.refuses(evil(&folders), 400);
    live.still_works();
}

#[test]
fn more_than_the_compressed_limit_is_a_413() {
    // Announced, but never sent: the refusal need not wait for it.
    let Live { server, ed, shop } = Live::start();
    let target = format!("/api/v1/projects/{shop}/deployments");
    let request = ed
        .request("POST", &target)
        .header("content-length", ((200u64 << 20) + 1).to_string());
    let answer = galley_tests::http::raw(
        server.address(),
        request.head().as_bytes(),
        std::time::Duration::from_secs(20),
    );
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    // Sent without an announcement, as input that unpacks to nothing.
    refused_in_chunks(&ed, &target, &empty_blocks((200 << 20) / 5 + 4));
    assert!(ed.get("/p/shop/").expect(200).text().contains("The first"));
    healthy(&server);
}

fn refused_in_chunks(caller: &Client, target: &str, bytes: &[u8]) {
    let mut chunked = Vec::with_capacity(bytes.len() + (bytes.len() >> 10));
    for part in bytes.chunks(1 << 20) {
        chunked.extend(format!("{:x}\r\n", part.len()).into_bytes());
        chunked.extend(part);
        chunked.extend(b"\r\n");
    }
    chunked.extend(b"0\r\n\r\n");
    let request = caller
        .request("POST", target)
        .header("transfer-encoding", "chunked")
        .body(chunked);
    assert!(!request.send().expect(413).error().is_empty());
}

/// Bytes that do not compress, always the same.
pub(crate) fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let step = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    std::iter::repeat_with(step).take(length).collect()
}
