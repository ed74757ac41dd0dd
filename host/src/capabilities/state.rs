//! The state of a plugin's instance: its slot, the current call and its bounds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ::http::HeaderMap;
use arc_swap::ArcSwap;
use galley_manifest::{CallEvents, HostRule, Publisher, Setting};
use wasmtime::component::ResourceTable;
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};

use super::bells::Bells;
use super::chosen::Chosen;
use super::counters::{Counted, Counters, count};
use super::handles::Handles;
use super::objects::{Delivery, Job, Request};
use super::printed::Printed;
use super::rate::OutboundRate;
use super::trouble::Trouble;
use super::{Capability, Grants, Limits, Problem, problem};
use crate::builds::Builds;
use crate::codehost::{CodeHostApp, People};
use crate::config::Config;
use crate::core::Core;
use crate::identity::Caller;
use crate::mail::Mailer;
use crate::outside::Outside;
use crate::storage::blobs::BlobStore;
use crate::storage::logs::Logs;
use crate::storage::low_priority::Threads;
use crate::storage::objects::Files;
use crate::storage::reads::Reads;
use crate::storage::seal::Sealer;
use crate::storage::sites::SiteStore;
use crate::storage::slot::Database;

/// The host's services for plugins; one set for the process.
pub struct Services {
    /// The configuration.
    pub config: Arc<Config>,
    /// Accounts, projects, settings, events.
    pub core: Arc<Core>,
    /// Served trees.
    pub sites: SiteStore,
    /// Append-only logs.
    pub logs: Logs,
    /// The key-value stores.
    pub blobs: BlobStore,
    /// Notifications for connected clients.
    pub bells: Arc<Bells>,
    /// The build queue.
    pub builds: Arc<Builds>,
    /// The app of the group "repositories".
    pub code_host: Option<Arc<CodeHostApp>>,
    /// People of the group "sign-in".
    pub people: Option<Arc<People>>,
    /// The outbox of mails.
    pub mail: Arc<Mailer>,
    /// Requests to hosts that plugins declare.
    pub outside: Outside,
    /// Where the components of plugins lie that several servers run; `None` for a server alone.
    pub components: Option<Files>,
    /// Opens secrets.
    pub sealer: Arc<Sealer>,
}

/// The state that all instances of one plugin share.
pub struct SlotState {
    /// The slot's name; owner of its database, logs, blobs and bells.
    pub name: String,
    /// What it may publish.
    pub publisher: Publisher<String>,
    /// The interfaces it may use.
    pub grants: Grants,
    /// Where it may send requests: what its manifest lists and the operator approved.
    pub hosts: Vec<HostRule<String>>,
    /// The settings and secrets that its manifest declares.
    pub settings: Vec<Setting<String>>,
    /// What the operator set; a change is in force with the next use.
    pub chosen: ArcSwap<Chosen>,
    /// Its bounds; the operator can change them at any time.
    pub limits: ArcSwap<Limits>,
    /// Its database; `None` for a plugin without migrations.
    pub database: Option<Database>,
    /// The name of its schema.
    pub schema: String,
    /// Chooses the threads of its reads.
    pub reads: Reads,
    /// The thread of its transactions' statements: one, as one transaction holds the write lock.
    pub transactions: Threads,
    /// Held while its published events are moved to the outbox, so that they keep their order.
    pub relay: tokio::sync::Mutex<()>,
    /// The host's services.
    pub services: Arc<Services>,
    /// Counts since the server's start, also those of the plugins before in this slot.
    pub counters: Arc<Counters>,
    /// Bounds its outbound requests.
    pub outbound: OutboundRate,
}

impl SlotState {
    /// Its bounds as they are now.
    pub fn limits(&self) -> Limits {
        **self.limits.load()
    }

    /// Changes its bounds. Calls that began before keep theirs.
    pub fn set_limits(&self, limits: Limits) {
        self.limits.store(Arc::new(limits));
        if let Some(Err(error)) = self
            .database
            .as_ref()
            .map(|database| database.set_max_bytes(limits.storage()))
        {
            tracing::error!(
                slot = self.name,
                "the size of the plugin's database cannot be changed: {error}"
            );
        }
    }
}

