//! All sessions of a prototype, and beginning and ending their turns.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::HEXLOWER;
use parking_lot::{Mutex, RwLock};

use super::camera::{Camera, Sight};
use super::desk::Desk;
use super::doing::Doing;
use super::file::{Kept, Place, Record};
use super::run::Ended;
use super::session::{Begun, Session};
use super::state::interrupted;
use super::turn::{Chip, Goal, Status, Turn, What, is_id};
use super::work::{Parts, Work};
use super::{judge, pictures, servers, talk};
use crate::agent::conventions::{self, Found};
use crate::agent::fence::Fence;
use crate::agent::gate::Gate;
use crate::agent::mcp::{Approved, Pool};
use crate::agent::vendor;
use crate::config::ReadRoot;
use crate::config::tool::Tool;
use crate::config::turn::Turn as Settings;
use crate::home::{PrivateError, tokens};
use crate::models::{Access, Message, Secrets, access};
use crate::review::Surface;

/// The folder of sessions in `.tool/`.
const FOLDER: &str = "chat";

/// What a chat needs of the Editor around it.
pub struct Setup {
    /// Questions and edits.
    pub desk: Arc<dyn Desk>,
    /// The only way of a proposal to a file.
    pub gate: Gate,
    /// The top folder of the repository.
    pub git_root: PathBuf,
    /// The folder of people's own settings.
    pub home: PathBuf,
    /// `.tool/config.json`
    pub tool: Tool,
    /// `EDITOR_USE_SUBSCRIPTION`: whether the vendor's program is asked instead of its provider's API.
    pub use_subscription: bool,
    /// Shows pages of the preview.
    pub review: Surface,
    /// Folders besides the prototype that may be read.
    pub read_roots: Vec<ReadRoot>,
}

/// Why a turn is not begun.
#[derive(Debug, thiserror::Error)]
pub enum NotBegun {
    /// Another one runs in the session.
    #[error("A turn runs in this chat: wait for its end, or stop it")]
    Running,
    /// The session cost what it may cost.
    #[error("{0}")]
    Ceiling(String),
    /// There is no key.
    #[error("{0}")]
    MissingKey(String),
    /// It could not be written.
    #[error("The turn could not be written to disk, so it was not begun: {0}")]
    Disk(#[from] io::Error),
}

/// All sessions.
pub struct Chats {
    setup: Setup,
    read_roots: RwLock<Vec<ReadRoot>>,
    pool: Arc<Pool>,
    approved: Arc<Approved>,
    /// `None` before anybody asked.
    sessions: Mutex<Option<BTreeMap<String, Arc<Session>>>>,
    /// Each session's fence and the instructions its model knows already.
    told: Mutex<BTreeMap<String, (Fence, Option<Found>)>>,
}

impl Chats {
    /// Nothing is read yet. Within a runtime only.
    #[must_use]
    pub fn new(setup: Setup) -> Arc<Chats> {
        Arc::new(Chats {
            pool: Pool::new(setup.git_root.clone()),
            approved: Arc::new(Approved::new(&setup.home)),
            read_roots: RwLock::new(setup.read_roots.clone()),
            sessions: Mutex::default(),
            told: Mutex::default(),
            setup,
        })
    }

    /// Whether there is one session only.
    #[must_use]
    pub fn is_single(&self) -> bool {
        !self.setup.tool.chat.detached_sessions
    }

    /// Folders that may be read from the next turn on.
    pub fn set_read_roots(&self, roots: Vec<ReadRoot>) {
        *self.read_roots.write() = roots;
    }

    /// The repository's instructions as the next turn would take them.
    #[must_use]
    pub fn conventions(&self) -> Found {
        conventions::find(&self.setup.git_root, &self.setup.tool.conventions)
    }

    /// All sessions, the newest first.
    ///
    /// # Errors
    /// When their folder cannot be read.
    pub fn list(&self) -> io::Result<Vec<Arc<Session>>> {
        let mut sessions = self.with(|sessions| Ok(sessions.values().cloned().collect::<Vec<_>>()))?;
        sessions.sort_by_cached_key(|session| {
            let shown = session.shown();
            std::cmp::Reverse((shown.updated_at, shown.created_at, shown.id))
        });
        Ok(sessions)
    }

