//! The host of a test.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use galley_manifest::SettingKind;
use serde::Serialize;

use super::call::Call;
use super::database::Database;
use super::identity::Identity;
use super::world::{self, BuildState, ProjectState, World};
use crate::accounts::Account;
use crate::builds;
use crate::error::Problem;
use crate::events::{Published, Received};
use crate::log::Level;
use crate::mail::Note;
use crate::outbound;
use crate::plugin::Plugin;
use crate::projects::Project;
use crate::route::Method;

/// An in-memory host with one plugin. Each has its own world; tests may have several.
pub struct TestHost {
    pub(super) plugin: Plugin,
    pub(super) world: Rc<RefCell<World>>,
}

/// A project of a [`TestHost`], to be changed.
pub struct TestProject<'a> {
    host: &'a TestHost,
    id: String,
}

impl TestHost {
    /// A host with `plugin` in it: its migrations are done, its start handler did not run (see [`TestHost::start`]).
    ///
    /// # Panics
    /// When the real host would refuse the manifest (a route does not begin with `/api/v1/`, two routes are the same, a
    /// guard's parameter is not in the path, a migration's version is missing), and when a migration fails.
    pub fn new(plugin: Plugin) -> TestHost {
        super::guard::check(&plugin);
        let database = Database::open(&plugin);
        super::guard::check_statements(&plugin, &database);
        TestHost {
            world: Rc::new(RefCell::new(World::new(&plugin, database))),
            plugin,
        }
    }

