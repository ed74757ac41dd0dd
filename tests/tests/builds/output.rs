//! What builds leave behind, and what is refused of it. What is live stays live.

use crate::studio::{COPY_PAGE, Studio};

/// A studio whose first build went well, and the command of the next one.
fn then(command: &str, output: &str) -> Studio {
    let mut studio = Studio::new(COPY_PAGE);
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    let shop = studio.shop.clone();
    studio.connect(&shop, "Storefront", command, output);
    studio
}

/// The next build fails for this reason, and the first one is still served.
#[track_caller]
fn refused(command: &str, output: &str, reason: &str) {
    let studio = then(command, output);
    let log = studio.fails();
    assert!(log.contains(reason), "{reason} is missing:\n{log}");
    assert!(studio.page().contains("<h1>One</h1>"));
}

#[test]
fn output_without_index_html_is_refused() {
    refused(
        "mkdir -p dist/app && cp index.html dist/app/",
        "dist",
        "The output has no index.html at its root",
    );
}

#[test]
fn an_output_folder_that_is_missing_is_named() {
    refused("true", "out/web", "The build left no folder `out/web`");
    refused("echo x > out", "out", "The output folder `out` is not a folder");
}

#[test]
fn links_in_the_output_are_refused_as_in_an_upload() {
    let links = [
        "ln -s /etc/passwd dist/passwd",
        "ln -s ../../../../core.db dist/core.db",
        "ln -s .. dist/up",
        "ln -s index.html dist/alias.html",
    ];
    for link in links {
        refused(
            &format!("{COPY_PAGE} && {link}"),
            "dist",
            "is a symbolic link; only files and folders are accepted",
        );
    }
    refused(&format!("{COPY_PAGE} && mkfifo dist/pipe"), "dist", "is a FIFO");
}

#[test]
fn an_output_folder_that_is_a_link_is_refused() {
    refused("ln -s /etc dist", "dist", "symbolic link");
    refused("ln -s ../../.. out", "out/keys", "symbolic link");
}

#[test]
fn output_past_the_bounds_of_an_upload_is_refused() {
    refused(
        &format!("{COPY_PAGE} && i=0 && while [ $i -lt 20100 ]; do : > dist/$i; i=$((i+1)); done"),
        "dist",
        "more than 20000 entries",
    );
    refused(
        &format!("{COPY_PAGE} && head -c 210000000 /dev/zero > dist/big.bin"),
        "dist",
        "more than 200 MB",
    );
}

#[test]
fn large_sparse_and_deeply_nested_files_are_taken_as_they_are() {
    let deep = "a-folder-with-a-rather-long-name/".repeat(8);
    let studio = then(
        &format!(
            "{COPY_PAGE} && truncate -s 3000000 dist/sparse.bin && mkdir -p dist/{deep} && echo deep > dist/{deep}page.txt"
        ),
        "./dist/",
    );
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    let ed = studio.server.user("ed");
    assert_eq!(ed.get("/p/shop/sparse.bin").expect(200).body, vec![0; 3_000_000]);
    assert_eq!(ed.get(&format!("/p/shop/{deep}page.txt")).expect(200).text(), "deep\n");
}

#[test]
fn references_from_the_root_are_noted_in_the_log() {
    let studio = then(
        &format!("{COPY_PAGE} && echo \"const a = '/images/a.png'\" > dist/app.js"),
        "dist",
    );
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready");
    assert!(log.contains("Note: app.js refers to /images/a.png"), "{log}");
}

#[test]
fn the_log_warns_of_files_that_were_hardly_meant_to_be_published() {
    let studio = then(
        &format!("{COPY_PAGE} && echo x > dist/.env && echo {{}} > dist/app.js.map"),
        "dist",
    );
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready");
    let warnings: Vec<_> = log.lines().filter(|line| line.starts_with("Warning: ")).collect();
    assert_eq!(warnings.len(), 2, "{log}");
    assert!(
        warnings[0].ends_with(": .env") && warnings[1].ends_with(": app.js.map"),
        "{log}"
    );
}

#[test]
fn a_command_that_fails_fails_the_build() {
    refused("echo so it goes >&2; exit 7", "dist", "so it goes\n");
    refused("exit 7", "dist", "`exit 7` failed with the exit code 7\n");
    refused("kill -9 $$", "dist", "failed with the exit code 137\n");
    refused("no-such-program", "dist", "exit code 127");
}

#[test]
fn a_repository_that_cannot_be_cloned_fails_the_build() {
    let mut studio = then(COPY_PAGE, "dist");
    // Nothing was pushed to it: it has no branch.
    let shop = studio.shop.clone();
    studio.connect(&shop, "tools", COPY_PAGE, "dist");
    let log = studio.fails();
    assert!(log.contains("Cloning Octo-Org/tools failed"), "{log}");
    // It is not the app's.
    studio.connect(&shop, "nothing", COPY_PAGE, "dist");
    let log = studio.fails();
    assert!(
        log.contains("The repository Octo-Org/nothing cannot be opened"),
        "{log}"
    );
    assert!(studio.page().contains("<h1>One</h1>"));
}
