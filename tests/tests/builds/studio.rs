//! A code host with a repository, a server connected to it, and a project.

use std::path::{Path, PathBuf};

use galley_tests::codehost::{CodeHost, WorkingCopy};
use galley_tests::nodes;
use galley_tests::poll::within;
use galley_tests::prelude::*;
use galley_tests::server::Build;
use galley_tests::sse::Event;

/// How long a build of a few shell commands may take on a busy machine.
pub const BUILD_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(60);

pub struct Studio {
    pub host: CodeHost,
    pub server: Server,
    /// The id of a project connected to `Octo-Org/Storefront`.
    pub shop: String,
    /// Somebody's clone of that repository.
    pub copy: WorkingCopy,
}

/// A prototype of one page that needs no tools.
pub const COPY_PAGE: &str = "mkdir -p dist && cp index.html dist/";

impl Studio {
    /// A studio whose project is built by this command, and whose repository has one page.
    pub fn new(command: &str) -> Studio {
        Studio::with(command, |build| build)
    }

    /// The same with changes of the server.
    pub fn with(command: &str, change: impl FnOnce(Build) -> Build) -> Studio {
        let host = CodeHost::start();
        let server = change(host.configure_repositories(Server::build())).start();
        let shop = project(&server.user("ed"), "shop");
        let copy = host.working_copy("Octo-Org", "Storefront");
        copy.write("index.html", "<!doctype html><h1>One</h1>").push("main");
        let mut studio = Studio {
            host,
            server,
            shop,
            copy,
        };
        let shop = studio.shop.clone();
        studio.connect(&shop, "Storefront", command, "dist");
        studio
    }

    /// Connects a project to a repository of `Octo-Org`. The server starts again.
    pub fn connect(&mut self, project: &str, repository: &str, command: &str, output: &str) {
        let value = json!({
            "installationId": 101, "owner": "Octo-Org", "name": repository, "branch": "main",
            "installCommand": "true", "buildCommand": command, "outputDir": output, "autoDeploy": true,
        });
        self.server.edit(|core| core.attach(project, "repo", &value));
    }

    /// The address that starts a build.
    pub fn trigger(&self, project: &str) -> String {
        format!("/api/v1/projects/{project}/deployments/build")
    }

    /// Starts a build of the shop and gives the deployment's id.
    #[track_caller]
    pub fn start(&self) -> String {
        self.start_of(&self.shop)
    }

    /// Starts a build of a project.
    #[track_caller]
    pub fn start_of(&self, project: &str) -> String {
        let answer = self
            .server
            .user("ed")
            .post(&self.trigger(project), json!({}))
            .expect(202)
            .json();
        assert_eq!(answer["status"], "building");
        text(&answer, "deploymentId")
    }

    /// A deployment as it is now.
    #[track_caller]
    pub fn deployment(&self, id: &str) -> Value {
        self.server
            .user("ed")
            .get(&format!("/api/v1/deployments/{id}"))
            .expect(200)
            .json()
    }

    /// Waits until a build has ended, and gives its deployment and its log.
    #[track_caller]
    pub fn ended(&self, id: &str) -> (Value, String) {
        let ended = within(BUILD_TIMEOUT, || {
            Some(self.deployment(id)).filter(|deployment| deployment["status"] != "building")
        });
        let log = self.log(id);
        match ended {
            Some(deployment) => (deployment, log),
            None => panic!("the build did not end:\n{log}\n{}", self.server.log()),
        }
    }

    /// Builds the shop; its deployment and log.
    #[track_caller]
    pub fn built(&self) -> (Value, String) {
        self.ended(&self.start())
    }

    /// Builds the shop, which fails; the log.
    #[track_caller]
    pub fn fails(&self) -> String {
        let (deployment, log) = self.built();
        assert_eq!(deployment["status"], "failed", "{log}");
        log
    }

    /// The text of a log, as far as it is.
    pub fn log(&self, id: &str) -> String {
        let written = self.server.written_log(id);
        written.unwrap_or_else(|| joined(&self.heard(id)))
    }

    /// Waits until a log has this line.
    #[track_caller]
    pub fn says(&self, id: &str, line: &str) {
        let said = within(BUILD_TIMEOUT, || {
            self.log(id).lines().any(|said| said == line).then_some(())
        });
        assert!(said.is_some(), "the log does not say {line}:\n{}", self.log(id));
    }

    /// The folder of the only build that runs.
    #[track_caller]
    pub fn folder(&self) -> PathBuf {
        let first = |data: &Path| Some(data.join("builds").read_dir().ok()?.next()?.ok()?.path());
        eventually("a build's folder", || self.server.data_dirs().find_map(first))
    }

    /// Waits until none of the servers that built has a build's folder any more.
    #[track_caller]
    pub fn has_cleaned_up(&self) {
        eventually("the build's folder is deleted", || {
            let folders = self.server.data_dirs().map(|data| data.join("builds").read_dir());
            let mut folders = folders.filter_map(Result::ok).peekable();
            folders.peek()?;
            folders.all(|mut builds| builds.next().is_none()).then_some(())
        });
    }

    /// Lets a build that waits for the file `go` end.
    pub fn let_go(&self) {
        std::fs::write(self.folder().join("source/go"), "").unwrap();
    }

    /// The log as a client hears it from the start.
    #[track_caller]
    pub fn heard(&self, id: &str) -> Vec<Event> {
        self.server
            .user("ed")
            .stream(&format!("/api/v1/deployments/{id}/log/stream"))
            .rest()
    }

    /// The page that is served.
    #[track_caller]
    pub fn page(&self) -> String {
        self.server.user("ed").get("/p/shop/").expect(200).text()
    }
}

/// Whether a log says that its build was cut off by a kill. Of two nodes, the other one may have to say it.
pub fn says_it_was_cut_off(log: &str) -> bool {
    log.contains("The server ended")
        || log.contains("The output was lost")
        || nodes::are_wanted() && log.contains("The server that ran this build stopped")
}

/// A command that waits until a test lets it go.
pub fn waiting(then: &str) -> String {
    format!("echo waiting; until [ -e go ]; do sleep 0.05; done; {then}")
}

/// The texts of log frames together.
pub fn joined(events: &[Event]) -> String {
    events
        .iter()
        .filter(|event| event.event == "log")
        .map(|event| text(&event.json(), "text"))
        .collect()
}
