//! The tokens that clone repositories: nobody finds them.

use galley_tests::accounts::Core;
use galley_tests::codehost::{CodeHost, InstallationToken, World};
use galley_tests::disk;
use galley_tests::prelude::*;

use crate::studio::{COPY_PAGE, Studio, waiting};

/// The forms in which a token could stand somewhere.
fn forms(token: &str) -> Vec<String> {
    let basic = data_encoding::BASE64.encode(format!("x-access-token:{token}").as_bytes());
    vec![token.to_owned(), basic]
}

fn tokens(studio: &Studio) -> Vec<String> {
    let issued = studio.host.state().issued();
    let tokens: Vec<String> = issued.into_iter().filter(|secret| secret.starts_with("ghs_")).collect();
    assert!(!tokens.is_empty(), "no token was issued: the test tests nothing");
    tokens.iter().flat_map(|token| forms(token)).collect()
}

/// The command lines of all processes.
fn command_lines() -> String {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read_to_string(process.path().join("cmdline")).ok());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_token_is_neither_in_the_log_nor_on_disk_nor_in_the_process_list() {
    let hunt =
        "grep -rsl ghs_ . \"$HOME\" \"$TMPDIR\" && echo found; env | grep ghs_ && echo found; git config --list; ";
    let studio = Studio::new(&format!("{hunt}{}", waiting(COPY_PAGE)));
    let watch = std::sync::atomic::AtomicBool::new(true);
    let (seen, id) = std::thread::scope(|scope| {
        let watch = &watch;
        let looker = scope.spawn(move || {
            let mut seen = String::new();
            while watch.load(std::sync::atomic::Ordering::Relaxed) {
                seen += &command_lines();
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
            seen
        });
        let id = studio.start();
        studio.says(&id, "waiting");
        watch.store(false, std::sync::atomic::Ordering::Relaxed);
        (looker.join().unwrap(), id)
    });
    assert!(seen.contains("fetch"), "no clone was seen: the test tests nothing");
    let log = studio.log(&id);
    assert!(!log.contains("found\n"), "{log}");
    let data = studio.server.data_dir();
    let mut places = vec![
        ("the process list", seen),
        ("the log", log),
        ("the server's log", studio.server.log()),
    ];
    // While the build runs, and so while its folder is there.
    for file in disk::files(data) {
        let bytes = std::fs::read(data.join(&file)).unwrap_or_default();
        places.push(("a file", format!("{file}: {}", String::from_utf8_lossy(&bytes))));
    }
    places.push(("the database", Core::open(data).dump()));
    for token in tokens(&studio) {
        for (place, text) in &places {
            assert!(!text.contains(&token), "a token is in {place}");
        }
    }
    studio.let_go();
    studio.ended(&id);
}

#[test]
fn a_code_host_that_says_a_token_aloud_finds_it_hidden_in_the_log() {
    let studio = Studio::new(COPY_PAGE);
    studio.host.state().echo_credentials();
    let log = studio.fails();
    assert!(log.contains("you said ***"), "{log}");
    for token in tokens(&studio) {
        assert!(!log.contains(&token));
    }
}

#[test]
fn a_token_is_for_one_repository_and_reads_only() {
    let studio = Studio::new(COPY_PAGE);
    studio.built();
    let reads = |token: &InstallationToken| token.permissions == Some(json!({ "contents": "read" }));
    let tokens = studio.host.state().installation_tokens();
    let (clone, others): (Vec<_>, Vec<_>) = tokens.into_iter().partition(reads);
    assert!(!clone.is_empty(), "nothing was cloned: the test tests nothing");
    assert!(
        clone.iter().all(|token| token.repository_ids == Some(vec![5001])),
        "{clone:?}"
    );
    // What tells which repositories there are opens none of them.
    let names_only = Some(json!({ "metadata": "read" }));
    assert!(others.iter().all(|token| token.permissions == names_only), "{others:?}");
}

#[test]
fn a_token_is_not_carried_to_where_the_code_host_redirects() {
    let studio = Studio::new(COPY_PAGE);
    let elsewhere = CodeHost::at("127.0.0.2", World::default());
    // It would serve the repository to anybody, so that git has a reason to go on there.
    elsewhere.state().make_public();
    elsewhere
        .working_copy("Octo-Org", "Storefront")
        .write("index.html", "<h1>Elsewhere</h1>")
        .push("main");
    let before = elsewhere.requests().len();
    let target = format!(
        "{}/Octo-Org/Storefront.git/info/refs?service=git-upload-pack",
        elsewhere.url()
    );
    studio.host.fail(
        "/Octo-Org/Storefront.git",
        galley_tests::codehost::Failure::Redirect(target),
    );
    studio.fails();
    let redirected = studio.host.requests();
    assert!(
        redirected
            .iter()
            .any(|request| request.path.contains("Storefront.git/info/refs")),
        "git did not ask: the test tests nothing"
    );
    let asked = elsewhere.requests().split_off(before);
    assert!(asked.is_empty(), "git followed the redirect: {asked:?}");
}
