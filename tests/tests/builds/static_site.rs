//! Repositories that need no build: their files are the prototype.

use galley_tests::prelude::*;

use crate::studio::{COPY_PAGE, Studio};

impl Studio {
    /// Connects the shop without an install command.
    fn connect_with(&mut self, install: Value, build: Value, output: &str) {
        let value = json!({
            "installationId": 101, "owner": "Octo-Org", "name": "Storefront", "branch": "main",
            "installCommand": install, "buildCommand": build, "outputDir": output, "autoDeploy": true,
        });
        let shop = self.shop.clone();
        self.server.edit(|core| core.attach(&shop, "repo", &value));
    }
}

#[test]
fn without_a_package_json_nothing_is_run() {
    let mut studio = Studio::new(COPY_PAGE);
    studio.copy.write("dist/index.html", "<h1>As it is</h1>").push("main");
    for (install, build) in [(Value::Null, Value::Null), (json!(""), json!("  "))] {
        studio.connect_with(install, build, "dist");
        let (deployment, log) = studio.built();
        assert_eq!(deployment["status"], "ready", "{log}");
        assert!(studio.page().contains("<h1>As it is</h1>"));
        assert!(!log.contains("npm") && !log.contains("\n$ "), "{log}");
        assert!(
            log.contains("The repository has no package.json: nothing is run"),
            "{log}"
        );
    }
    // The repository itself may be the prototype; git's own files are not in it.
    studio.connect_with(Value::Null, Value::Null, ".");
    let (deployment, log) = studio.built();
    assert_eq!(
        (&deployment["status"], &deployment["fileCount"]),
        (&json!("ready"), &json!(2)),
        "{log}"
    );
    assert!(studio.page().contains("<h1>One</h1>"));
}

#[test]
fn commands_that_are_set_run_without_a_package_json_too() {
    let mut studio = Studio::new(COPY_PAGE);
    studio.connect_with(Value::Null, json!(COPY_PAGE), "dist");
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    assert!(
        log.contains(&format!("\n$ {COPY_PAGE}\n")) && !log.contains("npm"),
        "{log}"
    );
    studio.connect_with(json!("mkdir -p dist && cp index.html dist/"), Value::Null, "dist");
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
}

#[test]
fn with_a_package_json_the_build_script_is_run() {
    let mut studio = Studio::new(COPY_PAGE);
    let package = json!({ "name": "shop", "private": true, "scripts": { "build": COPY_PAGE } });
    studio.copy.write("package.json", &package.to_string()).push("main");
    studio.connect_with(json!("true"), Value::Null, "dist");
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    assert!(log.contains("\n$ npm run build\n"), "{log}");
}
