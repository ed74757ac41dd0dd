//! A page in the review browser.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};
use url::Url;

use super::browser::Browser;
use super::complaint::complaint;
use super::error::ReviewError;
use super::script;
use super::view::{Clip, View};

/// How long a page may take to load.
const LOAD_TIMEOUT: Duration = Duration::from_secs(40);
/// A page is as high as this, in CSS pixels.
const HEIGHT: u32 = 900;
/// Nothing changed for so long: the page rests. In milliseconds.
const CALM_MS: u64 = 250;
/// Nobody waits longer for it.
const SETTLE_MS: u64 = 8_000;
/// A picture's longer side, in CSS pixels.
const MAX_PICTURE: u32 = 2_000;

/// A page is scrolled through so far before a picture of the whole, in CSS pixels.
const MAX_SCROLL: u32 = 20_000;

/// What is shown once it is scrolled to, as pictures that are loaded late, is shown.
const SCROLL: &str = r"(async () => {
  const pause = () => new Promise((done) => setTimeout(done, 40));
  for (let top = 0; top < Math.min(document.documentElement.scrollHeight, MAX); top += innerHeight) {
    scrollTo({ top, behavior: 'instant' });
    await pause();
  }
  scrollTo({ top: 0, behavior: 'instant' });
  await pause();
})()";

/// Half-way through an animation every reading is another one, and nobody is there to close a dialog.
const STILL: &str = r"(() => {
  window.alert = () => {};
  window.confirm = () => false;
  window.prompt = () => null;
  window.print = () => {};
  const still = () => {
    const style = document.createElement('style');
    style.textContent = '*,*::before,*::after{animation:none!important;transition:none!important;caret-color:transparent!important}';
    document.documentElement.append(style);
  };
  if (document.documentElement) still();
  else new MutationObserver((_, observer) => document.documentElement && (observer.disconnect(), still())).observe(document, { childList: true });
})()";

/// A window of its own, which is closed when this is dropped: several pages are read at the same time, and a tab behind another
/// one is not painted.
pub struct Page {
    browser: Arc<Browser>,
    target: String,
    session: String,
    context: Option<i64>,
    events: mpsc::UnboundedReceiver<Value>,
    url: Url,
    complaints: Vec<String>,
}

