//! Ranges and encodings of a prototype's files.

use std::io::Read;

use galley_tests::nodes::NODES;
use galley_tests::prelude::*;

const FILE: &str = "/p/shop/data.bin";
const SCRIPT: &str = "/p/shop/big.js";

/// A thousand bytes at `data.bin`, each group of ten naming its place, and a script worth compressing.
fn shop() -> (Client, Server) {
    let server = Server::start();
    let ed = server.user("ed");
    let shop = project(&ed, "shop");
    let bundle = Bundle::page("x")
        .file("data.bin", thousand())
        .file("big.js", script())
        .file("image.png", vec![7; 5_000]);
    upload(&ed, &shop, &bundle);
    (ed, server)
}

fn thousand() -> Vec<u8> {
    (0..100)
        .flat_map(|number| format!("{number:010}").into_bytes())
        .collect()
}

fn script() -> String {
    (0..2_000)
        .map(|number| format!("export const value{number} = {number};\n"))
        .collect()
}

/// Waits for the encodings of a file: they are made in the background, and until then it is served as it is.
fn encoded(caller: &Client) {
    let ask = || {
        caller
            .request("GET", SCRIPT)
            .header("accept-encoding", "br")
            .send()
            .expect(200)
    };
    // A balancer asks each node in its turn.
    let is_encoded = |_| ask().header("content-encoding").is_some();
    eventually("the file is encoded", || (0..NODES).all(is_encoded).then_some(()));
}

fn range(caller: &Client, value: &str) -> Response {
    caller.request("GET", FILE).header("range", value).send()
}

#[test]
fn one_range_is_a_206_with_its_place() {
    let (ed, _server) = shop();
    let bytes = thousand();
    let cases = [
        ("bytes=0-8", 0, 8),
        ("bytes=0-0", 0, 0),
        ("bytes=-10", 990, 999),
        ("bytes=990-", 990, 999),
        ("bytes=990-1990", 990, 999),
        ("bytes=999-999", 999, 999),
        ("bytes=-5000", 0, 999),
        ("bytes=0-", 0, 999),
        ("bytes=0-18446744073709551615", 0, 999),
    ];
    for (value, first, last) in cases {
        let answer = range(&ed, value).expect(206);
        assert_eq!(answer.body, &bytes[first..=last], "{value}");
        assert_eq!(
            answer.header("content-range"),
            Some(format!("bytes {first}-{last}/1000").as_str()),
            "{value}"
        );
        assert_eq!(
            answer.header("content-length"),
            Some((last - first + 1).to_string().as_str()),
            "{value}"
        );
        assert_eq!(answer.header("content-encoding"), None, "{value}");
    }
    assert_eq!(ed.get(FILE).expect(200).header("accept-ranges"), Some("bytes"));
}

#[test]
fn a_range_outside_is_a_416() {
    let (ed, _server) = shop();
    for value in [
        "bytes=1000-",
        "bytes=100000-",
        "bytes=1000-1001",
        "bytes=-0",
        "bytes=99999999999999999999-",
    ] {
        let answer = range(&ed, value);
        // A range that is no number may be ignored as well: then the whole file is the answer.
        if answer.status == 200 && value.len() > 20 {
            continue;
        }
        assert_eq!(
            answer.expect(416).header("content-range"),
            Some("bytes */1000"),
            "{value}"
        );
    }
}

#[test]
fn what_is_no_range_is_ignored() {
    let (ed, _server) = shop();
    for value in [
        "bytes=8-0",
        "bytes=a-b",
        "bytes=",
        "bytes",
        "lines=0-8",
        "bytes=-",
        "0-8",
        "bytes=0-8x",
        "bytes=--8",
    ] {
        assert_eq!(range(&ed, value).expect(200).body.len(), 1_000, "{value}");
    }
    let many = format!(
        "bytes={}",
        (0..200).map(|at| format!("{at}-{at}")).collect::<Vec<_>>().join(",")
    );
    let answer = range(&ed, &many);
    assert!(matches!(answer.status, 200 | 206 | 416), "{}", answer.head);
    assert!(answer.body.len() < 50_000, "many little ranges make no large answer");
}

#[test]
fn if_range_falls_back_to_the_whole() {
    let (ed, _server) = shop();
    let tag = ed.get(FILE).header("etag").expect("an ETag").to_owned();
    let ask = |value: &str| {
        ed.request("GET", FILE)
            .header("range", "bytes=0-8")
            .header("if-range", value)
            .send()
    };
    assert_eq!(ask(&tag).expect(206).body.len(), 9);
    for value in [
        "\"other\"",
        &format!("W/{tag}"),
        "Wed, 21 Oct 2015 07:28:00 GMT",
        "nonsense",
    ] {
        assert_eq!(ask(value).expect(200).body.len(), 1_000, "{value}");
    }
}

