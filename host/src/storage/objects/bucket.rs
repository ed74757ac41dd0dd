//! An S3-compatible bucket. Objects end with a [`trailer`]; those of files that never change are only ever created.
//!
//! Requests run on threads of their own, so that any thread may wait for one, the runtime's too.

use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::path::Path as Key;
use object_store::{
    BackoffConfig, GetOptions, GetRange, ObjectStore, ObjectStoreExt, PutMode, PutPayload, RetryConfig,
};
use tokio::io::AsyncWriteExt;
use tokio::runtime::Runtime;

use super::error::ObjectError;
use super::health::Health;
use super::multipart::{self, PART, Unfinished};
use super::trailer::{self, Trailer};
use super::transport::Transport;
use crate::config::ObjectsConfig;

/// How long a request is tried again that the store failed to answer.
const RETRY_TIMEOUT: Duration = Duration::from_secs(5);
const MAX_RETRIES: usize = 3;
/// The object that says whose the bucket is.
pub(super) const OWNER: &str = "galley-owner";
/// Threads that carry requests.
const THREADS: usize = 2;

/// What a bucket lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The object's name.
    pub name: String,
    /// When it was stored, by the store's clock, in milliseconds since 1970.
    pub modified: i64,
}

/// A bucket, or a folder of one. Its methods block, unless they are asynchronous.
pub struct Bucket {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    store: Arc<AmazonS3>,
    transport: Transport,
    config: ObjectsConfig,
    health: Arc<Health>,
}

impl Bucket {
    /// A client for the bucket; nothing is asked yet.
    pub fn new(config: &ObjectsConfig) -> Result<Self, ObjectError> {
        let unusable = |error: &dyn std::fmt::Display| ObjectError::Away(format!("requests cannot be made: {error}"));
        let transport = Transport::new().map_err(|error| unusable(&error))?;
        let store = AmazonS3Builder::new()
            .with_endpoint(&config.endpoint)
            .with_bucket_name(&config.bucket)
            .with_region(&config.region)
            .with_access_key_id(&config.access_key_id)
            .with_secret_access_key(config.secret_access_key.expose())
            .with_allow_http(true)
            .with_retry(RetryConfig {
                backoff: BackoffConfig::default(),
                max_retries: MAX_RETRIES,
                retry_timeout: RETRY_TIMEOUT,
            })
            .with_http_connector(transport.clone())
            .build()
            .map_err(|error| unusable(&error))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("objects")
            .enable_all()
            .build()?;
        let store = Arc::new(store);
        let owner = key(config, OWNER)?;
        Ok(Self {
            health: Arc::new(Health::new(runtime.handle().clone(), store.clone(), owner)),
            runtime: Some(runtime),
            store,
            transport,
            config: config.clone(),
        })
    }

    /// From now on people wait: a request that sends no content is given up within 2 s when the store is away.
    pub fn give_up_when_away(&self) {
        self.health.give_up_when_away();
    }

    /// Where it is, for people.
    pub fn url(&self) -> &str {
        &self.config.url
    }

    /// Stores a file's content under a name that is free. An object of this name with the same content is fine:
    /// an earlier attempt may have been answered to nobody. Returns the trailer that the object has.
    pub fn create(&self, name: &str, file: &File) -> Result<Trailer, ObjectError> {
        let len = file.metadata()?.len();
        let trailer = trailer::of_file(file, len)?;
        let created = match len + trailer::LEN <= PART {
            true => {
                let bytes = part(file, 0, len, Some(&trailer))?;
                self.put(name, bytes, PutMode::Create)
            }
            false => self.create_in_parts(name, file, len, &trailer),
        };
        match created {
            Err(ObjectError::Exists) if self.trailer(name)? == trailer => Ok(trailer),
            created => created.map(|()| trailer),
        }
    }

    /// Stores a content under a name, whatever had it before.
    pub fn replace(&self, name: &str, content: &[u8]) -> Result<Trailer, ObjectError> {
        let trailer = trailer::of(content);
        self.put(name, [content, &trailer].concat().into(), PutMode::Overwrite)?;
        Ok(trailer)
    }

    fn put(&self, name: &str, bytes: Bytes, mode: PutMode) -> Result<(), ObjectError> {
        let (store, key) = (self.store.clone(), self.key(name)?);
        self.run(async move {
            store.put_opts(&key, PutPayload::from(bytes), mode.into()).await?;
            Ok(())
        })
    }