    /// A session by its id.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn find(&self, id: &str) -> io::Result<Option<Arc<Session>>> {
        self.with(|sessions| Ok(sessions.get(id).cloned()))
    }

    /// A new session; where there is only one, that.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(&self, title: &str) -> io::Result<Arc<Session>> {
        let folder = self.folder()?;
        let single = self.is_single();
        let (session, is_new) = self.with(|sessions| {
            if single && let Some(session) = sessions.values().next_back() {
                return Ok((Arc::clone(session), false));
            }
            let now = now();
            let id = format!("{now:012x}{}", HEXLOWER.encode(&rand::random::<[u8; 4]>()));
            let place = Place::new(&folder, &id);
            place.create(title, now)?;
            let kept = Kept {
                title: title.to_owned(),
                created_at: now,
                ..Kept::default()
            };
            let session = self.live(&id, place, kept);
            sessions.insert(id, Arc::clone(&session));
            Ok((session, true))
        })?;
        if is_new {
            self.setup.desk.changed(session.id(), "idle");
        }
        Ok(session)
    }

    /// Stops a session's turn and deletes it; whether there was one.
    ///
    /// # Errors
    /// When its files cannot be deleted.
    pub fn delete(&self, id: &str) -> io::Result<bool> {
        let Some(session) = self.with(|sessions| Ok(sessions.get(id).cloned()))? else {
            return Ok(false);
        };
        session.delete()?;
        self.with(|sessions| Ok(sessions.remove(id)))?;
        self.told.lock().remove(id);
        self.setup.desk.changed(id, "deleted");
        Ok(true)
    }

    /// Ends what runs: turns and servers.
    pub fn end(&self) {
        if let Some(sessions) = &*self.sessions.lock() {
            for session in sessions.values() {
                session.stop();
            }
        }
        self.pool.end();
    }

    /// Begins a turn: it is on disk when this returns, and goes on by itself. One that was begun before is not begun again. Within a
    /// runtime only.
    ///
    /// # Errors
    /// With why it is not begun.
    pub fn start(self: &Arc<Self>, session: &Arc<Session>, asked: Asked) -> Result<(), NotBegun> {
        if session.turn(&asked.turn).is_some() {
            return Ok(());
        }
        if session.is_running() {
            return Err(NotBegun::Running);
        }
        self.within_ceiling(session)?;
        let (access, problem) = self.access();
        if !access.is_ready() && !self.is_subscribed(&access) {
            return Err(NotBegun::MissingKey(access.missing()));
        }
        let secrets = self.secrets();
        let mut turn = Turn::new(
            asked.turn,
            now(),
            secrets.hide(&asked.text).into_owned(),
            asked.selection,
            asked.page,
        );
        turn.model = access.model.clone();
        match session.begin(turn.clone())? {
            Begun::Now => {}
            Begun::Before => return Ok(()),
            Begun::Busy => return Err(NotBegun::Running),
        }
        let (chats, session) = (Arc::clone(self), Arc::clone(session));
        let problem = problem.map(|error| error.to_string());
        tokio::spawn(async move { chats.go(session, turn, access, secrets, problem).await });
        Ok(())
    }

    async fn go(
        self: Arc<Self>,
        session: Arc<Session>,
        turn: Turn,
        access: Access,
        mut secrets: Secrets,
        problem: Option<String>,
    ) {
        let settings = Settings::read(&self.setup.git_root, &|name| std::env::var(name).ok());
        for server in settings.servers.iter().flat_map(BTreeMap::values) {
            secrets.add_variables(server.env.clone().into_iter());
        }
        if let Ok(Some(tool)) = &settings.design_tool {
            secrets.add_variables(tool.server.env.clone().into_iter());
        }
        let model = access.model.clone().unwrap_or_default();
        let (fence, fresh, found) = self.telling(session.id());
        let camera = Camera::new(Sight {
            surface: self.setup.review.clone(),
            page: turn.page.clone(),
            workspace: Arc::clone(self.setup.gate.workspace()),
            session: Arc::clone(&session),
            stop: session.stopping(),
        });
        let work = Arc::new(Work::new(Parts {
            camera,
            stop: session.stopping(),
            session: Arc::clone(&session),
            turn: turn.id.clone(),
            desk: Arc::clone(&self.setup.desk),
            gate: self.setup.gate.clone(),
            roots: self.read_roots.read().clone(),
            review: self.setup.review.clone(),
            page: turn.page.clone(),
            selected: turn.selection.first().map(|chip| chip.src.clone()),
            pool: Arc::clone(&self.pool),
            approved: Arc::clone(&self.approved),
            fence,
            rates: access.rates(&model),
            model,
            settings,
            secrets,
        }));
        if let Some(words) = problem {
            work.notice(super::turn::Level::Warning, "credentials", words);
        }
        if fresh && (!found.taken.is_empty() || !found.left.is_empty()) {
            let (taken, left) = (found.taken.clone(), found.left.clone());
            work.add(What::Conventions { taken, left });
        }
        servers::begin(&work, &self.setup.git_root).await;
        let (ended, goal) = if work.stop.is_cancelled() {
            (Ended::stopped(), None)
        } else {
            let conventions = fresh.then_some(&found);
            let asked = talk::asked(&turn, conventions, &work.fence, &work.secrets);
            self.speak(&work, &turn, access, asked).await
        };
        self.over(&work, ended, goal);
    }

    /// The turn itself, and what a model says of it afterwards.
    async fn speak(&self, work: &Arc<Work>, turn: &Turn, access: Access, asked: Message) -> (Ended, Option<Goal>) {
        let mut said = work.session.said();
        said.retain(|(id, _)| *id != turn.id);
        let doing = match self.is_subscribed(&access) {
            true => Doing::by_program(work, access),
            false => Doing::by_provider(work, access),
        };
        let doing = match doing {
            Ok(doing) => doing,
            Err(failure) => return (Ended::failed(failure), None),
        };
        if !turn.selection.is_empty() {
            work.camera.warm();
        }
        let ended = doing.run(work, talk::before(said), asked).await;
        work.camera.rest().await;
        let goal = match ended.status {
            Status::Done => judge::judge(work, doing.model(work), turn, &self.setup.review).await,
            _ => None,
        };
        (ended, goal)
    }

    /// Whether turns go by the vendor's program: it was asked for, and is of this provider.
    fn is_subscribed(&self, access: &Access) -> bool {
        vendor::is_used(self.setup.use_subscription, access)
    }

    fn over(&self, work: &Work, ended: Ended, goal: Option<Goal>) {
        let max_turns = usize::try_from(self.setup.tool.retention.max_turns).unwrap_or(usize::MAX);
        let (edits, cost) = (work.edits.lock().clone(), *work.cost.lock());
        work.session.end(ended.messages, max_turns, |turn| {
            turn.status = ended.status;
            turn.failure = ended.failure;
            turn.ended_at = Some(now());
            turn.edits = edits;
            turn.cost = cost;
            turn.goal = goal;
        });
    }

    /// What a session's model is told with: its fence, whether instructions changed since it was told them, and those.
    fn telling(&self, session: &str) -> (Fence, bool, Found) {
        let found = self.conventions();
        let mut told = self.told.lock();
        let (fence, known) = told.entry(session.to_owned()).or_insert_with(|| (Fence::new(), None));
        let fresh = known.as_ref() != Some(&found);
        *known = Some(found.clone());
        (fence.clone(), fresh, found)
    }

    fn within_ceiling(&self, session: &Session) -> Result<(), NotBegun> {
        let shown = session.shown();
        let Some(ceiling) = shown.ceiling_usd else {
            return Ok(());
        };
        if shown.cost.usd < ceiling {
            return Ok(());
        }
        Err(NotBegun::Ceiling(format!(
            "This chat has cost about {}, and `chat.costCeilingUsd` in .tool/config.json allows {}: raise it or take the key out, \
             or begin a new chat",
            dollars(shown.cost.usd),
            dollars(ceiling)
        )))
    }

    /// Which provider is asked now, and what is wrong with the file of keys.
    fn access(&self) -> (Access, Option<PrivateError>) {
        let root = self.setup.gate.workspace().root();
        Access::find(&self.setup.home, root, &|name| std::env::var(name).ok())
    }

    /// Values that nobody may see.
    fn secrets(&self) -> Secrets {
        let mut secrets = access::secrets(&self.setup.home);
        // A file that cannot be used is not used, neither for requests nor for what a turn could see.
        for token in tokens::all(&self.setup.home).unwrap_or_default().values() {
            secrets.add(token);
        }
        secrets
    }

    fn folder(&self) -> io::Result<PathBuf> {
        let folder = self.setup.gate.workspace().own_folder(FOLDER);
        folder.map_err(|error| io::Error::other(error.to_string()))
    }

    /// The sessions, read from disk at the first time.
    fn with<T>(&self, work: impl FnOnce(&mut BTreeMap<String, Arc<Session>>) -> io::Result<T>) -> io::Result<T> {
        let mut sessions = self.sessions.lock();
        let sessions = match &mut *sessions {
            Some(sessions) => sessions,
            none => none.insert(self.load()?),
        };
        work(sessions)
    }

    fn load(&self) -> io::Result<BTreeMap<String, Arc<Session>>> {
        let folder = self.folder()?;
        let mut sessions = BTreeMap::new();
        for entry in std::fs::read_dir(&folder)?.flatten() {
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let Some(id) = name.strip_suffix(".jsonl").filter(|id| is_id(id)) else {
                continue;
            };
            let place = Place::new(&folder, id);
            match place.read() {
                Ok(Some(kept)) => {
                    if kept.damaged > 0 {
                        tracing::warn!(
                            session = id,
                            lines = kept.damaged,
                            "lines of a chat are damaged and left out"
                        );
                    }
                    let kept = self.settled(id, &place, kept);
                    sessions.insert(id.to_owned(), self.live(id, place, kept));
                }
                Ok(None) => {}
                // One session that cannot be read is no reason to lose the others.
                Err(error) => tracing::warn!(session = id, %error, "a chat cannot be read"),
            }
        }
        pictures::sweep(&folder);
        Ok(sessions)
    }

    /// Turns that the program's end broke off are over, and made steps nobody wrote down with them: the history knows whose they are.
    /// That is on disk before anybody reads it, or they would go to the archive as turns that run.
    fn settled(&self, id: &str, place: &Place, mut kept: Kept) -> Kept {
        let mut ended = Vec::new();
        for (turn, _) in kept.turns.iter_mut().filter(|(turn, _)| !turn.status.is_over()) {
            turn.edits = self.setup.desk.steps(id, &turn.id);
            interrupted(turn);
            ended.push(Record::Turn {
                turn: Box::new(turn.clone()),
            });
        }
        if let Err(error) = place.append(&ended) {
            tracing::warn!(session = id, %error, "the end of a turn could not be written");
        }
        kept
    }

    fn live(&self, id: &str, place: Place, kept: Kept) -> Arc<Session> {
        let desk = Arc::clone(&self.setup.desk);
        let changed = Arc::new(move |session: &str, status: &'static str| desk.changed(session, status));
        let ceiling = self.setup.tool.chat.cost_ceiling_usd.filter(|ceiling| *ceiling > 0.0);
        Arc::new(Session::new(id, place, kept, ceiling, changed))
    }
}

/// A sum for people: small ones with more digits.
fn dollars(usd: f64) -> String {
    if usd < 0.1 {
        format!("${usd:.4}")
    } else {
        format!("${usd:.2}")
    }
}

/// What a turn begins with.
#[derive(Debug)]
pub struct Asked {
    /// Its id, which the page made up.
    pub turn: String,
    /// What the user wrote.
    pub text: String,
    /// What they selected.
    pub selection: Vec<Chip>,
    /// The page the preview shows.
    pub page: Option<String>,
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}