/// One call of a plugin.
pub struct Call {
    /// The request's id, for the log.
    pub id: String,
    /// The caller, as the host authenticated it.
    pub caller: Caller,
    /// Whether the host itself is the caller (start, events). Such a call may do everything.
    pub system: bool,
    /// The request's headers.
    pub headers: HeaderMap,
    /// The request, and the number of its handle; the host sets it when the plugin is called.
    pub(super) request: Option<(u32, Request)>,
    /// The event, and the number of its handle.
    pub(super) delivery: Option<(u32, Delivery)>,
    /// The job, and the number of its handle.
    pub(super) job: Option<(u32, Job)>,
    /// When the call must have ended.
    pub deadline: Instant,
    /// Its bounds, as they were when it began.
    pub limits: Limits,
    /// How long it was in SQL.
    pub in_sql: Arc<Stopwatch>,
    /// What was in its way.
    pub trouble: Arc<Trouble>,
    /// What its panic said.
    pub panicked: Option<String>,
    host_calls: u32,
    /// Lines and bytes written to the log so far.
    pub(super) log_lines: u32,
    pub(super) log_bytes: usize,
    /// Notes queued so far.
    pub(super) notes: u32,
    /// Events that were published so far.
    pub(super) published: CallEvents,
}

impl Call {
    /// A call on behalf of a request.
    pub fn request(id: String, caller: Caller, headers: HeaderMap, limits: &Limits) -> Self {
        Self {
            id,
            caller,
            system: false,
            headers,
            request: None,
            delivery: None,
            job: None,
            deadline: Instant::now() + limits.deadline(),
            limits: *limits,
            in_sql: Arc::default(),
            trouble: Arc::default(),
            panicked: None,
            host_calls: 0,
            log_lines: 0,
            log_bytes: 0,
            notes: 0,
            published: CallEvents::default(),
        }
    }

    /// A call for a request with a verified signature, which counts as the host's own.
    pub fn signed(id: String, headers: HeaderMap, limits: &Limits) -> Self {
        Self {
            system: true,
            ..Self::request(id, Caller::Anonymous, headers, limits)
        }
    }

    /// A call on the host's own behalf.
    pub fn system(id: String, limits: &Limits) -> Self {
        Self {
            system: true,
            ..Self::request(id, Caller::Anonymous, HeaderMap::new(), limits)
        }
    }
}

/// Adds up times, also of work that is given up at its deadline.
#[derive(Debug, Default)]
pub struct Stopwatch(AtomicU64);

impl Stopwatch {
    /// Counts until the answer is dropped.
    pub fn run(self: &Arc<Self>) -> impl Drop + Send + use<> {
        struct Running(Arc<Stopwatch>, Instant);
        impl Drop for Running {
            fn drop(&mut self) {
                let spent = u64::try_from(self.1.elapsed().as_micros()).unwrap_or(u64::MAX);
                self.0.0.fetch_add(spent, Ordering::Relaxed);
            }
        }
        Running(self.clone(), Instant::now())
    }

    /// The sum.
    pub fn total(&self) -> Duration {
        Duration::from_micros(self.0.load(Ordering::Relaxed))
    }
}

/// The data of a plugin's store.
pub struct State {
    /// The state that all instances share.
    pub slot: Arc<SlotState>,
    /// The current call; between calls, the last one.
    pub call: Call,
    /// Objects of the current call.
    pub handles: Handles,
    /// Linear memory in use, and the bound.
    pub memory: Memory,
    /// Made when a component of another toolchain first asks for it, with what it prints.
    wasi: Option<(Printed, WasiCtx)>,
    wasi_table: ResourceTable,
}