    /// A GET request, to be completed and sent.
    pub fn get(&self, path: &str) -> Call<'_> {
        self.call(Method::Get, path)
    }

    /// A POST request.
    pub fn post(&self, path: &str) -> Call<'_> {
        self.call(Method::Post, path)
    }

    /// A PUT request.
    pub fn put(&self, path: &str) -> Call<'_> {
        self.call(Method::Put, path)
    }

    /// A PATCH request.
    pub fn patch(&self, path: &str) -> Call<'_> {
        self.call(Method::Patch, path)
    }

    /// A DELETE request.
    pub fn delete(&self, path: &str) -> Call<'_> {
        self.call(Method::Delete, path)
    }

    /// A request of any method. `path` may hold a query. The caller is anonymous unless the call names one.
    pub fn call(&self, method: Method, path: &str) -> Call<'_> {
        Call::new(&self.plugin, &self.world, method, path)
    }

    /// The project `id`, made if it does not exist: slug and name are the id, every member may read it.
    pub fn project(&self, id: &str) -> TestProject<'_> {
        let mut world = self.world.borrow_mut();
        world.projects.entry(id.to_owned()).or_insert_with(|| ProjectState {
            project: Project {
                id: id.into(),
                slug: id.into(),
                name: id.into(),
                access: "all-members".into(),
                url: format!("http://galley.test/p/{id}/"),
            },
            listed: Default::default(),
            versions: Vec::new(),
            live: None,
        });
        TestProject {
            host: self,
            id: id.into(),
        }
    }

    /// A new account with the role `viewer`. It is called as the part of the address before the `@`.
    pub fn account(&self, email: &str) -> Account {
        self.account_with(email, "viewer")
    }

    /// A new account with the role `editor`.
    pub fn editor(&self, email: &str) -> Account {
        self.account_with(email, "editor")
    }

    /// A new account with the role `admin`.
    pub fn admin(&self, email: &str) -> Account {
        self.account_with(email, "admin")
    }

    /// Removes an account: its sessions and tokens are not valid until it is restored.
    pub fn remove_account(&self, account: &Account) {
        let mut world = self.world.borrow_mut();
        let mut accounts = world.accounts.iter_mut();
        if let Some(account) = accounts.find(|other| other.id == account.id) {
            account.removed = true;
        }
    }

    fn account_with(&self, email: &str, role: &str) -> Account {
        let mut world = self.world.borrow_mut();
        let name = email.split('@').next().unwrap_or_default();
        let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
        let account = Account {
            id: format!("u{}", world.accounts.len() + 1),
            email: crate::people::email::normal(email),
            name: first.to_uppercase() + rest,
            role: role.into(),
            removed: false,
        };
        world.accounts.push(account.clone());
        account
    }

    /// Sets a setting of the instance.
    pub fn setting(&self, key: &str, value: impl Into<serde_json::Value>) {
        self.world.borrow_mut().settings.insert(key.into(), value.into());
    }

    /// Sets a setting of the plugin, as the operator does: `configure("days", "3")`.
    ///
    /// # Panics
    /// When the real host would refuse it: the plugin declares no such setting, or one of another type.
    pub fn configure(&self, key: &str, value: &str) {
        let mut world = self.world.borrow_mut();
        let setting = world.declared.iter().find(|setting| setting.key == key);
        let setting = setting.unwrap_or_else(|| panic!("the plugin declares no setting `{key}`"));
        let is_fine = setting.kind != SettingKind::Secret && setting.read(value).is_some();
        assert!(
            is_fine,
            "the setting `{key}` takes {}, not `{value}`",
            setting.kind.words()
        );
        world.configured.insert(key.into(), value.into());
    }

    /// Sets a secret of the plugin. Its value is nobody's business here.
    ///
    /// # Panics
    /// When the plugin declares no such secret.
    pub fn configure_secret(&self, key: &str) {
        let mut world = self.world.borrow_mut();
        let mut declared = world.declared.iter();
        let is_secret = declared.any(|setting| setting.key == key && setting.kind == SettingKind::Secret);
        assert!(is_secret, "the plugin declares no secret `{key}`");
        world.secrets.insert(key.into());
    }

    /// Runs a job of the plugin, whenever it is due.
    pub fn run_job(&self, name: &str) -> Result<(), Problem> {
        self.run(|| self.plugin.run_job(name))
    }

    /// Configures a mail server by environment variables, which an admin cannot change.
    pub fn mail_by_environment(&self) {
        self.world.borrow_mut().administration.mail_by_environment = true;
    }

    /// What the plugin's slot attached to a project, as JSON.
    pub fn attachment(&self, project: &str) -> Option<serde_json::Value> {
        let world = self.world.borrow();
        let value = world.attachments.get(&(project.to_owned(), world.slot.to_owned()))?;
        serde_json::from_str(value).ok()
    }

    /// Answers outbound requests from now on; without it each is `unconfigured`. [`Outside`](super::Outside) makes answers. As
    /// in the real host, the right to the credential is checked first.
    pub fn outside(&self, answer: impl Fn(&outbound::Request) -> Result<outbound::Response, Problem> + 'static) {
        self.world.borrow_mut().outside = Some(Rc::new(answer));
    }

    /// The outbound requests since the last call of this function.
    pub fn fetched(&self) -> Vec<outbound::Request> {
        std::mem::take(&mut self.world.borrow_mut().fetched)
    }

    /// Makes [`random::id`](crate::random::id) start again with its first id, so that a new id collides with an old one.
    pub fn repeat_ids(&self) {
        self.world.borrow_mut().made = 0;
    }

    /// Moves the clock forward.
    pub fn advance(&self, ms: u64) {
        self.world.borrow_mut().now_ms += ms;
    }

    /// Runs code as the host itself would (`system`): for looking into the database, or calling a function of the plugin.
    pub fn run<T>(&self, code: impl FnOnce() -> T) -> T {
        world::enter_as(&self.world, Identity::system(), Vec::new(), code)
    }

    /// Runs the plugin's start handler.
    pub fn start(&self) -> Result<(), Problem> {
        self.run(|| self.plugin.start())
    }

    /// Delivers an event to the plugin: a word is a topic of the host, `SLOT/WORD` one of a slot.
    pub fn deliver(&self, topic: &str, data: impl Serialize) -> Result<(), Problem> {
        let data = serde_json::to_string(&data).expect("the event's data is JSON");
        self.run(|| {
            self.plugin.receive(&Received {
                id: 1,
                topic: topic.into(),
                source: topic.split_once('/').map(|(slot, _)| slot.to_owned()),
                data,
                attempt: 1,
            })
        })
    }

    /// What another slot attached to a project.
    pub fn attach(&self, project: &str, slot: &str, value: serde_json::Value) {
        let mut world = self.world.borrow_mut();
        world
            .attachments
            .insert((project.into(), slot.into()), value.to_string());
    }

    /// Sets whether the server has a code-host app, and so a build queue. Default: it has one.
    pub fn configure_builds(&self, configured: bool) {
        self.world.borrow_mut().builds_configured = configured;
    }

    /// The builds that were enqueued and not forgotten, oldest first.
    pub fn builds(&self) -> Vec<builds::Request> {
        let world = self.world.borrow();
        world.builds.iter().map(|build| build.request.clone()).collect()
    }

    /// The conditions of a build.
    ///
    /// # Panics
    /// When it was not enqueued, or is forgotten.
    pub fn build_conditions(&self, id: &str) -> builds::Conditions {
        let world = self.world.borrow();
        let build = world.builds.iter().find(|build| build.request.id == id);
        build.unwrap_or_else(|| panic!("there is no build {id}")).conditions
    }

    /// Forgets every build, as after a crash of the host that published no event.
    pub fn forget_builds(&self) {
        self.world.borrow_mut().builds.clear();
    }

    /// Ends a build, with these files or for this reason, and delivers `build-finished` to the plugin. The commit is
    /// forty times `c`.
    ///
    /// # Panics
    /// When the build is not running.
    pub fn build_ends(&self, id: &str, output: Result<&[(&str, &str)], &str>) -> Result<(), Problem> {
        let project = {
            let mut world = self.world.borrow_mut();
            let build = world.builds.iter_mut().find(|build| build.request.id == id);
            let build = build.unwrap_or_else(|| panic!("the build {id} was not enqueued"));
            assert!(
                matches!(build.state, BuildState::Running),
                "the build {id} has ended before"
            );
            let files = output.ok().map(world::files);
            build.state = BuildState::Ended(files);
            build.request.project.clone()
        };
        self.deliver("build-finished", self.build_finished(id, &project, output.err()))
    }

    /// The data of `build-finished`, to be delivered once more.
    pub fn build_finished(&self, id: &str, project: &str, reason: Option<&str>) -> serde_json::Value {
        let mut data = serde_json::json!({
            "buildId": id, "projectId": project, "slot": self.plugin.slot(), "ok": reason.is_none(),
            "commitSha": "c".repeat(40),
        });
        if let Some(reason) = reason {
            data["reason"] = reason.into();
        }
        data
    }

    /// The topics that were rung since the last call of this function, oldest first.
    pub fn rung(&self) -> Vec<String> {
        std::mem::take(&mut self.world.borrow_mut().rung)
    }

    /// The events that were published since the last call of this function.
    pub fn published(&self) -> Vec<Published> {
        std::mem::take(&mut self.world.borrow_mut().published)
    }

    /// The data of the events of a topic that were published since the last call of [`TestHost::published`] or this one.
    ///
    /// # Panics
    /// When the data are not JSON.
    pub fn published_to(&self, topic: &str) -> Vec<serde_json::Value> {
        let published = self.published().into_iter().filter(|event| event.topic == topic);
        let data = published.map(|event| serde_json::from_str(&event.data));
        data.collect::<Result<_, _>>().expect("the data of an event are JSON")
    }

    /// The notes that were sent since the last call of this function, oldest first. A note whose key was sent to its address before is not
    /// sent again.
    pub fn mailed(&self) -> Vec<Note> {
        let mut world = self.world.borrow_mut();
        let all = world.notes.len();
        let seen = std::mem::replace(&mut world.notes_seen, all);
        world.notes[seen..].to_vec()
    }

    /// The lines of the operator's log since the last call of this function.
    pub fn log(&self) -> Vec<(Level, String)> {
        std::mem::take(&mut self.world.borrow_mut().lines)
    }

    /// Text and final status of the log `id`; `None` when there is no such log.
    pub fn text_log(&self, id: &str) -> Option<(String, Option<String>)> {
        self.world.borrow().logs.get(id).cloned()
    }
}

