//! The state of the in-memory host, and which host answers the current thread's calls.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use galley_manifest::{CallEvents, HostRule, Publisher, Setting};

use super::administration::Administration;
use super::database::Database;
use super::identity::Identity;
use super::problem;
use crate::accounts::Account;
use crate::builds;
use crate::error::Problem;
use crate::events::Published;
use crate::log::Level;
use crate::mail::Note;
use crate::outbound::{Request, Response};
use crate::plugin::Plugin;
use crate::projects::Project;
use crate::sites::Version;

/// The files of a tree, by path.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Files from texts.
pub(crate) fn files(texts: &[(&str, &str)]) -> Files {
    let texts = texts.iter();
    texts
        .map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()))
        .collect()
}

/// The state of one in-memory host.
pub(crate) struct World {
    pub(crate) database: Rc<Database>,
    pub(crate) projects: BTreeMap<String, ProjectState>,
    pub(crate) accounts: Vec<Account>,
    pub(crate) administration: Administration,
    pub(crate) settings: BTreeMap<String, serde_json::Value>,
    pub(crate) blobs: BTreeMap<String, Vec<u8>>,
    pub(crate) logs: BTreeMap<String, (String, Option<String>)>,
    pub(crate) builds: Vec<Build>,
    /// Whether there is a code-host app.
    pub(crate) builds_configured: bool,
    pub(crate) rung: Vec<String>,
    pub(crate) published: Vec<Published>,
    /// What the current call has published.
    pub(crate) call_events: CallEvents,
    /// How many notes the current call has sent.
    pub(crate) call_notes: u32,
    pub(crate) publisher: Publisher<&'static str>,
    pub(crate) lines: Vec<(Level, String)>,
    pub(crate) notes: Vec<Note>,
    /// How many of the notes a test has seen.
    pub(crate) notes_seen: usize,
    pub(crate) now_ms: u64,
    pub(crate) made: u64,
    /// The caller of the current call.
    pub(crate) caller: Identity,
    pub(crate) headers: Vec<(String, String)>,
    /// By project and slot.
    pub(crate) attachments: BTreeMap<(String, String), String>,
    /// The plugin's own slot.
    pub(crate) slot: &'static str,
    /// The credentials and hosts its manifest asks for.
    pub(crate) hosts: Vec<HostRule<&'static str>>,
    /// The settings and secrets it declares.
    pub(crate) declared: Vec<Setting<&'static str>>,
    /// What the operator set.
    pub(crate) configured: BTreeMap<String, String>,
    /// The secrets the operator set.
    pub(crate) secrets: BTreeSet<String>,
    pub(crate) outside: Option<Answers>,
    pub(crate) fetched: Vec<Request>,
}

/// A build that was enqueued and not forgotten.
pub(crate) struct Build {
    pub(crate) request: builds::Request,
    pub(crate) conditions: builds::Conditions,
    pub(crate) state: BuildState,
}

/// The state of a build.
pub(crate) enum BuildState {
    /// Queued or running.
    Running,
    /// Ended; with its output when it succeeded and the output was not taken.
    Ended(Option<Files>),
}

impl BuildState {
    pub(crate) fn take_output(&mut self) -> Option<Files> {
        match self {
            BuildState::Running => None,
            BuildState::Ended(files) => files.take(),
        }
    }
}
/// What answers outbound requests.
pub(crate) type Answers = Rc<dyn Fn(&Request) -> Result<Response, Problem>>;

/// A project, its access list and its sites.
pub(crate) struct ProjectState {
    pub(crate) project: Project,
    pub(crate) listed: BTreeSet<String>,
    pub(crate) versions: Vec<(String, Files)>,
    pub(crate) live: Option<String>,
}

impl ProjectState {
    /// Stores a version and makes it live: `bad-id`, `exists`.
    pub(crate) fn store(&mut self, id: &str, files: Files) -> Result<(), Problem> {
        self.check_new(id)?;
        self.versions.push((id.into(), files));
        self.live = Some(id.into());
        Ok(())
    }

