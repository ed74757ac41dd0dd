//! Repositories over smart HTTP: `git http-backend` behind the credentials of the code host.
//!
//! Tokens of installations clone what they reach, when they may read contents; tokens of people push too.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::BASE64;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;

use super::CodeHost;
use super::router::not_found;
use super::state::State;
use super::world::Repository;

/// The bare repositories of one host, made when they are first needed.
#[derive(Debug)]
pub(super) struct Repositories {
    root: TempDir,
    making: Mutex<()>,
    echoing: AtomicBool,
    public: AtomicBool,
}

impl Repositories {
    pub(super) fn new() -> Repositories {
        Repositories {
            root: tempfile::tempdir().expect("a temporary folder"),
            making: Mutex::default(),
            echoing: AtomicBool::new(false),
            public: AtomicBool::new(false),
        }
    }

    /// The bare repository, below the root at its id: it stays what it is when its name changes.
    fn bare(&self, repository: &Repository) -> PathBuf {
        let _one_at_a_time = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let place = self.root.path().join(format!("{}.git", repository.id));
        if !place.exists() {
            std::fs::create_dir_all(&place).expect("the folder is writable");
            git(&place, &["init", "--quiet", "--bare", "--initial-branch=main", "."]);
            git(&place, &["config", "http.receivepack", "true"]);
            git(&place, &["config", "receive.denyNonFastForwards", "false"]);
        }
        place
    }
}

/// Answers a request at `/{owner}/{name}.git/…`.
pub async fn serve(state: Arc<State>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/').to_owned();
    let mut parts = path.splitn(3, '/');
    let (Some(owner), Some(name), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return not_found();
    };
    let name = name.trim_end_matches(".git");
    let world = state.world();
    let Some((installation, repository)) = world.repository(owner, name) else {
        return asked_again();
    };
    let service = rest.contains("git-receive-pack")
        || request
            .uri()
            .query()
            .is_some_and(|query| query.contains("git-receive-pack"));
    match password(request.headers()) {
        _ if state.repositories.public.load(Ordering::Relaxed) => {}
        // What GitHub says to somebody without a credential: it may exist.
        None => return asked_again(),
        Some(token) if state.repositories.echoing.load(Ordering::Relaxed) => {
            // Git shows what a server says beside a refusal.
            let text = [(header::CONTENT_TYPE, "text/plain")];
            return (StatusCode::FORBIDDEN, text, format!("you said {token}\n")).into_response();
        }
        Some(token) => {
            let person = state.user_of(&token).and_then(|login| world.person(&login).cloned());
            let reads = state.installation_token(&token).is_some_and(|token| {
                let contents = token.permissions.as_ref().is_none_or(|all| all["contents"] == "read");
                contents && token.installation == installation.id && token.reaches(repository)
            });
            let writes = person.is_some_and(|person| person.installations.contains(&installation.id));
            if !(writes || reads && !service) {
                return asked_again();
            }
        }
    }
    let bare = state.repositories.bare(repository);
    backend(&bare, rest, request).await
}

fn asked_again() -> Response {
    let realm = [(header::WWW_AUTHENTICATE, "Basic realm=\"GitHub\"")];
    (StatusCode::UNAUTHORIZED, realm, "Repository not found.").into_response()
}

/// The password of a basic authorization.
fn password(headers: &HeaderMap) -> Option<String> {
    let value = headers
        .get(header::AUTHORIZATION)?
        .to_str()
        .ok()?
        .strip_prefix("Basic ")?;
    let pair = String::from_utf8(BASE64.decode(value.as_bytes()).ok()?).ok()?;
    Some(pair.split_once(':')?.1.to_owned())
}

