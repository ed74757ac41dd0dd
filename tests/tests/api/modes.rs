//! Who else on the machine may read what the server writes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use galley_tests::cli::{run, with_umask};
use galley_tests::client::Credential;
use galley_tests::prelude::*;
use galley_tests::process::Process;
use galley_tests::server::ADMIN_TOKEN;

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

/// Everything below a folder, and the folder itself, that others than the owner may use in any way.
pub fn open_below(folder: &Path) -> Vec<String> {
    let mut open = Vec::new();
    let mut left = vec![folder.to_owned()];
    while let Some(path) = left.pop() {
        if mode(&path) & 0o077 != 0 {
            open.push(format!("{} ({:o})", path.display(), mode(&path)));
        }
        if path.is_dir() {
            left.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    open
}

#[test]
fn what_the_server_writes_is_its_users_alone() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir(&data).unwrap();
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).unwrap();
    let model = Server::build().fresh().start();
    let mut serve = model.command();
    serve.arg("serve").env("SERVICE_DATA_DIR", &data);
    // As started by a service manager or a shell that lets everybody read what programs make.
    let mut process = Process::start(&mut with_umask("000", &serve));
    let address = eventually("the server listens", || {
        let stdout = process.stdout();
        let line = stdout.strip_suffix('\n')?;
        line.strip_prefix("galley listening on http://")?.parse().ok()
    });
    let admin = Client::new(address, Credential::Bearer(ADMIN_TOKEN.into()));
    let shop = project(&admin, "shop");
    upload(&admin, &shop, &Bundle::sample("Shop"));
    comment(&admin, &shop, "Hello");
    assert_eq!(mode(&data), 0o700);
    for file in [
        "core.db",
        "core.db-wal",
        "slots/comments.db",
        "sites",
        "logs",
        "staging",
        "keys/seal.key",
    ] {
        assert!(data.join(file).exists(), "{file}");
    }
    assert_eq!(open_below(&data), Vec::<String>::new());
    let log = process.stderr();
    let warnings: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("was open to other users"))
        .collect();
    assert_eq!(warnings.len(), 1, "{log}");
    assert!(warnings[0].contains("755"), "{}", warnings[0]);

    let copy = folder.path().join("copy");
    let mut backup = model.command();
    backup.arg("backup").arg(&copy).env("SERVICE_DATA_DIR", &data);
    run(&mut with_umask("000", &backup)).expect(0);
    assert_eq!(open_below(&copy), Vec::<String>::new());
    process.signal("TERM");
    process.wait(std::time::Duration::from_secs(30));
}

#[test]
fn a_folder_that_was_closed_is_no_warning() {
    let server = Server::start();
    assert!(!server.log().contains("other users"), "{}", server.log());
    assert_eq!(mode(server.data_dir()), 0o700);
}

#[test]
fn another_user_than_its_builder_runs_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bundled.json");
    let server = Server::start();
    for umask in ["077", "000"] {
        let mut seal = server.command();
        seal.args(["plugins", "seal"]).arg(folder.path());
        run(&mut with_umask(umask, &seal)).expect(0);
        assert_eq!(mode(&file), 0o644, "with the umask {umask}");
    }
    // What an earlier version sealed is mended by sealing it again.
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    run(server.command().args(["plugins", "seal"]).arg(folder.path())).expect(0);
    assert_eq!(mode(&file), 0o644);
    // And what the build sealed.
    assert_eq!(mode(&galley_tests::paths::plugins().join("bundled.json")), 0o644);
}
