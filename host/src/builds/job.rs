//! Runs one build. The result is a tree of files, or a sentence that says why the build failed.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::time::Instant;

use super::checkout::{Remote, check_out};
use super::folder::BuildFolder;
use super::request::Request;
use super::running::StopHandle;
use super::step::{Bounds, Reach, Step, StepError};
use super::transcript::Transcript;
use super::{Builds, environment, package, remarks};
use crate::projects::{BuildEnd, QueuedBuild};
use crate::storage::disk::is_nearly_full;
use crate::storage::sites::StagedTree;

/// The lockfiles of npm.
const LOCKFILES: [&str; 2] = ["package-lock.json", "npm-shrinkwrap.json"];

/// The `code` of `build-finished` for a commit that was not the newest of its branch any more.
const NOT_NEWEST: &str = "not-newest";

/// Runs the build and writes its log. Returns the tree of a successful build.
pub async fn run(builds: &Arc<Builds>, build: &QueuedBuild, handle: &StopHandle) -> (Option<StagedTree>, BuildEnd) {
    let mut log = builds.transcript(build, handle);
    let mut end = BuildEnd::default();
    let built = prepared(builds, build, handle, &mut log, &mut end).await;
    match (handle.decide(), built) {
        (None, Ok(tree)) => return (Some(tree), end),
        (Some(cancelled), _) => (end.reason, end.code) = (cancelled.reason, cancelled.code),
        (None, Err(reason)) => end.reason = Some(reason),
    }
    log.say(end.reason.as_deref().unwrap_or_default());
    (None, end)
}

/// Makes the folder, builds in it, and deletes it.
async fn prepared(
    builds: &Arc<Builds>,
    build: &QueuedBuild,
    handle: &StopHandle,
    log: &mut Transcript,
    end: &mut BuildEnd,
) -> Result<StagedTree, String> {
    let request: Request = serde_json::from_str(&build.spec)
        .map_err(|error| format!("The build cannot be read from the queue: {error}"))?;
    let confinement = builds.confinement();
    if let Some(refusal) = &confinement.refusal {
        return Err(refusal.clone());
    }
    for gap in confinement.notes() {
        log.say(&gap);
    }
    leave_reserve(builds)?;
    let no_folder = |error: &dyn std::fmt::Display| format!("The build's folder cannot be made: {error}");
    let (data_dir, name) = (builds.config.data_dir.clone(), build.seq.to_string());
    let user = confinement.user;
    let folder = tokio::task::spawn_blocking(move || BuildFolder::create(&data_dir, &name, user))
        .await
        .map_err(|error| no_folder(&error))?
        .map_err(|error| no_folder(&error))?;
    let bounds = Bounds {
        sandbox: confinement.arguments(folder.root(), &hidden(builds)),
        upstream: confinement.upstream.clone(),
        deadline: Instant::now() + builds.config.builds.timeout,
        stop: handle.stopped(),
    };
    let work = Work {
        builds,
        request: &request,
        folder: &folder,
        bounds: &bounds,
    };
    let built = work.all(log, end).await;
    let removed = tokio::task::spawn_blocking(move || folder.remove()).await;
    if let Ok(Err(error)) = removed {
        tracing::warn!(
            "the folder of the build {} is left for the next boot: {error}",
            build.id
        );
    }
    built
}

/// Refuses to build on a disk that is nearly full: the databases are on it, too.
fn leave_reserve(builds: &Builds) -> Result<(), String> {
    let reserve = builds.config.builds.reserve_mb;
    if is_nearly_full(&builds.config.data_dir, reserve.saturating_mul(1 << 20)) {
        return Err(format!(
            "Nothing was built: less than {reserve} MiB are free on the disk of the server (SERVICE_DISK_RESERVE_MB)"
        ));
    }
    Ok(())
}

/// The paths that no command may read.
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
    async fn all(&self, log: &mut Transcript, end: &mut BuildEnd) -> Result<StagedTree, String> {
        self.clone_repository(log, end).await?;
        let source = self.folder.source();
        for remark in remarks::of(&source) {
            log.say(&remark);
        }
        let default = Commands::default_of(&source);
        let install = command(&self.request.install_command, default.install);
        let build = command(&self.request.build_command, default.build);
        if install.is_none() && build.is_none() {
            log.say("The repository has no package.json: nothing is run, and its files are taken as they are");
        }
        let code_host = &self.builds.config.code_host.url;
        if let Some(install) = install {
            self.command(install, environment::installing(self.folder, code_host), log)
                .await?;
        }
        if let Some(build) = build {
            self.command(build, environment::building(self.folder, code_host), log)
                .await?;
        }
        self.package(log).await
    }

    async fn clone_repository(&self, log: &mut Transcript, end: &mut BuildEnd) -> Result<(), String> {
        let source = &self.request.source;
        let name = format!("{}/{}", source.owner, source.name);
        let unopened = |reason: &str| format!("The repository {name} cannot be opened: {reason}");
        let app = self.builds.app.as_ref();
        let app = app.ok_or_else(|| unopened("the server has no code-host app any more"))?;
        let opened = self
            .bounds
            .wait(app.open_repository(source.installation_id, source.repository_id, &name))
            .await
            .map_err(|error| self.explain(&format!("Opening {name}"), error))?
            .map_err(|error| match source.repository_id {
                Some(_) => unopened(&error.to_string()),
                None => unopened(&format!(
                    "{error}. The connection is of an earlier version and knows only this name: if the repository was \
                     renamed or moved, connect it again"
                )),
            })?;
        // What the code host calls it now.
        let (name, token) = (opened.full_name, opened.token);
        log.say(&format!("Cloning {name}, branch {}", source.branch));
        let (host, url) = (&self.builds.config.code_host.url, app.clone_url(&name));
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
        if let Some(pushed) = source.commit.as_ref().filter(|_| source.only_newest)
            && !pushed.eq_ignore_ascii_case(&commit)
        {
            end.code = Some(NOT_NEWEST);
            return Err(format!(
                "Commit {pushed} is not the newest of the branch {} any more, {commit} is: it is not built",
                source.branch
            ));
        }
        log.say(&format!("Commit {commit}"));
        end.commit = Some(commit);
        Ok(())
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
            network: Reach::OtherMachines,
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
            network: Reach::Nothing,
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
            StepError::UsedUp => format!("{what} was stopped: it used up what a build may use"),
            StepError::Broken(error) => format!("{what} failed: {error}"),
        }
    }
}

/// The requested command, or the default when the request leaves it empty.
fn command<'a>(asked: &'a str, default: Option<&'a str>) -> Option<&'a str> {
    if asked.trim().is_empty() { default } else { Some(asked) }
}

/// The default commands; `None` when nothing is run.
struct Commands {
    install: Option<&'static str>,
    build: Option<&'static str>,
}

impl Commands {
    /// The commands of npm for a repository with a `package.json` in its root; nothing for any other.
    fn default_of(source: &Path) -> Commands {
        let has = |file: &str| source.join(file).is_file();
        if !has("package.json") {
            return Commands {
                install: None,
                build: None,
            };
        }
        let is_locked = LOCKFILES.into_iter().any(has);
        Commands {
            install: Some(if is_locked { "npm ci" } else { "npm install" }),
            build: Some("npm run build"),
        }
    }
}