impl TestProject<'_> {
    fn change(self, change: impl FnOnce(&mut ProjectState)) -> Self {
        change(
            self.host
                .world
                .borrow_mut()
                .projects
                .get_mut(&self.id)
                .expect("the project was not deleted"),
        );
        self
    }

    /// Sets who may read it: `all-members`, `invited` or `public-link`.
    pub fn access(self, access: &str) -> Self {
        self.change(|state| state.project.access = access.into())
    }

    /// Puts an account on its access list.
    pub fn list(self, account: &Account) -> Self {
        self.change(|state| {
            state.listed.insert(account.id.clone());
        })
    }

    /// Stores a version with these files, which is live until the next one, as publishing does.
    ///
    /// # Panics
    /// When the project has such a version.
    pub fn version(self, id: &str, files: &[(&str, &str)]) -> Self {
        self.change(|state| {
            let stored = state.store(id, world::files(files));
            stored.unwrap_or_else(|problem| panic!("{}: {id}", problem.message));
        })
    }

    /// The files of a stored version, by path; `None` when there is no such version.
    pub fn files(&self, version: &str) -> Option<BTreeMap<String, Vec<u8>>> {
        let world = self.host.world.borrow();
        let versions = &world.projects.get(&self.id)?.versions;
        let found = versions.iter().find(|(id, _)| id == version);
        found.map(|(_, files)| files.clone())
    }

    /// The stored versions and which one is live.
    pub fn versions(&self) -> Vec<crate::sites::Version> {
        self.host
            .world
            .borrow()
            .projects
            .get(&self.id)
            .map(ProjectState::versions)
            .unwrap_or_default()
    }

    /// Deletes the project with its sites. The plugin learns of it by [`TestHost::deliver`].
    pub fn delete(self) {
        let mut world = self.host.world.borrow_mut();
        world.projects.remove(&self.id);
        world.attachments.retain(|(project, _), _| *project != self.id);
    }
}