impl State {
    /// The state of a new instance.
    pub fn new(slot: Arc<SlotState>, call: Call) -> Self {
        let memory = Memory {
            counted: Counted::new(slot.counters.clone()),
            limit: call.limits.memory(),
            refused: false,
        };
        Self {
            slot,
            call,
            handles: Handles::default(),
            memory,
            wasi: None,
            wasi_table: ResourceTable::new(),
        }
    }

    /// Begins another call of the same instance.
    pub fn begin_call(&mut self, call: Call) {
        self.memory.renew(&call.limits);
        if let Some((printed, _)) = &self.wasi {
            printed.begin(&call.id);
        }
        self.call = call;
    }

    /// What the call printed to its error stream. It is not logged any more.
    pub fn take_errors(&self) -> Option<String> {
        self.wasi.as_ref().map(|(printed, _)| printed.take_errors())
    }

    /// Ends the call: its objects are dropped, and what it printed is logged.
    pub fn end_call(&mut self) {
        if let Some((printed, _)) = &self.wasi {
            printed.log();
        }
        self.handles.clear();
        self.call.request = None;
        self.call.delivery = None;
        self.call.job = None;
    }

    /// Counts a call of a host function; an error (a trap) past the bound.
    pub fn enter(&mut self) -> wasmtime::Result<()> {
        self.call.host_calls += 1;
        let bound = self.call.limits.host_calls;
        if self.call.host_calls > bound {
            return Err(wasmtime::format_err!(
                "the plugin called the host more than {bound} times in one call"
            ));
        }
        Ok(())
    }

    /// The same for an interface that needs a grant: the inner error when it has none.
    pub fn enter_granted(&mut self, capability: Capability) -> wasmtime::Result<Result<(), Problem>> {
        self.enter()?;
        if self.slot.grants.has(capability) {
            return Ok(Ok(()));
        }
        count(&self.slot.counters.denied);
        let name = capability.name();
        Ok(Err(problem(
            "denied",
            format!("The plugin `{}` was not granted {name}.", self.slot.name),
        )))
    }
}

/// Begins a host function of an interface that needs a grant; returns the refusal from the function that uses it.
macro_rules! granted {
    ($state:expr, $capability:ident) => {
        if let Err(refused) = $state.enter_granted($crate::capabilities::Capability::$capability)? {
            return Ok(Err(refused));
        }
    };
}
pub(crate) use granted;

/// Gives up on a problem: the guest's answer.
macro_rules! or_problem {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(problem) => return Ok(Err(problem)),
        }
    };
}
pub(crate) use or_problem;

impl WasiView for State {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let (_, context) = self.wasi.get_or_insert_with(|| {
            let printed = Printed::new(&self.slot.name, &self.slot.counters, &self.call.id);
            let context = printed.wasi();
            (printed, context)
        });
        WasiCtxView {
            ctx: context,
            table: &mut self.wasi_table,
        }
    }
}

/// Bounds linear memory. Unlike wasmtime's own limiter it remembers how much the instance grew to.
pub struct Memory {
    /// Bytes of all linear memories.
    counted: Counted,
    /// The bound.
    pub limit: usize,
    /// Whether it wanted more than the bound.
    pub refused: bool,
}

impl Memory {
    /// Bytes of all linear memories.
    pub fn bytes(&self) -> usize {
        self.counted.bytes()
    }

    /// Prepares for another call of the same instance.
    fn renew(&mut self, limits: &Limits) {
        self.limit = limits.memory();
        self.refused = false;
    }

    /// Forgets an instance that was not made.
    pub fn empty(&mut self) {
        self.counted.set(0);
    }
}

impl wasmtime::ResourceLimiter for Memory {
    fn memory_growing(&mut self, current: usize, desired: usize, _max: Option<usize>) -> wasmtime::Result<bool> {
        let after = self.bytes().saturating_sub(current) + desired;
        if after > self.limit {
            self.refused = true;
            return Ok(false);
        }
        self.counted.set(after);
        Ok(true)
    }

    fn table_growing(&mut self, _current: usize, desired: usize, _max: Option<usize>) -> wasmtime::Result<bool> {
        Ok(desired <= 100_000)
    }
}
