//! What the commands of a build get of their environment.

use std::collections::BTreeMap;

use galley_tests::prelude::*;

use crate::studio::{COPY_PAGE, Studio};

/// Writes down the environment the shell was started with: `env` would show what the shell adds.
const WRITE_DOWN: &str = "tr '\\0' '\\n' < /proc/$$/environ";

fn variables(text: &str) -> BTreeMap<&str, &str> {
    text.lines().filter_map(|line| line.split_once('=')).collect()
}

#[test]
fn commands_get_the_listed_variables_and_nothing_else() {
    let mut studio = Studio::with(COPY_PAGE, |build| {
        build
            .env("SERVICE_UNSUBSCRIBE_SECRET", "an-unsubscribe-secret-for-tests")
            .env("NPM_TOKEN", "a-token-of-the-server")
            .env("LD_LIBRARY_PATH", "/nowhere")
    });
    let value = json!({
        "installationId": 101, "owner": "Octo-Org", "name": "Storefront", "branch": "main", "outputDir": "dist",
        "installCommand": format!("{WRITE_DOWN} > install.txt"),
        "buildCommand": format!("{COPY_PAGE} && {WRITE_DOWN} > dist/build.txt && cp install.txt dist/ && \
                                 ls -A \"$HOME\" \"$TMPDIR\" > dist/fresh.txt && test ! -e .git"),
    });
    let shop = studio.shop.clone();
    studio.server.edit(|core| core.attach(&shop, "repo", &value));
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    let ed = studio.server.user("ed");
    let (install, build) = (
        ed.get("/p/shop/install.txt").expect(200).text(),
        ed.get("/p/shop/build.txt").expect(200).text(),
    );
    let (install, mut build) = (variables(&install), variables(&build));
    // What git is told of ssh: a number of settings, each with its name and its value.
    let is_setting = |name: &str| name.starts_with("GIT_CONFIG_KEY_") || name.starts_with("GIT_CONFIG_VALUE_");
    let settings = install.iter().filter(|(name, _)| is_setting(name));
    let settings: Vec<_> = settings.map(|(_, value)| *value).collect();
    assert_eq!(install["GIT_CONFIG_COUNT"], (settings.len() / 2).to_string());
    let is_address = |value: &&str| {
        ["url.", "ssh://git@", "git@", "git://"]
            .iter()
            .any(|start| value.starts_with(start))
    };
    assert!(settings.iter().all(is_address), "{settings:?}");
    let names: Vec<&str> = install.keys().copied().filter(|name| !is_setting(name)).collect();
    assert_eq!(
        names,
        [
            "CI",
            "GIT_CONFIG_COUNT",
            "GIT_CONFIG_GLOBAL",
            "GIT_CONFIG_NOSYSTEM",
            "GIT_SSH_COMMAND",
            "GIT_SSH_VARIANT",
            "GIT_TERMINAL_PROMPT",
            "HOME",
            "HTTPS_PROXY",
            "HTTP_PROXY",
            "NODE_USE_ENV_PROXY",
            "NO_PROXY",
            "PATH",
            "TMPDIR",
            "YARN_HTTPS_PROXY",
            "YARN_HTTP_PROXY",
            "http_proxy",
            "https_proxy",
            "no_proxy",
            "npm_config_https_proxy",
            "npm_config_noproxy",
            "npm_config_proxy",
        ]
    );
    assert_eq!(install["CI"], "true");
    assert_eq!(install["PATH"], std::env::var("PATH").unwrap());
    assert_eq!(build.remove("NODE_ENV"), Some("production"));
    assert_eq!(install, build, "NODE_ENV is all that building adds");

    for name in ["HOME", "TMPDIR"] {
        let folder = std::path::Path::new(build[name]);
        let mut data = studio.server.data_dirs().map(|data| data.canonicalize().unwrap());
        assert!(data.any(|data| folder.starts_with(data.join("builds"))), "{name}");
    }
    let fresh = ed.get("/p/shop/fresh.txt").expect(200).text();
    assert!(
        fresh.lines().all(|line| line.is_empty() || line.ends_with(':')),
        "{fresh}"
    );
    let homes = [build["HOME"].to_owned(), {
        studio.built();
        variables(&ed.get("/p/shop/build.txt").expect(200).text())["HOME"].to_owned()
    }];
    assert_ne!(homes[0], homes[1], "each build has its own");
}
