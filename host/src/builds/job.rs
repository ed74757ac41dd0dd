//! One build, from a queued request to a tree of files or a sentence that says why there is none.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::watch;
use tokio::time::Instant;

use super::checkout::{Remote, check_out};
use super::folder::BuildFolder;
use super::request::Request;
use super::step::{Bounds, Step, StepError};
use super::transcript::Transcript;
use super::{Builds, confine, environment, package};
use crate::storage::core::{BuildEnd, QueuedBuild};
use crate::storage::sites::StagedTree;

/// The lockfiles of npm.
const LOCKFILES: [&str; 2] = ["package-lock.json", "npm-shrinkwrap.json"];

/// Builds, says in the log how it went, and gives the tree when it went well.
pub async fn run(
    builds: &Arc<Builds>,
    build: &QueuedBuild,
    stop: watch::Receiver<bool>,
) -> (Option<StagedTree>, BuildEnd) {
    let mut log = builds.transcript(build);
    let mut end = BuildEnd::default();
    let tree = match prepared(builds, build, stop, &mut log, &mut end.commit).await {
        Ok(tree) => Some(tree),
        Err(reason) => {
            log.say(&reason);
            end.reason = Some(reason);
            None
        }
    };
    (tree, end)
}

/// Makes the folder, builds in it, and deletes it.
async fn prepared(
    builds: &Arc<Builds>,
    build: &QueuedBuild,
    stop: watch::Receiver<bool>,
    log: &mut Transcript,
    commit: &mut Option<String>,
) -> Result<StagedTree, String> {
    let request: Request = serde_json::from_str(&build.spec)
        .map_err(|error| format!("The build cannot be read from the queue: {error}"))?;
    let no_folder = |error: &dyn std::fmt::Display| format!("The build's folder cannot be made: {error}");
    let (data_dir, name) = (builds.config.data_dir.clone(), build.seq.to_string());
    let folder = tokio::task::spawn_blocking(move || BuildFolder::create(&data_dir, &name))
        .await
        .map_err(|error| no_folder(&error))?
        .map_err(|error| no_folder(&error))?;
    let bounds = Bounds {
        folder: folder.root().to_owned(),
        hidden: hidden(builds),
        deadline: Instant::now() + builds.config.builds.timeout,
        stop,
    };
    let work = Work {
        builds,
        request: &request,
        folder: &folder,
        bounds: &bounds,
    };
    let built = work.all(log, commit).await;
    let removed = tokio::task::spawn_blocking(move || folder.remove()).await;
    if let Ok(Err(error)) = removed {
        tracing::warn!(
            "the folder of the build {} is left for the next boot: {error}",
            build.id
        );
    }
    built
}

/// What no command may read.
fn hidden(builds: &Builds) -> Vec<PathBuf> {
    let key = builds
        .config
        .repo_app
        .as_ref()
        .and_then(|app| app.private_key_file.clone());
    std::iter::once(builds.config.data_dir.clone()).chain(key).collect()
}

struct Work<'a> {
    builds: &'a Builds,
    request: &'a Request,
    folder: &'a BuildFolder,
    bounds: &'a Bounds,
}

impl Work<'_> {
    async fn all(&self, log: &mut Transcript, commit: &mut Option<String>) -> Result<StagedTree, String> {
        if !confine::is_supported() {
            log.say("Note: the kernel of this server has no Landlock: commands are not kept from the server's files");
        }
        *commit = Some(self.clone_repository(log).await?);
        let source = self.folder.source();
        let install = command(&self.request.install_command, default_install(&source));
        self.command(install, environment::common(self.folder), log).await?;
        let build = command(&self.request.build_command, "npm run build");
        self.command(build, environment::building(self.folder), log).await?;
        self.package(log).await
    }

    async fn clone_repository(&self, log: &mut Transcript) -> Result<String, String> {
        let source = &self.request.source;
        let name = format!("{}/{}", source.owner, source.name);
        log.say(&format!("Cloning {name}, branch {}", source.branch));
        let unopened = |reason: &str| format!("The repository {name} cannot be opened: {reason}");
        let app = self.builds.app.as_ref();
        let app = app.ok_or_else(|| unopened("the server has no code-host app any more"))?;
        let token = self
            .bounds
            .wait(app.installation_token(source.installation_id, Some(&name)))
            .await
            .map_err(|error| self.explain(&format!("Opening {name}"), error))?
            .map_err(|error| unopened(&error.to_string()))?;
        let (host, url) = (
            &self.builds.config.code_host.url,
            app.clone_url(&source.owner, &source.name),
        );
        let from = Remote {
            host,
            url: &url,
            token: &token,
        };
        let commit = check_out(self.bounds, self.folder, source, &from, log)
            .await
            .map_err(|error| {
                // It may have been revoked; the next build asks for another one.
                app.forget(&token);
                self.explain(&format!("Cloning {name}"), error)
            })?;
        log.say(&format!("Commit {commit}"));
        Ok(commit)
    }

    async fn command(
        &self,
        command: &str,
        environment: Vec<(String, OsString)>,
        log: &mut Transcript,
    ) -> Result<(), String> {
        log.say(&format!("$ {command}"));
        let step = Step {
            command: ["sh", "-c", command].map(OsString::from).into(),
            directory: self.folder.source(),
            environment,
        };
        let run = self.bounds.run(step, log).await;
        run.map_err(|error| self.explain(&format!("`{command}`"), error))
    }

    async fn package(&self, log: &mut Transcript) -> Result<StagedTree, String> {
        let output = self.request.output_dir();
        log.say(&format!("Packing {output}"));
        let step = Step {
            command: ["/proc/self/exe", "build-pack", output].map(OsString::from).into(),
            directory: self.folder.source(),
            environment: environment::common(self.folder),
        };
        let sites = &self.builds.sites;
        let tree = self
            .bounds
            .run_into(step, async |packed| package::take(sites, packed).await)
            .await
            .map_err(|error| self.explain("Packing the output", error))??
            .map_err(|refused| format!("The output of the build cannot be served: {refused}"))?;
        let (files, bytes) = (tree.files(), tree.bytes());
        log.say(&format!(
            "Packed {files} {}, {bytes} bytes",
            if files == 1 { "file" } else { "files" }
        ));
        Ok(tree)
    }

    fn explain(&self, what: &str, error: StepError) -> String {
        match error {
            StepError::Failed(code) => format!("{what} failed with the exit code {code}"),
            StepError::OutOfTime => format!(
                "The build took longer than {} seconds and was stopped (SERVICE_BUILD_TIMEOUT_SECONDS)",
                self.builds.config.builds.timeout.as_secs()
            ),
            StepError::Stopping => "The server was stopped while this build was running: start it again".to_owned(),
            StepError::Broken(error) => format!("{what} failed: {error}"),
        }
    }
}

/// The command as it was asked for, or the default for an empty one.
fn command<'a>(asked: &'a str, default: &'a str) -> &'a str {
    if asked.trim().is_empty() { default } else { asked }
}

fn default_install(source: &Path) -> &'static str {
    let locked = LOCKFILES.iter().any(|lockfile| source.join(lockfile).is_file());
    if locked { "npm ci" } else { "npm install" }
}
