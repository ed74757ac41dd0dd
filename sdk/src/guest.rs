//! The functions behind the component's exports. [`export!`](crate::export) expands to calls of them; plugin authors do not
//! call them.

use std::cell::OnceCell;

use crate::bindings::galley::events::types::Delivery;
use crate::bindings::galley::http::types::{Request, Response};
use crate::bindings::galley::jobs::types::Job;
use crate::current;
use crate::error::Problem;
use crate::events::Received;
use crate::extract::Parts;
use crate::plugin::Plugin;

thread_local! {
    static PLUGIN: OnceCell<Plugin> = const { OnceCell::new() };
}

/// The plugin of this instance, built at its first call.
fn with<T>(build: fn() -> Plugin, run: impl FnOnce(&Plugin) -> T) -> T {
    PLUGIN.with(|plugin| {
        run(plugin.get_or_init(|| {
            std::panic::set_hook(Box::new(|panic| crate::log::error(panic)));
            build()
        }))
    })
}

/// `handler.describe`. It runs without any capability, thus without the panic hook.
pub fn describe(build: fn() -> Plugin) -> Vec<u8> {
    build().describe()
}

/// `handler.handle`.
pub fn handle(build: fn() -> Plugin, request: &Request) -> Response {
    with(build, |plugin| {
        let answer = current::during(request, || plugin.handle(&mut Parts::new(request)));
        Response {
            status: answer.status,
            headers: answer.headers,
            body: answer.body,
            tail: answer.tail,
        }
    })
}

/// `subscriber.receive`.
pub fn receive(build: fn() -> Plugin, delivery: &Delivery) -> Result<(), Problem> {
    let received = Received {
        id: delivery.id(),
        topic: delivery.topic(),
        source: delivery.source(),
        data: delivery.data(),
        attempt: delivery.attempt(),
    };
    with(build, |plugin| plugin.receive(&received))
}

/// `jobs.run`.
pub fn run_job(build: fn() -> Plugin, job: &Job) -> Result<(), Problem> {
    with(build, |plugin| plugin.run_job(&job.name()))
}

/// `ui.assets`. It runs without any capability, as [`describe`] does.
pub fn assets(build: fn() -> Plugin) -> Vec<String> {
    build().asset_paths().map(str::to_owned).collect()
}

/// `ui.asset`. It runs without any capability, too.
pub fn asset(build: fn() -> Plugin, path: &str) -> Option<Vec<u8>> {
    build().asset_at(path).map(<[u8]>::to_vec)
}

/// `lifecycle.start`.
pub fn start(build: fn() -> Plugin) -> Result<(), Problem> {
    with(build, Plugin::start)
}
