//! Starting everything in order, and ending it again: gate, configuration, files, dev server, proxy, API.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::arguments::Arguments;
use super::assets::Assets;
use super::dev_server::DevServer;
use super::failure::Failure;
use super::signals::Signals;
use super::{browser, dev_server, port, say};
use crate::api::{self, App, Parts};
use crate::config::{Config, tool};
use crate::gate::{self, Prototype};
use crate::hosts::Early;
use crate::source::script;
use crate::workspace::{Retention, Workspace};
use crate::{hosts, libraries as component_libraries, proxy, review};

/// How long the address waits for the dev server. A prototype whose modules are missing is found out within this time, and
/// most pages are there when they are first looked at; a slow one is shown while it starts.
const FIRST_PAGE_TIMEOUT: Duration = Duration::from_millis(1_500);

/// How long the dev server may take to end.
const END_TIMEOUT: Duration = Duration::from_secs(10);

/// Runs the Editor until a signal ends it.
///
/// # Errors
/// With what kept it from starting, or from going on.
pub fn run(arguments: &Arguments, program: &Path) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // Files are read and stamped on these threads.
        .thread_stack_size(script::ROOMY)
        .build()
        .map_err(|error| Failure::new(format_args!("The Editor cannot start its threads: {error}")))?;
    let result = runtime.block_on(begin(arguments, program));
    // Work on files that nobody waits for any more must not keep the program.
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

/// Looks at the prototype, and goes on with it.
async fn begin(arguments: &Arguments, program: &Path) -> Result<(), Failure> {
    let early = match arguments.attach {
        Some(_) => None,
        None => Early::start(&arguments.path),
    };
    let prototype = gate::check(&arguments.path)?;
    let assets = Assets::find(arguments.ui.as_deref(), arguments.bridge.as_deref(), program)?;
    let config = Config::load(&prototype)?;
    for warning in &config.warnings {
        say::warn(&warning.words);
    }
    if !config.has_tool_file {
        say::note(format_args!(
            "No {}: this repository has no project association.",
            tool::FILE
        ));
    }
    session(arguments, prototype, config, assets, early).await
}

/// Everything from the first open port to the end of the dev server.
async fn session(
    arguments: &Arguments,
    prototype: Prototype,
    config: Config,
    assets: Assets,
    early: Option<Early>,
) -> Result<(), Failure> {
    let mut signals =
        Signals::new().map_err(|error| Failure::new(format_args!("The Editor cannot listen for signals: {error}")))?;
    let workspace = Workspace::open(&prototype.root, retention(&config))?;
    let tsconfig = config.environment.prototype_tsconfig.as_deref();
    let workspace = Arc::new(workspace.with_type_config(tsconfig));
    let listener = port::listen(arguments.port).await?;
    let address = listener.local_addr().map_err(Failure::new)?;
    if let Err(error) = workspace.announce(address.port()) {
        say::warn(format_args!(
            "galley-editor edit cannot find this Editor while it runs: {error}"
        ));
    }
    let (token, nonce) = (secret(), secret());

    let options = hosts::Options {
        root: prototype.root.clone(),
        enabled: dev_server::enabled(&config.hosts),
        attach: arguments.attach.clone(),
        port: arguments.host_port,
        stamping: hosts::Stamping {
            endpoint: format!("http://{address}/__stamp"),
            token: token.clone(),
        },
    };
    let mut server = dev_server::start(options, early).await?;
    let proxy = proxy::serve(proxy::Options {
        upstream: server.upstream(),
        bridge: assets.bridge,
        reading: review::module(),
        interface: format!("http://{address}"),
        nonce: nonce.clone(),
    })
    .await
    .map_err(|error| Failure::new(format_args!("The prototype's own address cannot be opened: {error}")))?;

    let app = App::new(Parts {
        home: home(&prototype),
        prototype,
        config,
        workspace,
        address,
        preview_url: proxy.origin().to_owned(),
        nonce,
        token,
        ui: assets.ui,
    })
    .map_err(|error| Failure::new(format_args!("The Editor cannot speak to review servers: {error}")))?;

    let result = serve(arguments, listener, &app, &mut server, proxy.origin(), &mut signals).await;
    app.end_chats();
    // A second signal is somebody who does not want to wait.
    tokio::select! {
        _ = timeout(END_TIMEOUT, server.stop()) => {}
        () = signals.next() => {}
    }
    result
}

/// Answers requests until a signal comes or the dev server cannot be helped.
async fn serve(
    arguments: &Arguments,
    listener: TcpListener,
    app: &Arc<App>,
    server: &mut DevServer,
    preview: &str,
    signals: &mut Signals,
) -> Result<(), Failure> {
    let (end, ended) = oneshot::channel::<()>();
    let asked = async move {
        let _ = ended.await;
    };
    let mut api = tokio::spawn(api::serve(listener, Arc::clone(app), asked));
    server.tell(app);
    let boot = server.boot();
    let checks = {
        let (boot, app, preview) = (boot.clone(), Arc::clone(app), preview.to_owned());
        tokio::spawn(async move {
            dev_server::check(boot, &app, &preview).await;
            libraries(&app).await;
        })
    };

    let result = tokio::select! {
        result = go_on(arguments, app, boot) => result,
        () = signals.next() => Ok(()),
        ended = &mut api => Err(match ended {
            Ok(Err(error)) => Failure::new(format_args!("The Editor cannot answer any more: {error}")),
            _ => Failure::new("The Editor ended unexpectedly"),
        }),
    };
    checks.abort();
    // Whoever ends the dev server must be the last to have it.
    let _ = checks.await;
    let _ = end.send(());
    if !api.is_finished() {
        let _ = api.await;
    }
    result
}

/// Looks at the libraries whose components can be inserted, when nobody waits for the first page any more.
async fn libraries(app: &App) {
    let request = match app.libraries_wanted() {
        Ok(request) => request,
        Err(error) => return say::warn(format_args!("Libraries of components are not looked at: {error}")),
    };
    let (libraries, reports) = component_libraries::prepare(&request).await;
    for words in app.set_libraries(libraries, reports) {
        say::warn(&words);
    }
    // Components are offered meanwhile.
    for words in app.make_hints().await {
        say::warn(&words);
    }
}

/// Says the address, and waits for ever, unless the dev server fails in a way that only its owner can repair.
async fn go_on(arguments: &Arguments, app: &App, mut boot: dev_server::Boot) -> Result<(), Failure> {
    if let Ok(booted) = timeout(FIRST_PAGE_TIMEOUT, boot.ended()).await {
        booted?;
    }
    say::out(format_args!("Editor listening on {}\n", app.origin()));
    if !arguments.no_open {
        browser::open(app.origin());
    }
    boot.ended().await?;
    std::future::pending().await
}

/// 256 random bits.
fn secret() -> String {
    HEXLOWER.encode(&rand::random::<[u8; 32]>())
}

pub(super) fn retention(config: &Config) -> Retention {
    let kept = &config.tool.retention;
    Retention {
        keep_newest: usize::try_from(kept.keep_newest).unwrap_or(usize::MAX),
        max_age_days: kept.max_age_days,
    }
}

/// The folder of people's own settings. Without a home they are kept with the prototype's, where git does not look.
pub(super) fn home(prototype: &Prototype) -> PathBuf {
    match std::env::home_dir().filter(|home| !home.as_os_str().is_empty()) {
        Some(home) => home.join(".config/tool"),
        None => prototype.root.join(".tool/home"),
    }
}