impl Page {
    pub(super) async fn open(browser: Arc<Browser>, url: Url, view: View) -> Result<Self, ReviewError> {
        let channel = &browser.channel;
        let made = channel
            .call(
                None,
                "Target.createTarget",
                json!({ "url": "about:blank", "newWindow": true }),
            )
            .await?;
        let target = made["targetId"].as_str().unwrap_or_default().to_owned();
        let attach = json!({ "targetId": target, "flatten": true });
        let attached = channel.call(None, "Target.attachToTarget", attach).await?;
        let session = attached["sessionId"].as_str().unwrap_or_default().to_owned();
        let events = channel.listen(&session);
        let mut page = Self {
            browser,
            target,
            session,
            context: None,
            events,
            url,
            complaints: Vec::new(),
        };
        page.call("Page.enable", json!({})).await?;
        page.call("Runtime.enable", json!({})).await?;
        let size = json!({ "width": view.width, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": false });
        page.call("Emulation.setDeviceMetricsOverride", size).await?;
        let mut features = vec![json!({ "name": "prefers-reduced-motion", "value": "reduce" })];
        features.extend(
            view.scheme
                .map(|scheme| json!({ "name": "prefers-color-scheme", "value": scheme })),
        );
        page.call("Emulation.setEmulatedMedia", json!({ "features": features }))
            .await?;
        page.call("Page.addScriptToEvaluateOnNewDocument", json!({ "source": STILL }))
            .await?;
        page.load().await?;
        Ok(page)
    }

    /// Loads the page afresh and waits until it rests.
    ///
    /// # Errors
    /// When it does not load, or leads out of the preview.
    pub async fn load(&mut self) -> Result<(), ReviewError> {
        while self.events.try_recv().is_ok() {}
        self.context = None;
        let went = self.call("Page.navigate", json!({ "url": self.url.as_str() })).await?;
        if let Some(words) = went["errorText"].as_str() {
            return Err(ReviewError::Page(words.to_owned()));
        }
        let limit = Instant::now() + LOAD_TIMEOUT;
        while let Ok(event) = timeout_at(limit, self.events.recv()).await {
            let Some(event) = event else {
                return Err(ReviewError::Failed("it has ended".into()));
            };
            self.hear(&event);
            if event["method"] == "Page.loadEventFired" {
                break;
            }
        }
        self.settle().await
    }

    /// Waits until nothing changes any more.
    ///
    /// # Errors
    /// When the page cannot be asked.
    pub async fn settle(&mut self) -> Result<(), ReviewError> {
        self.ask(&format!("quiet({CALM_MS}, {SETTLE_MS})")).await.map(|_| ())
    }

    /// Evaluates a call of the script that reads pages, as `read()`.
    ///
    /// # Errors
    /// When the page throws, or is gone.
    pub async fn ask(&mut self, call: &str) -> Result<Value, ReviewError> {
        self.evaluate(&format!("globalThis.galleyReview.{call}")).await
    }

    async fn evaluate(&mut self, expression: &str) -> Result<Value, ReviewError> {
        let mut last = ReviewError::Page("it is loaded again and again".into());
        // Hot reload may load the page anew in between.
        for _ in 0..5 {
            let context = match self.context {
                Some(context) => context,
                None => self.world().await?,
            };
            let asked = json!({
                "expression": expression,
                "contextId": context,
                "awaitPromise": true,
                "returnByValue": true,
            });
            match self.call("Runtime.evaluate", asked).await {
                Ok(answer) if answer["exceptionDetails"].is_null() => {
                    self.drain();
                    return Ok(answer["result"]["value"].clone());
                }
                Ok(answer) => {
                    let details = &answer["exceptionDetails"];
                    let words = details["exception"]["description"]
                        .as_str()
                        .or(details["text"].as_str());
                    return Err(ReviewError::Page(words.unwrap_or("it failed").to_owned()));
                }
                Err(ReviewError::Page(words)) => {
                    self.context = None;
                    last = ReviewError::Page(words);
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    /// A world of scripts that the page's own cannot reach, with the script that reads.
    async fn world(&mut self) -> Result<i64, ReviewError> {
        let tree = self.call("Page.getFrameTree", json!({})).await?;
        let frame = &tree["frameTree"]["frame"];
        let address = frame["url"].as_str().unwrap_or_default();
        if Url::parse(address).map(|url| url.origin()).ok() != Some(self.url.origin()) {
            return Err(ReviewError::Page(format!("it leads to {address}, out of the preview")));
        }
        let made = json!({ "frameId": frame["id"], "worldName": "galley-review" });
        let made = self.call("Page.createIsolatedWorld", made).await?;
        let context = made["executionContextId"]
            .as_i64()
            .ok_or_else(|| ReviewError::Page("it has no world of its own".into()))?;
        let script = json!({ "expression": script::script(), "contextId": context, "returnByValue": true });
        let done = self.call("Runtime.evaluate", script).await?;
        if !done["exceptionDetails"].is_null() {
            let words = done["exceptionDetails"]["exception"]["description"]
                .as_str()
                .unwrap_or("the script fails");
            return Err(ReviewError::Page(words.to_owned()));
        }
        self.context = Some(context);
        Ok(context)
    }

    /// What the page complained of since it was opened, each once, without places and numbers.
    pub fn complaints(&mut self) -> BTreeSet<String> {
        self.drain();
        self.complaints.iter().cloned().collect()
    }

    /// Forgets what the page complained of.
    pub fn forget(&mut self) {
        self.drain();
        self.complaints.clear();
    }

    /// A picture of what is seen, as PNG.
    ///
    /// # Errors
    /// When there is none.
    pub async fn picture(&mut self) -> Result<Vec<u8>, ReviewError> {
        self.capture(json!({ "format": "png", "captureBeyondViewport": false }))
            .await
    }

    /// A picture of a part of the page, seen or not, as PNG.
    ///
    /// # Errors
    /// When there is none.
    pub async fn picture_of(&mut self, clip: Clip) -> Result<Vec<u8>, ReviewError> {
        let Clip { x, y, width, height } = clip;
        let clip = json!({ "x": x, "y": y, "width": width, "height": height, "scale": 1 });
        self.capture(json!({ "format": "png", "captureBeyondViewport": true, "clip": clip }))
            .await
    }

    /// Scrolls through the page and back, so that what is loaded or shown late is there, and waits until it rests.
    ///
    /// # Errors
    /// When the page cannot be asked.
    pub async fn scroll_through(&mut self) -> Result<(), ReviewError> {
        self.evaluate(&SCROLL.replace("MAX", &MAX_SCROLL.to_string())).await?;
        self.settle().await
    }

    /// The status that the page was answered with; 0 when that is not known.
    ///
    /// # Errors
    /// When the page cannot be asked.
    pub async fn status(&mut self) -> Result<u64, ReviewError> {
        let asked = "performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0";
        Ok(self.evaluate(asked).await?.as_u64().unwrap_or_default())
    }

    /// How wide and how high all of the page is, in CSS pixels.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn size(&mut self) -> Result<(u32, u32), ReviewError> {
        let metrics = self.call("Page.getLayoutMetrics", json!({})).await?;
        let side = |name: &str| {
            let length = metrics["cssContentSize"][name].as_f64().unwrap_or_default().ceil();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is held within"
            )]
            let length = length.clamp(1.0, f64::from(u32::MAX)) as u32;
            length
        };
        Ok((side("width"), side("height")))
    }

    /// A picture, as `Page.captureScreenshot` is told to take it.
    pub(super) async fn capture(&mut self, how: Value) -> Result<Vec<u8>, ReviewError> {
        let taken = self.call("Page.captureScreenshot", how).await?;
        let data = taken["data"].as_str().unwrap_or_default();
        BASE64
            .decode(data.as_bytes())
            .map_err(|_| ReviewError::Page("its picture cannot be read".into()))
    }

    /// Makes the page as large as this, for pictures.
    ///
    /// # Errors
    /// When the browser is gone.
    pub async fn resize(&mut self, width: u32, height: u32) -> Result<(), ReviewError> {
        let size = json!({
            "width": width.clamp(1, MAX_PICTURE),
            "height": height.clamp(1, MAX_PICTURE),
            "deviceScaleFactor": 1,
            "mobile": false,
        });
        self.call("Emulation.setDeviceMetricsOverride", size).await.map(|_| ())
    }

    fn drain(&mut self) {
        while let Ok(event) = self.events.try_recv() {
            self.hear(&event);
        }
    }

    fn hear(&mut self, event: &Value) {
        let params = &event["params"];
        let words = match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                let details = &params["exceptionDetails"];
                details["exception"]["description"]
                    .as_str()
                    .or(details["text"].as_str())
                    .unwrap_or("an error")
                    .to_owned()
            }
            Some("Runtime.consoleAPICalled") if params["type"] == "error" => {
                let texts = params["args"].as_array().into_iter().flatten().map(|argument| {
                    argument["value"]
                        .as_str()
                        .or(argument["description"].as_str())
                        .unwrap_or_default()
                });
                texts.collect::<Vec<_>>().join(" ")
            }
            Some("Runtime.executionContextsCleared") => {
                self.context = None;
                return;
            }
            _ => return,
        };
        self.complaints.extend(complaint(&words));
    }

    async fn call(&self, method: &str, params: Value) -> Result<Value, ReviewError> {
        self.browser.channel.call(Some(&self.session), method, params).await
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.browser.channel.forget(&self.session);
        let (browser, target) = (Arc::clone(&self.browser), std::mem::take(&mut self.target));
        // Without a runtime the browser ends anyway.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _ = browser
                    .channel
                    .call(None, "Target.closeTarget", json!({ "targetId": target }))
                    .await;
            });
        }
    }
}
