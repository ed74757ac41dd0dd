//! A prototype as people make them: packages from the registry, built by Vite.

use std::process::Command;
use std::time::Duration;

use galley_tests::poll::within;
use galley_tests::prelude::*;

use crate::studio::Studio;

/// Installing takes as long as the registry does.
const INSTALL_TIMEOUT: Duration = Duration::from_secs(300);

/// The setting of this machine's npm, which the build's own home does not have.
fn registry() -> String {
    let output = Command::new("npm")
        .args(["config", "get", "registry"])
        .output()
        .expect("npm is installed");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[track_caller]
fn built(studio: &Studio) -> String {
    let id = studio.start();
    within(INSTALL_TIMEOUT, || {
        (studio.deployment(&id)["status"] != "building").then_some(())
    });
    let (deployment, log) = studio.ended(&id);
    assert_eq!(deployment["status"], "ready", "{log}");
    log
}

#[test]
fn a_vite_project_is_installed_and_built_by_the_default_commands() {
    let mut studio = Studio::new("true");
    let value = json!({
        "installationId": 101, "owner": "Octo-Org", "name": "Storefront", "branch": "main", "outputDir": "",
        "installCommand": null, "buildCommand": null, "autoDeploy": false,
    });
    let shop = studio.shop.clone();
    studio.server.edit(|core| core.attach(&shop, "repo", &value));
    let package = json!({
        "name": "storefront", "private": true, "type": "module",
        "scripts": { "build": "vite build" }, "devDependencies": { "vite": "6.4.1" },
    });
    studio
        .copy
        .write(".npmrc", &format!("registry={}\nfund=false\naudit=false\n", registry()))
        .write(".gitignore", "node_modules\ndist\n")
        .write("package.json", &package.to_string())
        .write("vite.config.js", "export default { base: './' };\n")
        .write(
            "index.html",
            "<!doctype html><title>Shop</title><h1>Shop</h1><script type=\"module\" src=\"/main.js\"></script>",
        )
        .write("main.js", "document.title = `Built ${import.meta.env.MODE}`;\n")
        .push("main");
    let log = built(&studio);
    assert!(
        log.contains("$ npm install\n") && log.contains("$ npm run build\n"),
        "{log}"
    );
    assert!(log.contains("built in"), "{log}");
    assert!(!log.contains('\u{1b}'), "no colours: {log}");
    assert!(!log.contains("Note:"), "its references are relative: {log}");
    let page = studio.page();
    assert!(page.contains("./assets/index-"), "{page}");
    let script = page
        .split("./assets/")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap();
    let script = studio
        .server
        .user("ed")
        .get(&format!("/p/shop/assets/{script}"))
        .expect(200)
        .text();
    assert!(script.contains("Built production"), "{script}");
}

#[test]
fn a_lockfile_is_installed_as_it_is() {
    let mut studio = Studio::new("mkdir -p dist && cp index.html dist/");
    let value = json!({
        "installationId": 101, "owner": "Octo-Org", "name": "Storefront", "branch": "main", "outputDir": "dist",
        "installCommand": "", "buildCommand": "", "autoDeploy": false,
    });
    let shop = studio.shop.clone();
    studio.server.edit(|core| core.attach(&shop, "repo", &value));
    let scripts = json!({ "build": "mkdir -p dist && cp index.html dist/" });
    let package = json!({ "name": "storefront", "version": "1.0.0", "scripts": scripts });
    let lock = json!({
        "name": "storefront", "version": "1.0.0", "lockfileVersion": 3, "requires": true,
        "packages": { "": { "name": "storefront", "version": "1.0.0" } },
    });
    studio
        .copy
        .write("package.json", &package.to_string())
        .write("package-lock.json", &lock.to_string())
        .push("main");
    let log = built(&studio);
    assert!(log.contains("$ npm ci\n") && log.contains("$ npm run build\n"), "{log}");
}
