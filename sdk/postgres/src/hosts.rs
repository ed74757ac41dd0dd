//! The servers of an address that names several: one of them whose machine is gone does not hold up the others.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio_postgres::Config;

/// How long one server is waited for before the next one is asked as well. A machine that lost its power says nothing at all.
const HEAD_START_TIMEOUT: Duration = Duration::from_millis(250);

/// How long those that refused are left alone while another one says nothing: one of them may have begun to lead.
const REFUSED_TIMEOUT: Duration = Duration::from_secs(1);

/// The servers of an address. Clones remember together which of them answered last.
#[derive(Clone, Default)]
pub(crate) struct Hosts {
    last: Arc<AtomicUsize>,
}

impl Hosts {
    /// Connects to the first server that takes the connection as it is wanted: the one that did so last is asked first. Fails as the
    /// last of them does, once all have failed.
    pub async fn connect<T, E, F: Future<Output = Result<T, E>>>(
        &self,
        config: &Config,
        connect: impl Fn(Config) -> F,
    ) -> Result<T, E> {
        let count = config.get_hosts().len().max(1);
        let begin = self.last.load(Ordering::Relaxed);
        let mut order: VecDeque<usize> = (0..count).map(|step| (begin + step) % count).collect();
        let mut refused = Vec::new();
        let mut under_way = FuturesUnordered::new();
        loop {
            if let Some(at) = order.pop_front() {
                let connecting = connect(alone(config, at));
                under_way.push(async move { (at, connecting.await) });
            }
            let patience = match order.is_empty() {
                false => HEAD_START_TIMEOUT,
                true => REFUSED_TIMEOUT,
            };
            let answer = match tokio::time::timeout(patience, under_way.next()).await {
                Ok(answer) => answer,
                Err(_) if order.is_empty() => {
                    order.extend(refused.drain(..));
                    continue;
                }
                Err(_) => continue,
            };
            match answer {
                Some((at, Ok(connected))) => {
                    self.last.store(at, Ordering::Relaxed);
                    return Ok(connected);
                }
                Some((_, Err(error))) if under_way.is_empty() && order.is_empty() => return Err(error),
                // Others are under way, or come next.
                Some((at, Err(_))) => refused.push(at),
                None => {}
            }
        }
    }
}

/// The same with one of its servers only. A configuration gives its servers back to nobody, so that one is made anew.
fn alone(config: &Config, at: usize) -> Config {
    let mut one = Config::new();
    if let Some(user) = config.get_user() {
        one.user(user);
    }
    if let Some(password) = config.get_password() {
        one.password(password);
    }
    if let Some(name) = config.get_dbname() {
        one.dbname(name);
    }
    if let Some(options) = config.get_options() {
        one.options(options);
    }
    if let Some(name) = config.get_application_name() {
        one.application_name(name);
    }
    if let Some(timeout) = config.get_connect_timeout() {
        one.connect_timeout(*timeout);
    }
    if let Some(timeout) = config.get_tcp_user_timeout() {
        one.tcp_user_timeout(*timeout);
    }
    if let Some(interval) = config.get_keepalives_interval() {
        one.keepalives_interval(interval);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        one.keepalives_retries(retries);
    }
    one.keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding());
    match config.get_hosts().get(at) {
        #[cfg(unix)]
        Some(tokio_postgres::config::Host::Unix(folder)) => one.host_path(folder),
        Some(tokio_postgres::config::Host::Tcp(name)) => one.host(name),
        None => &mut one,
    };
    if let Some(&address) = config.get_hostaddrs().get(at) {
        one.hostaddr(address);
    }
    // One port is that of all servers.
    let ports = config.get_ports();
    if let Some(&port) = ports.get(at).or(ports.first()) {
        one.port(port);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Config {
        text.parse().unwrap()
    }

    fn host(config: &Config) -> String {
        match config.get_hosts() {
            [tokio_postgres::config::Host::Tcp(name)] => format!("{name}:{}", config.get_ports()[0]),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn one_server_of_an_address_keeps_all_else() {
        let all = config("postgresql://ann:hush@a,b:5433/galley?target_session_attrs=read-write&connect_timeout=3");
        let one = alone(&all, 1);
        assert_eq!(host(&one), "b:5433");
        let alike = config("postgresql://ann:hush@b:5433/galley?target_session_attrs=read-write&connect_timeout=3");
        assert_eq!(one, alike);
        let all = config("postgresql://ann@a,b,c:6000/galley");
        assert_eq!(
            (host(&alone(&all, 0)), host(&alone(&all, 2))),
            ("a:5432".into(), "c:6000".into())
        );
        let all = config("host=a,b,c port=6000 user=ann");
        assert_eq!(host(&alone(&all, 2)), "c:6000");
    }

    #[tokio::test]
    async fn a_silent_server_does_not_hold_up_the_next_one_which_is_asked_first_then() {
        let (all, hosts) = (
            config("postgresql://ann@silent,standby,primary/galley"),
            Hosts::default(),
        );
        let connect = |config: Config| async move {
            match host(&config).as_str() {
                "silent:5432" => std::future::pending().await,
                "standby:5432" => Err("a standby"),
                name => Ok(name.to_owned()),
            }
        };
        // The silent one would be waited for without end.
        assert_eq!(hosts.connect(&all, connect).await, Ok("primary:5432".to_owned()));
        let asked = std::cell::RefCell::new(Vec::new());
        let watched = |config: Config| {
            asked.borrow_mut().push(host(&config));
            connect(config)
        };
        assert_eq!(hosts.connect(&all, watched).await, Ok("primary:5432".to_owned()));
        assert_eq!(*asked.borrow(), ["primary:5432"]);
    }

    #[tokio::test]
    async fn a_standby_that_begins_to_lead_is_found_while_another_server_is_silent() {
        let (all, asked) = (
            config("postgresql://ann@silent,standby/galley"),
            std::cell::Cell::new(0),
        );
        let connect = |config: Config| {
            let is_silent = host(&config) == "silent:5432";
            let leads = !is_silent && asked.replace(asked.get() + 1) == 1;
            async move {
                match (is_silent, leads) {
                    (true, _) => std::future::pending().await,
                    (_, true) => Ok(host(&config)),
                    (_, false) => Err("a standby"),
                }
            }
        };
        let found = Hosts::default().connect(&all, connect).await;
        assert_eq!(found, Ok("standby:5432".to_owned()));
    }

    #[tokio::test]
    async fn when_all_fail_the_failure_is_told() {
        let all = config("postgresql://ann@a,b/galley");
        let hosts = Hosts::default();
        let failed = hosts.connect(&all, |config| async move { Err::<(), _>(host(&config)) });
        assert_eq!(failed.await, Err("b:5432".to_owned()));
    }
}