/// Runs `git http-backend` as CGI.
async fn backend(bare: &Path, rest: &str, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let text = |name: &str| {
        let value = parts.headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let mut child = tokio::process::Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", bare)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", format!("/{rest}"))
        .env("REQUEST_METHOD", parts.method.as_str())
        .env("QUERY_STRING", parts.uri.query().unwrap_or_default())
        .env("CONTENT_TYPE", text("content-type"))
        .env("HTTP_CONTENT_ENCODING", text("content-encoding"))
        .env("GIT_PROTOCOL", text("git-protocol"))
        .env("REMOTE_USER", "somebody")
        .env("REMOTE_ADDR", "127.0.0.1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("git is installed");
    let mut stdin = child.stdin.take().expect("it is piped");
    let body = axum::body::to_bytes(body, 64 << 20).await.unwrap_or_default();
    let sending = tokio::spawn(async move {
        let _ = stdin.write_all(&body).await;
    });
    let output = child.wait_with_output().await.expect("git ends");
    let _ = sending.await;
    let end = output.stdout.windows(4).position(|window| window == b"\r\n\r\n");
    let end = end.expect("git http-backend answers with headers");
    let head = String::from_utf8_lossy(&output.stdout[..end]).into_owned();
    let mut response = Response::builder();
    for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
        response = if name.eq_ignore_ascii_case("status") {
            response.status(value.split(' ').next().unwrap_or("500"))
        } else {
            response.header(name, value)
        };
    }
    response
        .body(Body::from(output.stdout[end + 4..].to_vec()))
        .expect("the headers of git are well formed")
}

/// Runs git in a folder, as somebody without any configuration, and gives what it says.
#[track_caller]
fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_TERMINAL_PROMPT", "0")
        .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "Octo")))
        .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "octo@example.com")))
        .stdin(Stdio::null())
        .output()
        .expect("git is installed");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "git {arguments:?}: {said}");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// Somebody's clone of a repository, who may push to it.
#[derive(Debug)]
pub struct WorkingCopy {
    folder: TempDir,
    remote: String,
}

impl State {
    /// From now on everybody may clone every repository.
    pub fn make_public(&self) {
        self.repositories.public.store(true, Ordering::Relaxed);
    }

    /// From now on every clone is refused with a message that holds the credential it came with.
    pub fn echo_credentials(&self) {
        self.repositories.echoing.store(true, Ordering::Relaxed);
    }
}

impl CodeHost {
    /// An empty working copy of a repository, on the branch `main`.
    ///
    /// # Panics
    /// When there is no such repository.
    #[track_caller]
    pub fn working_copy(&self, owner: &str, name: &str) -> WorkingCopy {
        let world = self.state().world();
        let (installation, repository) = world.repository(owner, name).expect("there is such a repository");
        let may_push = |person: &&super::Person| person.installations.contains(&installation.id);
        let person = world.people.iter().find(may_push).expect("somebody may push to it");
        let token = self.state().issue_user_token(&person.login);
        let remote = format!(
            "http://{}:{token}@{}/{}.git",
            person.login,
            self.address(),
            repository.full_name()
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        git(folder.path(), &["init", "--quiet", "--initial-branch=main", "."]);
        WorkingCopy { folder, remote }
    }
}

impl WorkingCopy {
    /// Where the files are.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file.
    pub fn write(&self, path: &str, text: &str) -> &WorkingCopy {
        let place = self.folder().join(path);
        std::fs::create_dir_all(place.parent().expect("a file lies in a folder")).expect("the folder is writable");
        std::fs::write(place, text).expect("the folder is writable");
        self
    }

    /// Commits everything and pushes it to `branch`, over HTTP. Gives the commit.
    #[track_caller]
    pub fn push(&self, branch: &str) -> String {
        git(self.folder(), &["add", "--all"]);
        git(
            self.folder(),
            &["commit", "--quiet", "--allow-empty", "--message", "A change"],
        );
        let target = format!("HEAD:refs/heads/{branch}");
        git(self.folder(), &["push", "--quiet", "--force", &self.remote, &target]);
        git(self.folder(), &["rev-parse", "HEAD"])
    }
}
