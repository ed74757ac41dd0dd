//! Asking a provider: one request, its answer as it comes, retries, limits, stopping.

use std::time::{Duration, Instant};

use futures_util::StreamExt;
use http::{HeaderMap, StatusCode};
use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use url::Url;

use super::access::Access;
use super::event::{Event, Failure, FailureKind, StopReason, Usage};
use super::provider::{Provider, Wire};
use super::request::{Assistant, Request};
use super::secrets::Secrets;
use super::{completions, hints, messages, sse};

/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a provider may think before its answer begins.
const FIRST_BYTE_TIMEOUT: Duration = Duration::from_secs(120);
/// How long a provider may be silent within its answer.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(60);
/// How long the list of models may take.
const LIST_TIMEOUT: Duration = Duration::from_secs(15);
/// A call is made again so often.
const MAX_RETRIES: u32 = 2;
/// Nobody waits longer than this for a call to be made again.
const MAX_RETRY_TIME: Duration = Duration::from_secs(20);
/// The wait before a call is made again, when nobody hints; doubled each time.
const FIRST_RETRY: Duration = Duration::from_millis(500);
/// What of an error's body is read, in bytes.
const MAX_ERROR_BYTES: usize = 64 << 10;
/// What of an error's words is shown, in characters.
const MAX_WORDS: usize = 500;
/// A list of models of more bytes is none.
const MAX_LIST_BYTES: usize = 8 << 20;
/// What a request may be, in bytes: providers take 32 MB.
const MAX_REQUEST_BYTES: usize = 30 << 20;
/// Events that wait for a slow reader.
const MAX_WAITING: usize = 256;
/// Bytes for a token, where a provider does not count.
const BYTES_PER_TOKEN: u64 = 3;

/// Asks one provider with one key.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    access: Access,
    secrets: Secrets,
}

/// An answer on its way. Dropping it stops the model.
pub struct Answer {
    events: mpsc::Receiver<Event>,
    task: JoinHandle<()>,
}