#[test]
fn a_range_is_of_the_bytes_the_same_request_would_get() {
    let (ed, _server) = shop();
    encoded(&ed);
    for accept in ["br", "gzip", "identity"] {
        let ask = || ed.request("GET", SCRIPT).header("accept-encoding", accept);
        let whole = ask().send().expect(200);
        let part = ask().header("range", "bytes=5-12").send().expect(206);
        assert_eq!(
            part.header("content-encoding"),
            whole.header("content-encoding"),
            "{accept}"
        );
        assert_eq!(part.header("etag"), whole.header("etag"), "{accept}");
        assert_eq!(part.body, &whole.body[5..=12], "{accept}");
        let place = format!("bytes 5-12/{}", whole.body.len());
        assert_eq!(part.header("content-range"), Some(place.as_str()), "{accept}");
    }
}

#[test]
fn not_modified_outranks_a_range() {
    let (ed, _server) = shop();
    let tag = ed.get(FILE).header("etag").expect("an ETag").to_owned();
    ed.request("GET", FILE)
        .header("range", "bytes=0-8")
        .header("if-none-match", tag)
        .send()
        .expect(304);
}

#[test]
fn text_is_sent_as_the_client_can_read_it() {
    let (ed, _server) = shop();
    encoded(&ed);
    let ask = |accept: &str| {
        ed.request("GET", SCRIPT)
            .header("accept-encoding", accept)
            .send()
            .expect(200)
    };
    let plain = script().into_bytes();
    let cases = [
        ("br", Some("br")),
        ("gzip", Some("gzip")),
        ("gzip, deflate, br, zstd", Some("br")),
        ("GZIP", Some("gzip")),
        ("br;q=0, gzip", Some("gzip")),
        ("br;q=0.1, gzip;q=1.0", Some("gzip")),
        ("*", Some("br")),
        ("identity", None),
        ("", None),
        ("br;q=0, gzip;q=0", None),
        ("zstd", None),
        ("bread", None),
    ];
    for (accept, expected) in cases {
        let answer = ask(accept);
        assert_eq!(answer.header("content-encoding"), expected, "`{accept}`");
        let vary = answer.header("vary").unwrap_or_default().to_lowercase();
        assert!(vary.contains("accept-encoding"), "`{accept}`: {}", answer.head);
        match expected {
            None => assert_eq!(answer.body, plain),
            Some(_) => assert!(
                answer.body.len() < plain.len() / 2,
                "`{accept}`: {} bytes",
                answer.body.len()
            ),
        }
    }
    let mut unpacked = Vec::new();
    flate2::read::MultiGzDecoder::new(ask("gzip").body.as_slice())
        .read_to_end(&mut unpacked)
        .unwrap();
    assert_eq!(unpacked, plain);
}

#[test]
fn encodings_of_a_file_have_tags_of_their_own() {
    let (ed, _server) = shop();
    encoded(&ed);
    let tag = |accept: &str| {
        let answer = ed
            .request("GET", SCRIPT)
            .header("accept-encoding", accept)
            .send()
            .expect(200);
        answer.header("etag").expect("an ETag").to_owned()
    };
    let tags = [tag("identity"), tag("gzip"), tag("br")];
    assert!(
        tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2],
        "{tags:?}"
    );
    let request = ed
        .request("GET", SCRIPT)
        .header("accept-encoding", "br")
        .header("if-none-match", &tags[2]);
    request.send().expect(304);
}

#[test]
fn what_is_compressed_already_is_sent_as_it_is() {
    let (ed, _server) = shop();
    let answer = ed
        .request("GET", "/p/shop/image.png")
        .header("accept-encoding", "br, gzip")
        .send()
        .expect(200);
    assert_eq!((answer.header("content-encoding"), answer.body.len()), (None, 5_000));
}

#[test]
fn pages_are_encoded_too() {
    let (ed, _server) = shop();
    let shop = project(&ed, "long");
    upload(&ed, &shop, &Bundle::page(&"<p>many words</p>".repeat(500)));
    let answer = ed
        .request("GET", "/p/long/")
        .header("accept-encoding", "gzip")
        .send()
        .expect(200);
    assert_eq!(answer.header("content-encoding"), Some("gzip"));
    let mut page = String::new();
    flate2::read::MultiGzDecoder::new(answer.body.as_slice())
        .read_to_string(&mut page)
        .unwrap();
    assert!(page.contains("<base href=\"/p/long/\"") && page.contains("many words"));
}
