//! An empty call of a plugin, in process: with a warm instance, and with a fresh one each time.
#![allow(clippy::unwrap_used, reason = "a measurement that cannot be made ends the run")]

use std::sync::Arc;
use std::time::Instant;

use super::Row;
use super::load::median;
use crate::paths;
use galley_host::builds::{Builds, Dependencies};
use galley_host::capabilities::bells::Bells;
use galley_host::capabilities::objects::Request;
use galley_host::capabilities::{Call, Services};
use galley_host::config::Config;
use galley_host::core::Core;
use galley_host::identity;
use galley_host::mail::Mailer;
use galley_host::outside::Outside;
use galley_host::plugins::engine::engine;
use galley_host::plugins::entry::Isolation;
use galley_host::plugins::loader::Loader;
use galley_host::plugins::lock::Lock;
use galley_host::plugins::plugin::Plugin;
use galley_host::plugins::registry::Registry;
use galley_host::storage::blobs::BlobStore;
use galley_host::storage::logs::{LogStore, Logs};
use galley_host::storage::seal::Sealer;
use galley_host::storage::sites::SiteStore;

const CALLS: u32 = 20_000;
const ROUNDS: usize = 7;

pub(super) fn measure() -> anyhow::Result<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let warm = runtime.block_on(microseconds(Isolation::Reuse));
    let fresh = runtime.block_on(microseconds(Isolation::Request));
    Ok(vec![
        row("warm", "≤ 2 µs", warm, 2.0),
        row("fresh", "≤ 15 µs", fresh, 15.0),
    ])
}

fn row(kind: &str, goal: &'static str, measured: f64, bound: f64) -> Row {
    Row {
        what: format!("empty plugin call, in process, {kind}"),
        goal,
        result: format!("{measured:.2} µs"),
        detail: format!("median of {ROUNDS} times {CALLS}"),
        reached: Some(measured <= bound),
    }
}

async fn microseconds(isolation: Isolation) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let plugins = folder.path().join("plugins");
    std::fs::create_dir(&plugins).unwrap();
    std::fs::copy(paths::guest("empty"), plugins.join("empty.wasm")).unwrap();
    let plugin = load(folder.path(), isolation).await;
    tokio::spawn(async move {
        let mut rounds = Vec::new();
        for _ in 0..ROUNDS {
            let started = Instant::now();
            for _ in 0..CALLS {
                call(&plugin).await;
            }
            rounds.push(started.elapsed().as_secs_f64() * 1e6 / f64::from(CALLS));
        }
        median(&mut rounds)
    })
    .await
    .unwrap()
}

async fn load(folder: &std::path::Path, isolation: Isolation) -> Arc<Plugin> {
    let variables = [
        ("SERVICE_DATA_DIR", folder),
        ("SERVICE_PLUGINS_DIR", &folder.join("plugins")),
    ];
    let variables = variables.map(|(name, value)| (name.into(), value.as_os_str().to_owned()));
    let config = Arc::new(Config::parse(variables, folder.to_owned()).unwrap());
    // Approvals are for a server's folder.
    drop(Core::open(folder).await.unwrap());
    let status = std::process::Command::new(paths::galley())
        .args(["plugins", "approve", "empty.wasm"])
        .env("SERVICE_DATA_DIR", folder)
        .env("SERVICE_PLUGINS_DIR", folder.join("plugins"))
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.unwrap().success());
    let mut lock = Lock::read(folder).unwrap();
    lock.entry("empty").unwrap().isolation = isolation;
    lock.write(folder).unwrap();
    let core = Arc::new(Core::open(folder).await.unwrap());
    let (sites, logs) = (
        SiteStore::open(folder).unwrap(),
        Logs::alone(LogStore::open(folder).unwrap()),
    );
    let builds = Builds::new(Dependencies {
        config: config.clone(),
        core: core.clone(),
        sites: sites.clone(),
        logs: logs.clone(),
        trees: None,
        app: None,
        ring: Arc::new(|_: &str, _: &str| {}),
    });
    let sealer = Arc::new(Sealer::open(folder).unwrap());
    let services = Services {
        config: config.clone(),
        mail: Arc::new(Mailer::open(&config, core.clone(), sealer.clone()).await.unwrap()),
        outside: Outside::new(&config),
        sealer,
        core,
        sites,
        logs,
        blobs: BlobStore::open(folder).unwrap(),
        components: None,
        bells: Arc::new(Bells::default()),
        builds: Arc::new(builds),
        code_host: None,
        people: None,
    };
    let loader = Arc::new(Loader::new(Arc::new(services), engine().unwrap(), &[]).unwrap());
    let loaded = loader.load(&Registry::default()).await.unwrap();
    loaded.registry.plugin("empty").unwrap().clone()
}

async fn call(plugin: &Arc<Plugin>) {
    let request = Request {
        route: 0,
        method: http::Method::GET,
        uri: http::Uri::from_static("/api/v1/x/empty"),
        params: Vec::new(),
        project: None,
        body: Vec::new(),
        upload: None,
    };
    let call = Call::request(
        String::new(),
        identity::Caller::Anonymous,
        Default::default(),
        &plugin.state.limits(),
    );
    let answer = plugin.handle(call, request).await.unwrap();
    assert_eq!(answer.response.status, 200);
}