impl Answer {
    /// The next event. The last one is [`Event::Stop`] or [`Event::Failed`]; `None` follows it.
    pub async fn next(&mut self) -> Option<Event> {
        self.events.recv().await
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What a whole call came to.
#[derive(Debug)]
pub struct Outcome {
    /// Why the model stopped and what it said, or why not.
    pub said: Result<(StopReason, Assistant), Failure>,
    /// What was used, also by a call that failed.
    pub usage: Usage,
}

impl Client {
    /// For one access. `secrets` are kept out of every error's words.
    ///
    /// # Errors
    /// When there can be no client for HTTPS.
    pub fn new(access: Access, mut secrets: Secrets) -> Result<Self, reqwest::Error> {
        // Another part of the program may have chosen already, and that is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        // A redirect would take the key elsewhere.
        let builder = reqwest::Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("galley-editor/", env!("CARGO_PKG_VERSION")));
        let builder = if access.is_local() { builder.no_proxy() } else { builder };
        if let Some((key, _)) = &access.key {
            secrets.add(key.reveal());
        }
        Ok(Self {
            http: builder.build()?,
            access,
            secrets,
        })
    }

    /// What it asks with.
    #[must_use]
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// The bytes of a request, as it would be sent.
    #[must_use]
    pub fn body(&self, request: &Request) -> String {
        let model = match request.model.as_str() {
            "" => self.access.model.as_deref().unwrap_or_default(),
            model => model,
        };
        let body = match self.access.provider.wire() {
            Wire::Messages => messages::body(request, model),
            Wire::Completions => completions::body(request, model, self.access.provider),
        };
        body.to_string()
    }

    /// Asks, and tells what comes back. `stop` ends it with [`FailureKind::Stopped`]. Within a runtime only.
    #[must_use]
    pub fn stream(&self, request: &Request, stop: CancellationToken) -> Answer {
        let (sender, events) = mpsc::channel(MAX_WAITING);
        let (client, body) = (self.clone(), self.body(request));
        let task = tokio::spawn(async move {
            let mut call = Call {
                client: &client,
                body: &body,
                events: &sender,
                usage: Usage::default(),
                written: 0,
            };
            let ended = tokio::select! {
                biased;
                () = stop.cancelled() => Err(Failure::new(FailureKind::Stopped, "Stopped")),
                ended = call.make() => ended,
            };
            call.count(ended.is_ok()).await;
            let last = match ended {
                Ok((reason, said)) => Event::Stop(reason, said),
                Err(failure) => Event::Failed(client.without_secrets(failure)),
            };
            let _ = sender.send(last).await;
        });
        Answer { events, task }
    }

    /// Asks, and waits for the whole answer.
    pub async fn ask(&self, request: &Request, stop: CancellationToken) -> Outcome {
        let mut answer = self.stream(request, stop);
        let mut usage = Usage::default();
        while let Some(event) = answer.next().await {
            let said = match event {
                Event::Usage(used) => {
                    usage = used;
                    continue;
                }
                Event::Stop(reason, said) => Ok((reason, said)),
                Event::Failed(failure) => Err(failure),
                _ => continue,
            };
            return Outcome { said, usage };
        }
        let said = Err(Failure::new(FailureKind::Broken, "The call ended early"));
        Outcome { said, usage }
    }

    /// The models the key may use: the cheapest question there is, so it is also how a key is checked.
    ///
    /// # Errors
    /// With the provider's words, or why it cannot be asked.
    pub async fn models(&self) -> Result<Vec<String>, Failure> {
        let asked = timeout(LIST_TIMEOUT, self.list()).await;
        let late = || Failure::new(FailureKind::Network, "The provider does not answer");
        asked
            .unwrap_or_else(|_| Err(late()))
            .map_err(|failure| self.without_secrets(failure))
    }

    async fn list(&self) -> Result<Vec<String>, Failure> {
        let url = self.endpoint("models")?;
        let request = self.authorized(self.http.get(url));
        let answer = request.send().await.map_err(|error| unreachable(&error))?;
        if !answer.status().is_success() {
            return Err(refused(answer).await.0);
        }
        let bytes = read(answer, MAX_LIST_BYTES).await?;
        let no_list = || Failure::new(FailureKind::Broken, "What answers there gives no list of models");
        let list: Value = serde_json::from_slice(&bytes).map_err(|_| no_list())?;
        let models = list["data"]
            .as_array()
            .or(list["models"].as_array())
            .ok_or_else(no_list)?;
        let id = |model: &Value| {
            let id = model["id"].as_str().or(model["name"].as_str())?;
            Some(id.strip_prefix("models/").unwrap_or(id).to_owned())
        };
        Ok(models.iter().filter_map(id).collect())
    }

    fn endpoint(&self, path: &str) -> Result<Url, Failure> {
        let missing = || {
            let words = format!("Set {} to the provider's address", self.access.provider.base_variable());
            Failure::new(FailureKind::NotFound, words)
        };
        let base = self.access.base.as_ref().ok_or_else(missing)?;
        let text = base.as_str().trim_end_matches('/');
        // The vendors' own programs take an address without `/v1` for the one format, and with it for the other.
        let version = match self.access.provider.wire() {
            Wire::Messages if !text.ends_with("/v1") => "/v1",
            _ => "",
        };
        Url::parse(&format!("{text}{version}/{path}")).map_err(|_| missing())
    }

    fn authorized(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        let key = self.access.key.as_ref().map(|(key, _)| key.reveal());
        match (self.access.provider.wire(), key) {
            (Wire::Messages, key) => {
                let request = request.header("anthropic-version", messages::VERSION);
                match key {
                    Some(key) => request.header("x-api-key", sensitive(key)),
                    None => request,
                }
            }
            (Wire::Completions, Some(key)) => {
                request.header(http::header::AUTHORIZATION, sensitive(&format!("Bearer {key}")))
            }
            (Wire::Completions, None) => request,
        }
    }

    fn without_secrets(&self, mut failure: Failure) -> Failure {
        failure.words = self.secrets.hide(&failure.words).into_owned();
        failure
    }
}

/// A header's value that no log shows. What cannot be one is left out, and the provider says that the key is missing.
fn sensitive(text: &str) -> http::HeaderValue {
    let mut value = http::HeaderValue::from_str(text).unwrap_or_else(|_| http::HeaderValue::from_static(""));
    value.set_sensitive(true);
    value
}

/// One call, with its retries.
struct Call<'c> {
    client: &'c Client,
    body: &'c str,
    events: &'c mpsc::Sender<Event>,
    /// What the provider counted.
    usage: Usage,
    /// Bytes of the answer so far.
    written: u64,
}

/// Why a try failed, and whether another one may help.
struct Failed {
    failure: Failure,
    may_retry: bool,
}

impl Failed {
    fn for_good(failure: Failure) -> Self {
        let may_retry = false;
        Self { failure, may_retry }
    }
}

