//! `galley serve`: from a parsed configuration to a server that answers, and back.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use tokio::runtime::Runtime;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::running::{self, Running};
use super::signals::Signals;
use super::{control, database, descriptors, log, node, sweeps};
use crate::builds::{self, Builds};
use crate::capabilities::{Services, bells::Bells, logs::bell};
use crate::codehost::{Client, CodeHostApp, OAuth, People};
use crate::config::Config;
use crate::core::Core;
use crate::http::plugin_routes::RouteContext;
use crate::http::sites::Sites;
use crate::http::{self, App, LocalSignIn};
use crate::mail::{self, Mailer};
use crate::outside::Outside;
use crate::plugins::engine::engine;
use crate::plugins::loader::Loader;
use crate::plugins::operations::Operations;
use crate::plugins::pool::MAX_IDLE;
use crate::storage::blobs::BlobStore;
use crate::storage::durable;
use crate::storage::logs::{LogStore, Logs};
use crate::storage::objects::Objects;
use crate::storage::seal::Sealer;
use crate::storage::sites::{SiteStore, TreeStore};

/// How long a mail that is being sent may take when the server stops.
const LAST_MAIL_TIMEOUT: Duration = Duration::from_secs(5);

/// Starts the server and runs it until a signal.
pub fn serve(config: Config) -> anyhow::Result<()> {
    serve_while(config, async |operations, signals| {
        running::follow_until(&operations, signals).await;
        Ok(())
    })
}

/// Starts the server, and runs it for as long as `work` takes, which looks after the plugins and the signals.
pub fn serve_while<W>(config: Config, work: W) -> anyhow::Result<()>
where
    W: AsyncFnOnce(Arc<Operations>, &mut Signals) -> anyhow::Result<()>,
{
    serve_unannounced(config, async |operations, signals| {
        announce(&operations.services().config)?;
        work(operations, signals).await
    })
}

/// The same without a word on standard output.
pub fn serve_unannounced<W>(config: Config, work: W) -> anyhow::Result<()>
where
    W: AsyncFnOnce(Arc<Operations>, &mut Signals) -> anyhow::Result<()>,
{
    let traces = log::start_server(&config)?;
    descriptors::raise();
    let runtime = runtime()?;
    runtime.block_on(run(config, work))?;
    // Statements that still run on other threads are not waited for.
    runtime.shutdown_timeout(Duration::from_secs(1));
    drop(traces);
    Ok(())
}

/// The runtime of what opens a data folder. Called before anything uses SQLite.
pub fn runtime() -> anyhow::Result<Runtime> {
    ensure!(
        galley_sql::watch_memory(),
        "the memory of plugins' SQL cannot be bounded"
    );
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.enable_all().build().context("the runtime cannot start")
}

/// Boots, serves while `work` is done, and drains. The signal handlers are installed first: the default handlers would kill the
/// process. A signal during the boot ends the boot.
async fn run<W>(config: Config, work: W) -> anyhow::Result<()>
where
    W: AsyncFnOnce(Arc<Operations>, &mut Signals) -> anyhow::Result<()>,
{
    let mut signals = Signals::new()?;
    let server = tokio::select! {
        server = start(config) => server?,
        () = signals.stop() => {
            tracing::info!("stopping: the server was not up yet");
            return Ok(());
        }
    };
    let worked = work(server.operations.clone(), &mut signals).await;
    server.stop().await?;
    worked
}