    /// Whether a version of this name can be stored.
    pub(crate) fn check_new(&self, id: &str) -> Result<(), Problem> {
        if !galley_manifest::is_id(id) {
            return problem("bad-id", "A version is 1 to 64 letters, digits, `-` and `_`");
        }
        match self.versions.iter().any(|(other, _)| other == id) {
            true => problem("exists", "The project has such a version"),
            false => Ok(()),
        }
    }

    pub(crate) fn versions(&self) -> Vec<Version> {
        let version = |(id, files): &(String, Files)| Version {
            id: id.clone(),
            files: files.len() as u32,
            bytes: files.values().map(|bytes| bytes.len() as u64).sum(),
            live: self.live.as_ref() == Some(id),
        };
        self.versions.iter().map(version).collect()
    }
}

/// 2026-01-01T00:00:00Z.
pub(crate) const START_MS: u64 = 1_767_225_600_000;

impl World {
    pub(crate) fn new(plugin: &Plugin, database: Database) -> World {
        World {
            database: Rc::new(database),
            projects: BTreeMap::new(),
            accounts: Vec::new(),
            administration: Administration::default(),
            settings: BTreeMap::from([
                ("cluster".into(), false.into()),
                ("allowPublicLinks".into(), true.into()),
                ("allowAnonymousComments".into(), true.into()),
                ("publicUrl".into(), "http://galley.test".into()),
            ]),
            blobs: BTreeMap::new(),
            logs: BTreeMap::new(),
            builds: Vec::new(),
            builds_configured: true,
            rung: Vec::new(),
            published: Vec::new(),
            call_events: CallEvents::default(),
            call_notes: 0,
            publisher: Publisher {
                slot: plugin.slot(),
                topics: Some(
                    plugin
                        .publishes
                        .iter()
                        .map(|published| published.topic.to_owned())
                        .collect(),
                ),
            },
            lines: Vec::new(),
            notes: Vec::new(),
            notes_seen: 0,
            now_ms: START_MS,
            made: 0,
            caller: Identity::system(),
            headers: Vec::new(),
            attachments: BTreeMap::new(),
            slot: plugin.slot(),
            hosts: plugin.hosts.clone(),
            declared: plugin.settings.clone(),
            configured: BTreeMap::new(),
            secrets: BTreeSet::new(),
            outside: None,
            fetched: Vec::new(),
        }
    }

    pub(crate) fn flag(&self, setting: &str) -> bool {
        self.settings.get(setting) == Some(&true.into())
    }
}

thread_local! {
    static CURRENT: RefCell<Option<Rc<RefCell<World>>>> = const { RefCell::new(None) };
}

/// Runs `run` while `world` answers the host's functions.
pub(crate) fn enter<T>(world: &Rc<RefCell<World>>, run: impl FnOnce() -> T) -> T {
    /// Restores the world before, also when a test's assertion fails inside.
    struct Restore(Option<Rc<RefCell<World>>>);

    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0.take());
        }
    }

    let _restore = Restore(CURRENT.replace(Some(world.clone())));
    run()
}

/// The same for a new call, with its caller and headers.
pub(crate) fn enter_as<T>(
    world: &Rc<RefCell<World>>,
    caller: Identity,
    headers: Vec<(String, String)>,
    run: impl FnOnce() -> T,
) -> T {
    {
        let mut world = world.borrow_mut();
        (world.caller, world.headers) = (caller, headers);
        world.call_events = CallEvents::default();
        world.call_notes = 0;
    }
    enter(world, run)
}

/// Gives the host that answers the current thread's calls to `look`.
pub(crate) fn with<T>(look: impl FnOnce(&mut World) -> T) -> T {
    try_with(look).expect("a host function was called outside of a TestHost: wrap the code in `host.run(|| …)`")
}

/// The same, `None` outside of a host.
pub(crate) fn try_with<T>(look: impl FnOnce(&mut World) -> T) -> Option<T> {
    let world = CURRENT.with_borrow(Clone::clone)?;
    let mut world = world.borrow_mut();
    Some(look(&mut world))
}