impl Call<'_> {
    async fn make(&mut self) -> Result<(StopReason, Assistant), Failure> {
        if self.body.len() > MAX_REQUEST_BYTES {
            return Err(Failure::new(
                FailureKind::TooLarge,
                "The conversation is too large for the provider",
            ));
        }
        let begun = Instant::now();
        let mut retries = 0;
        loop {
            let Failed { failure, may_retry } = match self.once().await {
                Ok(said) => return Ok(said),
                Err(failed) => failed,
            };
            let wait = failure.retry_after().unwrap_or_else(|| backoff(retries));
            if !may_retry || retries >= MAX_RETRIES || begun.elapsed() + wait > MAX_RETRY_TIME {
                return Err(failure);
            }
            retries += 1;
            self.tell(Event::Retrying(wait, self.client.without_secrets(failure)))
                .await;
            sleep(wait).await;
        }
    }

    async fn once(&mut self) -> Result<(StopReason, Assistant), Failed> {
        let client = self.client;
        let path = match client.access.provider.wire() {
            Wire::Messages => "messages",
            Wire::Completions => "chat/completions",
        };
        let url = client.endpoint(path).map_err(Failed::for_good)?;
        let request = client
            .authorized(client.http.post(url))
            .header(http::header::CONTENT_TYPE, "application/json")
            .header(http::header::ACCEPT, "text/event-stream")
            .body(self.body.to_owned());
        let answer = match timeout(FIRST_BYTE_TIMEOUT, request.send()).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                let (failure, may_retry) = (unreachable(&error), error.is_connect() || error.is_request());
                return Err(Failed { failure, may_retry });
            }
            Err(_) => {
                let failure = Failure::new(FailureKind::Network, "The provider does not answer");
                return Err(Failed::for_good(failure));
            }
        };
        if !answer.status().is_success() {
            let (failure, may_retry) = refused(answer).await;
            return Err(Failed { failure, may_retry });
        }
        self.read(answer).await
    }

    async fn read(&mut self, answer: reqwest::Response) -> Result<(StopReason, Assistant), Failed> {
        let mut reader = Reader::new(self.client.access.provider);
        let mut events = sse::Events::default();
        let mut pieces = answer.bytes_stream();
        let mut is_first = true;
        loop {
            let failed = |reader: &Reader, failure: Failure, may_retry: bool| Failed {
                may_retry: may_retry && !reader.has_begun(),
                failure,
            };
            let piece = match timeout(SILENCE_TIMEOUT, pieces.next()).await {
                Ok(Some(Ok(piece))) => piece,
                Ok(None) if reader.may_end() => break,
                Ok(Some(Err(_)) | None) => return Err(failed(&reader, completions::cut(), true)),
                Err(_) => {
                    let words = "The provider fell silent within its answer";
                    return Err(failed(&reader, Failure::new(FailureKind::Network, words), false));
                }
            };
            // A page or a document, as of an address that leads elsewhere: a stream of events begins with neither.
            if is_first && matches!(piece.trim_ascii_start().first(), Some(b'<' | b'{' | b'[')) {
                let words = "What answers there is no model: look at the provider's address";
                return Err(Failed::for_good(Failure::new(FailureKind::Broken, words)));
            }
            is_first = false;
            let data = events.take(&piece).map_err(|malformed| {
                let words = format!("The provider cannot be understood: {malformed}");
                Failed::for_good(Failure::new(FailureKind::Broken, words))
            })?;
            self.written = events.total() as u64;
            for data in data {
                let mut tell = Vec::new();
                let taken = reader.take(&data, &mut tell);
                self.usage = reader.usage();
                for event in tell {
                    self.tell(event).await;
                }
                match taken {
                    Ok(false) => {}
                    Ok(true) => return Ok(self.finish(reader).await),
                    Err(failure) => {
                        let may_retry = matches!(
                            failure.kind,
                            FailureKind::Overloaded(_) | FailureKind::Server | FailureKind::RateLimited(_)
                        );
                        return Err(failed(&reader, failure, may_retry));
                    }
                }
            }
        }
        Ok(self.finish(reader).await)
    }

    async fn finish(&mut self, reader: Reader) -> (StopReason, Assistant) {
        let mut tell = Vec::new();
        let said = reader.finish(&mut tell);
        for event in tell {
            self.tell(event).await;
        }
        said
    }

    /// Says what the call used. Where the provider did not count, because it never does or because the call ended early, bytes
    /// are counted instead: what was begun is paid for.
    async fn count(&mut self, is_whole: bool) {
        let mut usage = self.usage;
        let nothing = usage == Usage::default();
        if nothing && self.written == 0 {
            return;
        }
        if usage.all_input() == 0 {
            usage.input = self.body.len() as u64 / BYTES_PER_TOKEN;
        }
        if nothing || !is_whole {
            // The format takes more bytes than the text in it, so this is rather too much than too little.
            usage.output = usage.output.max(self.written / (4 * BYTES_PER_TOKEN));
        }
        self.tell(Event::Usage(usage)).await;
    }

    async fn tell(&self, event: Event) {
        let _ = self.events.send(event).await;
    }
}

/// Reads either format.
enum Reader {
    Messages(messages::Reader),
    Completions(completions::Reader),
}