/// From the configuration to a server that accepts connections.
async fn start(mut config: Config) -> anyhow::Result<Server> {
    for warning in &config.warnings {
        tracing::warn!("{warning}");
    }
    let data = &config.data_dir;
    let opened = durable::close_folder(data);
    if let Some(warning) = opened.with_context(|| format!("the data folder {} cannot be used", data.display()))? {
        tracing::warn!("{warning}");
    }
    let bridge = read_bridge(&config)?;
    let listener = http::server::listen(config.listen)
        .with_context(|| format!("cannot listen on {} (SERVICE_LISTEN)", config.listen))?;
    config.bound_to(listener.local_addr()?);
    let config = Arc::new(config);

    let core = Arc::new(database::wait(&config).await?);
    let services = Arc::new(open_with(&config, core.clone()).await?);
    tracing::info!("SQLite {}, data in {}", rusqlite::version(), config.data_dir.display());
    if let Some(cluster) = &config.cluster {
        node::enter(&core, &config, cluster).await?;
        tracing::info!("accounts and projects in {}", cluster.database.shown());
    }
    core.copy_domains_once(config.allowed_email_domains.clone()).await?;
    match core.shared_database() {
        None => sweep(&services).await?,
        Some(_) => drop(tokio::spawn(sweeps::run(services.clone()))),
    }
    services.builds.warn();
    services.builds.recover().await?;

    let engine = engine().map_err(anyhow::Error::msg)?;
    let loader = Arc::new(Loader::new(services.clone(), engine, http::OWN_PATHS)?);
    let sites = Sites::new(core.clone(), config.clone(), services.sites.clone(), bridge.into())?;
    for warning in http::sites::warnings(&config) {
        tracing::warn!("{warning}");
    }
    let app = Arc::new(App::new(services.clone(), sites, LocalSignIn::of(&core)));
    let (stop_sender, stop) = watch::channel(false);
    let context = RouteContext {
        services: services.clone(),
        stream_limits: app.stream_limits.clone(),
        stop: stop.clone(),
    };
    let running = Arc::new(Running::new(app.clone(), context, loader.approvals().clone()));
    let pool = loader.factory().pool.clone();
    let operations = Arc::new(Operations::start(loader, Box::new(running.clone())).await?);
    app.operate_by(&operations);
    if config.cluster.is_some() {
        tokio::spawn(operations.clone().tidy());
    }
    control::serve(&config.data_dir, operations.clone(), stop.clone())
        .with_context(|| format!("cannot listen on {}", control::path(&config.data_dir).display()))?;
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(MAX_IDLE).await;
            pool.trim();
        }
    });
    offer_local_sign_in(&app).await?;

    let sender = tokio::spawn(mail::run(services.mail.clone(), stop.clone()));
    if let Some(address) = config.metrics_listen {
        let bound = http::metrics::serve(address, app.clone(), stop.clone()).await;
        let bound = bound.with_context(|| format!("cannot listen on {address} (SERVICE_METRICS_LISTEN)"))?;
        tracing::info!("metrics for Prometheus at http://{bound}/metrics");
    }
    let server = tokio::spawn(http::server::serve(listener, app.clone(), stop.clone()));
    let builds = tokio::spawn(services.builds.clone().work(stop));
    Ok(Server {
        core,
        operations,
        running,
        stop: stop_sender,
        connections: server,
        builds,
        mails: sender,
    })
}

/// A server that accepts connections, and the tasks that end with it.
struct Server {
    core: Arc<Core>,
    operations: Arc<Operations>,
    running: Arc<Running>,
    /// Turns true when the tasks should end.
    stop: watch::Sender<bool>,
    connections: JoinHandle<()>,
    builds: JoinHandle<()>,
    mails: JoinHandle<()>,
}

impl Server {
    /// Stops accepting, and waits for the requests, builds and mails under way.
    async fn stop(self) -> anyhow::Result<()> {
        tracing::info!("stopping: requests that are under way may end");
        let _ = self.stop.send(true);
        self.connections.await.context("the server ended badly")?;
        self.builds.await.context("the build queue ended badly")?;
        self.running.stop().await;
        // Others go on at once.
        if let Err(error) = self.core.give_up_leases().await {
            tracing::warn!("others wait for the work of this server: {error}");
        }
        // A mail that is not sent in time is sent again after the next start.
        let _ = tokio::time::timeout(LAST_MAIL_TIMEOUT, self.mails).await;
        Ok(())
    }
}

/// Opens the data folder and everything in it, and the database of a cluster.
pub async fn open(config: &Arc<Config>) -> anyhow::Result<Services> {
    open_with(config, Arc::new(database::open(config).await?)).await
}