    /// A large file goes in parts, so that no more than one is in memory.
    fn create_in_parts(&self, name: &str, file: &File, len: u64, trailer: &Trailer) -> Result<(), ObjectError> {
        let (store, key) = (self.store.clone(), self.key(name)?);
        let upload = self.run(multipart::begin(store.clone(), key.clone()))?;
        let sent = (|| {
            let mut parts = Vec::new();
            let mut at = 0;
            while at < len {
                let part_len = (len - at).min(PART);
                let is_last = at + part_len == len;
                let bytes = part(file, at, part_len, is_last.then_some(trailer))?;
                let (store, upload) = (store.clone(), upload.clone());
                parts.push(self.run(multipart::send(store, upload, parts.len(), bytes))?);
                at += part_len;
            }
            let complete = multipart::complete(self.signing(), upload.clone(), parts);
            self.run(complete)
        })();
        if sent.is_err()
            && let Err(error) = self.run(multipart::abandon(store, upload))
        {
            tracing::warn!("the parts of {name} are left for the next boot: {error}");
        }
        sent
    }

    /// Writes an object, trailer included, to a path that is free. Nothing of it is checked.
    pub fn fetch(&self, name: &str, to: &Path) -> Result<(), ObjectError> {
        let (store, key, to) = (self.store.clone(), self.key(name)?, to.to_owned());
        let health = self.health.clone();
        self.run(async move {
            let fetching = async {
                let found = health.attend(async { Ok(store.get(&key).await?) }).await?;
                let mut chunks = found.into_stream();
                let mut file = tokio::fs::File::create_new(to).await?;
                // What takes long and goes on is not given up.
                while let Some(chunk) = health.attend(async { Ok(chunks.try_next().await?) }).await? {
                    file.write_all(&chunk).await?;
                }
                Ok(file.flush().await?)
            };
            health.run(fetching).await
        })
    }

    /// Writes an object's content to a path that is free, once it was checked; durable when this returns.
    pub fn save(&self, name: &str, to: &Path) -> Result<(), ObjectError> {
        self.fetch(name, to)?;
        let file = File::options().read(true).write(true).open(to)?;
        file.set_permissions(Permissions::from_mode(0o600))?;
        let len = trailer::check(&file)?.ok_or_else(|| ObjectError::Damaged(name.to_owned()))?;
        file.set_len(len)?;
        Ok(file.sync_all()?)
    }

