//! Servers that run. One stays while its declaration does and somebody uses it: starting one takes seconds.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::Mutex as Turnstile;

use super::client::{Client, Described};
use super::content::Answered;
use crate::config::servers::Server;

/// A server that nobody used for so long is ended.
const IDLE_TIMEOUT: Duration = Duration::from_secs(300);
/// How often that is looked at.
const IDLE_INTERVAL: Duration = Duration::from_secs(20);

/// All servers of a prototype.
pub struct Pool {
    folder: PathBuf,
    kept: Mutex<HashMap<String, Arc<Kept>>>,
}

struct Kept {
    server: Server,
    /// One start at a time; `None` before the first and after a failed one.
    client: Turnstile<Option<Arc<Client>>>,
    used: Mutex<Instant>,
}

impl Pool {
    /// Of the repository whose top folder this is: servers are started in it. Within a runtime only.
    #[must_use]
    pub fn new(folder: PathBuf) -> Arc<Pool> {
        let pool = Arc::new(Pool {
            folder,
            kept: Mutex::default(),
        });
        let weak = Arc::downgrade(&pool);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(IDLE_INTERVAL).await;
                let Some(pool) = weak.upgrade() else { return };
                pool.kept
                    .lock()
                    .retain(|_, kept| kept.used.lock().elapsed() < IDLE_TIMEOUT);
            }
        });
        pool
    }

    /// Ends servers that are not declared any more, or otherwise.
    pub fn declare<'s>(&self, servers: impl IntoIterator<Item = (&'s str, &'s Server)>) {
        let declared: HashMap<&str, &Server> = servers.into_iter().collect();
        let stays = |id: &String, kept: &mut Arc<Kept>| declared.get(id.as_str()) == Some(&&kept.server);
        self.kept.lock().retain(stays);
    }

    /// The tools of a server, which is started for it.
    ///
    /// # Errors
    /// With why it has none, in words that continue "the server x cannot be used:".
    pub async fn tools(&self, id: &str, server: &Server) -> Result<Vec<Described>, String> {
        Ok(self.client(id, server).await?.tools.clone())
    }

    /// Calls a tool of a server.
    ///
    /// # Errors
    /// With why there is no answer.
    pub async fn call(&self, id: &str, server: &Server, tool: &str, arguments: &Value) -> Result<Answered, String> {
        self.client(id, server).await?.call(tool, arguments).await
    }

    /// Ends all of them.
    pub fn end(&self) {
        self.kept.lock().clear();
    }

    async fn client(&self, id: &str, server: &Server) -> Result<Arc<Client>, String> {
        let kept = {
            let mut all = self.kept.lock();
            let known = all.get(id).filter(|kept| kept.server == *server).cloned();
            known.unwrap_or_else(|| {
                let kept = Arc::new(Kept {
                    server: server.clone(),
                    client: Turnstile::default(),
                    used: Mutex::new(Instant::now()),
                });
                all.insert(id.to_owned(), Arc::clone(&kept));
                kept
            })
        };
        *kept.used.lock() = Instant::now();
        let mut client = kept.client.lock().await;
        if let Some(client) = &*client
            && !client.is_dead()
        {
            return Ok(Arc::clone(client));
        }
        let started = Arc::new(Client::start(server, &self.folder).await?);
        *client = Some(Arc::clone(&started));
        Ok(started)
    }
}