async fn open_with(config: &Arc<Config>, core: Arc<Core>) -> anyhow::Result<Services> {
    let folder = &config.data_dir;
    let unusable = || format!("the data folder {} cannot be used", folder.display());
    let (sealer, instance) = match &config.cluster {
        None => (Arc::new(Sealer::open(folder).with_context(unusable)?), None),
        Some(cluster) => {
            let sealer = Arc::new(Sealer::with_key(cluster.key.of_secrets()));
            let instance = core.join(sealer.clone()).await?;
            (sealer, Some(instance))
        }
    };
    let objects = Objects::open(config.objects.as_ref(), folder, instance.as_deref())?;
    let sites = SiteStore::open_with(folder, &objects).with_context(unusable)?;
    sites.keep_free(config.builds.reserve_mb.saturating_mul(1 << 20));
    let (logs, trees) = match core.shared_database() {
        None => (Logs::alone(LogStore::open_with(&objects).with_context(unusable)?), None),
        Some(database) => (
            Logs::shared(&objects, database).with_context(unusable)?,
            Some(TreeStore::open(folder, &objects).with_context(unusable)?),
        ),
    };
    let bells = Bells::of(&core);
    let heard = bells.clone();
    let (code_host, people) = code_host(config, &core, &sealer)?;
    let builds = Arc::new(Builds::new(builds::Dependencies {
        config: config.clone(),
        core: core.clone(),
        sites: sites.clone(),
        logs: logs.clone(),
        trees,
        app: code_host.clone(),
        ring: Arc::new(move |slot: &str, log: &str| heard.ring(slot, &bell(log))),
    }));
    let mail = Arc::new(Mailer::open(config, core.clone(), sealer.clone()).await?);
    mail.follow();
    let components = config.cluster.as_ref().map(|_| objects.files("artifacts"));
    Ok(Services {
        config: config.clone(),
        components: components.transpose().with_context(unusable)?,
        mail,
        outside: Outside::new(config),
        sealer,
        core,
        sites,
        logs,
        blobs: BlobStore::open_with(&objects).with_context(unusable)?,
        bells,
        builds,
        code_host,
        people,
    })
}

/// The clients of the code host, as far as they are configured.
type CodeHost = (Option<Arc<CodeHostApp>>, Option<Arc<People>>);

fn code_host(config: &Config, core: &Arc<Core>, sealer: &Arc<Sealer>) -> anyhow::Result<CodeHost> {
    if config.repo_app.is_none() && config.sign_in.is_none() {
        return Ok((None, None));
    }
    let host = &config.code_host;
    let api = Arc::new(Client::new(&host.api_url)?);
    let app = match &config.repo_app {
        Some(app) => Some(Arc::new(CodeHostApp::new(app, host, api.clone())?)),
        None => None,
    };
    let people = match &config.sign_in {
        Some(sign_in) => {
            let oauth = OAuth::new(sign_in, host)?;
            Some(Arc::new(People::new(oauth, api, core.clone(), sealer.clone())))
        }
        None => None,
    };
    Ok((app, people))
}

/// Deletes the files of versions that have no row, which a crash left behind.
async fn sweep(services: &Services) -> anyhow::Result<()> {
    let known: std::collections::HashSet<(String, String)> = services.core.all_versions().await?.into_iter().collect();
    let keep = move |project: &str, version: &str| known.contains(&(project.to_owned(), version.to_owned()));
    let removed = services.sites.sweep(keep).context("stored versions cannot be swept")?;
    if removed > 0 {
        tracing::info!("deleted {removed} files that nothing refers to");
    }
    Ok(())
}

fn read_bridge(config: &Config) -> anyhow::Result<Vec<u8>> {
    let path = &config.bridge_bundle;
    match std::fs::read(path) {
        Ok(bundle) => Ok(bundle),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!(
            "ENOENT: the bridge bundle dist/bridge-bundle.js is missing at {}: build it, or set SERVICE_BRIDGE_BUNDLE",
            path.display()
        ),
        Err(error) => bail!(
            "the bridge bundle dist/bridge-bundle.js at {} cannot be read: {error}",
            path.display()
        ),
    }
}

/// On a new instance without an admin token, logs the one-time link that makes the first account, whatever the log's
/// filter is: the sign-in page says that it is there.
async fn offer_local_sign_in(app: &App) -> anyhow::Result<()> {
    if app.core.count_accounts().await? == 0 && app.config.admin_token.is_none() {
        let token = app.local_sign_in.issue().await?;
        let path = format!("/api/v1/auth/local?token={token}");
        let here = format!("http://{}", reachable(app.config.listen));
        let public = &app.config.public_url;
        let is_this_machine = *public == format!("http://localhost:{}", app.config.listen.port());
        let link = if is_this_machine {
            // The cookie of one name is not sent to the other.
            format!("{public}{path}")
        } else if app.config.public_url_set && *public != here {
            format!("{public}{path} or, on this machine, {here}{path}")
        } else {
            format!("{here}{path}")
        };
        tracing::info!(target: log::ALWAYS, "no accounts yet: make the first one at {link}");
    }
    Ok(())
}

/// The address at which a browser on this machine reaches a listener: the loopback address for one on all addresses.
fn reachable(mut listen: SocketAddr) -> SocketAddr {
    match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => listen.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => listen.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    listen
}

/// The one line on standard output.
fn announce(config: &Config) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "galley listening on http://{}", config.listen)?;
    Ok(out.flush()?)
}