impl Reader {
    fn new(provider: Provider) -> Self {
        match provider.wire() {
            Wire::Messages => Self::Messages(messages::Reader::default()),
            Wire::Completions => Self::Completions(completions::Reader::default()),
        }
    }

    fn take(&mut self, data: &str, tell: &mut Vec<Event>) -> Result<bool, Failure> {
        match self {
            Self::Messages(reader) => reader.take(data, tell),
            Self::Completions(reader) => reader.take(data, tell),
        }
    }

    fn usage(&self) -> Usage {
        match self {
            Self::Messages(reader) => reader.usage,
            Self::Completions(reader) => reader.usage,
        }
    }

    fn has_begun(&self) -> bool {
        match self {
            Self::Messages(reader) => reader.has_begun,
            Self::Completions(reader) => reader.has_begun,
        }
    }

    /// Whether a stream may end here without its last word.
    fn may_end(&self) -> bool {
        match self {
            Self::Messages(_) => false,
            Self::Completions(reader) => reader.is_whole(),
        }
    }

    fn finish(self, tell: &mut Vec<Event>) -> (StopReason, Assistant) {
        match self {
            Self::Messages(reader) => reader.finish(),
            Self::Completions(reader) => reader.finish(tell),
        }
    }
}

/// Half a second, doubled each time, and a little more or less: many that were refused together must not come back together.
fn backoff(retries: u32) -> Duration {
    (FIRST_RETRY * 2_u32.pow(retries)).mul_f64(0.75 + rand::random::<f64>() / 2.0)
}

/// An answer that says no: why, and whether asking again may help.
async fn refused(answer: reqwest::Response) -> (Failure, bool) {
    let (status, headers) = (answer.status(), answer.headers().clone());
    let body = read(answer, MAX_ERROR_BYTES).await.unwrap_or_default();
    let words = words(&body, status);
    let after = hints::retry_after(&headers);
    // Money does not come back by waiting.
    let is_spent = String::from_utf8_lossy(&body).contains("insufficient_quota");
    let kind = match status.as_u16() {
        429 if is_spent => FailureKind::Permission,
        401 => FailureKind::Authentication,
        403 => FailureKind::Permission,
        404 => FailureKind::NotFound,
        413 => FailureKind::TooLarge,
        429 => FailureKind::RateLimited(after),
        503 | 529 => FailureKind::Overloaded(after),
        500.. => FailureKind::Server,
        _ => FailureKind::BadRequest,
    };
    let failure = Failure {
        kind,
        status: Some(status.as_u16()),
        words,
    };
    (failure, !is_spent && may_retry(status, &headers))
}

fn may_retry(status: StatusCode, headers: &HeaderMap) -> bool {
    let is_passing = || matches!(status.as_u16(), 408 | 409 | 429) || status.is_server_error();
    hints::should_retry(headers).unwrap_or_else(is_passing)
}

/// The provider's own words, as far as they are some.
fn words(body: &[u8], status: StatusCode) -> String {
    let parsed: Value = serde_json::from_slice(body).unwrap_or_default();
    let error = parsed.get(0).unwrap_or(&parsed);
    let told = error["error"]["message"]
        .as_str()
        .or(error["error"].as_str())
        .or(error["message"].as_str());
    let text = match told {
        Some(told) => told.to_owned(),
        // A page of a proxy says nothing to anybody.
        None if parsed.is_null() && !body.starts_with(b"<") => String::from_utf8_lossy(body).into_owned(),
        None => String::new(),
    };
    let text: String = text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .take(MAX_WORDS)
        .collect();
    let reason = status.canonical_reason().unwrap_or("an error");
    if text.is_empty() {
        format!("{} {reason}", status.as_u16())
    } else {
        text
    }
}

async fn read(answer: reqwest::Response, most: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let mut pieces = answer.bytes_stream();
    while let Some(piece) = timeout(SILENCE_TIMEOUT, pieces.next()).await.ok().flatten() {
        let piece = piece.map_err(|_| completions::cut())?;
        if bytes.len() + piece.len() > most {
            return Err(Failure::new(
                FailureKind::Broken,
                "The provider's answer is larger than any real one",
            ));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// Why nobody answered. The error's own text has the address, and nothing of the key.
fn unreachable(error: &reqwest::Error) -> Failure {
    let mut words = "The provider cannot be reached".to_owned();
    let mut source: Option<&dyn std::error::Error> = std::error::Error::source(error);
    let mut last = None;
    while let Some(error) = source {
        last = Some(error.to_string());
        source = error.source();
    }
    if let Some(last) = last {
        words.push_str(": ");
        words.push_str(&last);
    }
    Failure::new(FailureKind::Network, words)
}
