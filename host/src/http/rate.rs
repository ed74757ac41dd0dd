//! Rate limits of expensive operations, for each client. Servers of one database count together.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http::{StatusCode, header};
use parking_lot::Mutex;

use super::error::ApiError;
use crate::core::{Core, Limits, Precision};

/// The window in which a client's uses are counted.
const WINDOW: Duration = Duration::from_secs(60);
/// The number of remembered clients from which on old ones are removed.
const CLEAN_AT: usize = 1_024;

/// Counts the uses of one thing for each client, in windows of a minute.
pub struct Rate {
    most: u32,
    clients: Mutex<HashMap<IpAddr, (Instant, u32)>>,
    /// Where several servers count together.
    together: Option<Together>,
}

struct Together {
    limits: Arc<Limits>,
    /// The name of what is used.
    name: String,
    precision: Precision,
}

impl Rate {
    /// At most `most` uses in a minute, at all servers of the core's database. They know what is used by its name.
    pub fn per_minute(core: &Core, name: &str, most: u32, precision: Precision) -> Self {
        let together = core.limits().map(|limits| Together {
            limits: limits.clone(),
            name: name.to_owned(),
            precision,
        });
        Self {
            together,
            ..Self::alone(most)
        }
    }

    fn alone(most: u32) -> Self {
        Self {
            most,
            clients: Mutex::default(),
            together: None,
        }
    }

    /// Counts a use; the error is a 429 with `Retry-After`.
    pub async fn take(&self, client: IpAddr) -> Result<(), ApiError> {
        let taken = match &self.together {
            None => self.take_at(client, Instant::now()),
            Some(Together {
                limits,
                name,
                precision,
            }) => {
                let name = format!("{name} {}", network(client));
                limits.take(&name, self.most, *precision).await
            }
        };
        taken.map_err(|wait| {
            ApiError::new(
                StatusCode::TOO_MANY_REQUESTS,
                "Too many attempts: wait a moment and try again",
            )
            .with_header(header::RETRY_AFTER, (wait.as_secs() + 1).into())
        })
    }

    fn take_at(&self, client: IpAddr, now: Instant) -> Result<(), Duration> {
        let mut clients = self.clients.lock();
        if clients.len() >= CLEAN_AT {
            clients.retain(|_, (since, _)| now.duration_since(*since) < WINDOW);
        }
        let (since, uses) = clients.entry(network(client)).or_insert((now, 0));
        let age = now.duration_since(*since);
        if age >= WINDOW {
            (*since, *uses) = (now, 0);
        }
        if *uses >= self.most {
            return Err(WINDOW.saturating_sub(age));
        }
        *uses += 1;
        Ok(())
    }
}

/// What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, within which a client can change its
/// address.
pub(super) fn network(client: IpAddr) -> IpAddr {
    match client {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            std::net::Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_waits_for_the_next_minute() {
        let rate = Rate::alone(2);
        let start = Instant::now();
        let (ana, bo) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        assert!(rate.take_at(ana, start).is_ok() && rate.take_at(ana, start).is_ok());
        assert_eq!(rate.take_at(ana, start + WINDOW / 2), Err(WINDOW / 2));
        assert!(rate.take_at(bo, start).is_ok());
        assert!(rate.take_at(ana, start + WINDOW).is_ok());
    }

    #[test]
    fn a_network_is_one_client() {
        let rate = Rate::alone(1);
        let now = Instant::now();
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        assert!(rate.take_at(address("2001:db8::1"), now).is_ok());
        assert!(rate.take_at(address("2001:db8::2"), now).is_err());
        assert!(rate.take_at(address("2001:db8:0:1::2"), now).is_ok());
    }

    #[test]
    fn old_clients_are_forgotten() {
        let rate = Rate::alone(1);
        let start = Instant::now();
        for n in 0..CLEAN_AT as u32 {
            assert!(rate.take_at(IpAddr::from(n.to_be_bytes()), start).is_ok());
        }
        assert!(rate.take_at(IpAddr::from([9, 9, 9, 9]), start + WINDOW).is_ok());
        assert_eq!(rate.clients.lock().len(), 1);
    }
}
