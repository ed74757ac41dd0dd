//! From names to the addresses that may be connected to.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Resolves names. The connection is made to what it answers, and to nothing else.
pub struct Resolver {
    /// Hosts of the operator's own network, by name.
    own: Arc<BTreeMap<String, SocketAddr>>,
}

/// Every address of a name is private.
#[derive(Debug, thiserror::Error)]
#[error(
    "its address is not on the public internet: the operator can say in SERVICE_OUTBOUND_HOSTS where a host of the own network is"
)]
pub struct Private;

impl Resolver {
    /// A resolver that knows these hosts of the operator's own network.
    pub fn new(own: Arc<BTreeMap<String, SocketAddr>>) -> Self {
        Self { own }
    }
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let own = self.own.get(name.as_str()).copied();
        Box::pin(async move {
            if let Some(address) = own {
                return Ok(Box::new(std::iter::once(address)) as Addrs);
            }
            // Port 0 stands for that of the scheme.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let open: Vec<SocketAddr> = found.filter(|address| galley_net::is_public(address.ip())).collect();
            match open.is_empty() {
                true => Err(Private.into()),
                false => Ok(Box::new(open.into_iter()) as Addrs),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_private_address_is_found_for_hosts_of_the_operator_only() {
        let own = BTreeMap::from([("api.intranet.example".to_owned(), "10.0.0.7:8443".parse().unwrap())]);
        let resolver = Resolver::new(Arc::new(own));
        let found = |name: &str| {
            let resolving = resolver.resolve(name.parse().unwrap());
            async move { resolving.await.map(|found| found.collect::<Vec<_>>()) }
        };
        let own = found("api.intranet.example").await.unwrap();
        assert_eq!(own, ["10.0.0.7:8443".parse().unwrap()]);
        for private in ["localhost", "127.0.0.1", "169.254.169.254", "0x7f000001"] {
            assert!(found(private).await.is_err(), "{private}");
        }
        let refused = found("127.0.0.1").await.unwrap_err();
        assert!(refused.to_string().contains("SERVICE_OUTBOUND_HOSTS"), "{refused}");
        assert_eq!(found("1.1.1.1").await.unwrap()[0].ip().to_string(), "1.1.1.1");
    }
}