    /// A whole small object without its trailer.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, ObjectError> {
        let (store, key) = (self.store.clone(), self.key(name)?);
        let bytes = self.ask(async move { Ok(store.get(&key).await?.bytes().await?) })?;
        let content = bytes
            .len()
            .checked_sub(trailer::LEN as usize)
            .map(|len| bytes.split_at(len));
        match content {
            Some((content, end)) if *end == trailer::of(content) => Ok(content.to_owned()),
            _ => Err(ObjectError::Damaged(name.to_owned())),
        }
    }

    /// Whether there is such an object.
    pub fn exists(&self, name: &str) -> Result<bool, ObjectError> {
        let (store, key) = (self.store.clone(), self.key(name)?);
        match self.ask(async move { Ok(store.head(&key).await?) }) {
            Ok(_) => Ok(true),
            Err(ObjectError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Deletes an object; a missing one is fine.
    pub fn delete(&self, name: &str) -> Result<(), ObjectError> {
        let (store, key) = (self.store.clone(), self.key(name)?);
        match self.ask(async move { Ok(store.delete(&key).await?) }) {
            Err(ObjectError::NotFound) => Ok(()),
            deleted => deleted,
        }
    }

    /// The objects below a folder, which has no slash at its end, in the order of their names.
    pub fn list(&self, folder: &str) -> Result<Vec<Listed>, ObjectError> {
        let (store, key, prefix) = (self.store.clone(), self.key(folder)?, self.config.prefix.clone());
        self.ask(async move {
            let found: Vec<_> = store.list(Some(&key)).try_collect().await?;
            let listed = found.into_iter().filter_map(|meta| {
                Some(Listed {
                    name: meta.location.as_ref().strip_prefix(&prefix)?.to_owned(),
                    modified: meta.last_modified.timestamp_millis(),
                })
            });
            let mut listed: Vec<_> = listed.collect();
            listed.sort_by(|one, other| one.name.cmp(&other.name));
            Ok(listed)
        })
    }

    /// Uploads in parts that began before a time (milliseconds since 1970) and did not end.
    pub fn unfinished(&self, before: i64) -> Result<Vec<Unfinished>, ObjectError> {
        let mut unfinished = self.run(multipart::list(self.signing(), self.config.prefix.clone()))?;
        unfinished.retain(|upload| upload.begun < before);
        Ok(unfinished)
    }

    /// Removes the parts of an upload that did not end.
    pub fn abandon(&self, unfinished: Unfinished) -> Result<(), ObjectError> {
        self.run(multipart::abandon(self.store.clone(), unfinished.upload))
    }

    /// Whether the store answers now. All who ask within a second share one request.
    pub async fn check(&self) -> Result<(), ObjectError> {
        self.health.check().await
    }

    /// The same for who may wait, before content is sent: a store that is away would be noticed much later.
    pub fn fail_if_away(&self) -> Result<(), ObjectError> {
        let health = self.health.clone();
        self.run(async move { health.check().await })
    }

    /// Begins an upload in parts, and forgets it.
    #[cfg(test)]
    pub fn begin_and_leave(&self, name: &str, bytes: Vec<u8>) -> Result<(), ObjectError> {
        let (store, key) = (self.store.clone(), self.key(name)?);
        let upload = self.run(multipart::begin(store.clone(), key))?;
        self.run(multipart::send(store, upload, 0, bytes.into())).map(drop)
    }

    /// Stores bytes without a trailer.
    #[cfg(test)]
    pub fn put_raw(&self, name: &str, bytes: &[u8]) -> Result<(), ObjectError> {
        self.put(name, Bytes::copy_from_slice(bytes), PutMode::Overwrite)
    }

    /// The last bytes of an object.
    pub(super) fn trailer(&self, name: &str) -> Result<Trailer, ObjectError> {
        let (store, key) = (self.store.clone(), self.key(name)?);
        let options = GetOptions {
            range: Some(GetRange::Suffix(trailer::LEN)),
            ..GetOptions::default()
        };
        let bytes = self.ask(async move { Ok(store.get_opts(&key, options).await?.bytes().await?) })?;
        Trailer::try_from(&*bytes).map_err(|_| ObjectError::Damaged(name.to_owned()))
    }

    fn signing(&self) -> multipart::Signing {
        multipart::Signing::new(&self.config, self.transport.clone())
    }

    fn key(&self, name: &str) -> Result<Key, ObjectError> {
        key(&self.config, name)
    }

    fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().expect("it is there until the bucket is dropped")
    }

    /// Runs a request that sends no content.
    fn ask<T: Send + 'static>(
        &self,
        request: impl Future<Output = Result<T, ObjectError>> + Send + 'static,
    ) -> Result<T, ObjectError> {
        let health = self.health.clone();
        self.run(async move { health.run(health.attend(request)).await })
    }

    /// Runs requests on their own threads and waits for the end.
    fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, ObjectError>> + Send + 'static,
    ) -> Result<T, ObjectError> {
        let (reply, answer) = mpsc::sync_channel(1);
        self.runtime().spawn(async move {
            // Somebody waits for it below.
            let _ = reply.send(work.await);
        });
        answer
            .recv()
            .unwrap_or_else(|_| Err(ObjectError::Away("the request was given up".to_owned())))
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Within another runtime nothing may wait for this one.
            runtime.shutdown_background();
        }
    }
}

/// The key of an object.
fn key(config: &ObjectsConfig, name: &str) -> Result<Key, ObjectError> {
    Key::parse(format!("{}{name}", config.prefix)).map_err(|_| ObjectError::NotFound)
}

/// Bytes of a file, and the trailer behind the last of them.
fn part(file: &File, at: u64, len: u64, trailer: Option<&Trailer>) -> io::Result<Bytes> {
    let end = trailer.map_or(&[][..], |trailer| trailer);
    let len = usize::try_from(len).map_err(io::Error::other)?;
    let mut bytes = vec![0; len + end.len()];
    file.read_exact_at(&mut bytes[..len], at)?;
    bytes[len..].copy_from_slice(end);
    Ok(bytes.into())
}
