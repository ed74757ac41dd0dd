//! Is the bridge in the page, and do compiled modules carry positions? A healthy dev server that stamps nothing is the
//! dangerous case: everything looks right, and no edit would work.

mod modules;

use std::collections::{HashSet, VecDeque};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use tokio::time::{Instant, timeout_at};

use crate::proxy::BRIDGE_PATH;

/// How long the whole check may take. A first page may have to be compiled.
const CHECK_TIMEOUT: Duration = Duration::from_secs(60);

/// How many compiled modules are looked into.
const MAX_MODULES: usize = 60;

/// How much of a module is read.
const MAX_MODULE: usize = 8 << 20;

/// Something is not as it should be; the Editor goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Warning {
    /// `no-page`, `no-bridge` or `no-stamps`.
    pub code: &'static str,
    /// What it means, and what can be done.
    pub words: String,
}

/// A source file whose elements carry no positions, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unstamped {
    /// Relative to the prototype's root.
    pub path: String,
    /// In words.
    pub why: String,
}

/// Fetches the page at the proxy's `origin`, and modules it loads, and says what is missing. `unstamped` tells what the stamp
/// endpoint could not stamp until then: it is the likeliest reason when nothing carries a position.
pub async fn check(origin: &str, unstamped: impl FnOnce() -> Vec<Unstamped>) -> Vec<Warning> {
    let Ok(client) = crate::proxy::client() else {
        return Vec::new();
    };
    let end = Instant::now() + CHECK_TIMEOUT;
    let page = match timeout_at(end, page(&client, origin)).await {
        Ok(Ok(page)) => page,
        Ok(Err(words)) => return vec![no_page(&words)],
        Err(_) => return vec![no_page(&format!("there was none within {} s", CHECK_TIMEOUT.as_secs()))],
    };
    let mut warnings = Vec::new();
    if !page.text.contains(BRIDGE_PATH) {
        warnings.push(Warning {
            code: "no-bridge",
            words: "Bridge <script> tag not found in served HTML: selecting and inspecting will not work inside the prototype. \
                    The usual cause is a hook in the prototype's bundler configuration that rewrites its HTML."
                .to_owned(),
        });
    }
    let stamped = page.text.contains(STAMP)
        || timeout_at(end, any_module_is_stamped(&client, &page))
            .await
            .unwrap_or_default();
    if !stamped {
        warnings.push(Warning {
            code: "no-stamps",
            words: format!(
                "data-desde-src not found in any compiled source module: edits will fail, since nothing tells where an element stands.{}",
                reasons(&unstamped())
            ),
        });
    }
    warnings
}

const STAMP: &str = "data-desde-src";

struct FetchedPage {
    /// After redirects.
    url: url::Url,
    text: String,
}

async fn page(client: &reqwest::Client, origin: &str) -> Result<FetchedPage, String> {
    let mut url = url::Url::parse(origin).map_err(|error| error.to_string())?;
    for _ in 0..5 {
        let asked = client
            .get(url.clone())
            .header("accept", "text/html")
            .header("sec-fetch-dest", "iframe")
            .send()
            .await;
        let answer = asked.map_err(|error| error.to_string())?;
        let status = answer.status();
        if status.is_redirection() {
            let location = answer
                .headers()
                .get("location")
                .and_then(|location| location.to_str().ok());
            let next = location.and_then(|location| url.join(location).ok());
            // A page elsewhere, as that of a sign-in, is none to check.
            url = next
                .filter(|next| next.origin() == url.origin())
                .ok_or("it redirects to another site")?;
            continue;
        }
        if !status.is_success() && status != 404 {
            return Err(format!("the answer was {status}"));
        }
        let text = answer.text().await.map_err(|error| error.to_string())?;
        return Ok(FetchedPage { url, text });
    }
    Err("it redirects in a circle".to_owned())
}

/// Follows the page's scripts, and what these import, breadth first.
async fn any_module_is_stamped(client: &reqwest::Client, page: &FetchedPage) -> bool {
    let mut waiting: VecDeque<url::Url> = modules::of_page(&page.text)
        .iter()
        .filter_map(|address| page.url.join(address).ok())
        .collect();
    let mut seen = HashSet::new();
    while let Some(url) = waiting.pop_front() {
        let own = url.origin() == page.url.origin() && !url.path().starts_with("/__galley/");
        if !own || modules::is_library(url.path()) || !seen.insert(url.clone()) {
            continue;
        }
        if seen.len() > MAX_MODULES {
            break;
        }
        let Ok(answer) = client.get(url.clone()).header("sec-fetch-dest", "script").send().await else {
            continue;
        };
        let url = answer.url().clone();
        let Ok(text) = answer.bytes().await else { continue };
        let text = String::from_utf8_lossy(&text[..text.len().min(MAX_MODULE)]);
        if text.contains(STAMP) {
            return true;
        }
        waiting.extend(
            modules::of_script(&text)
                .iter()
                .filter_map(|address| url.join(address).ok()),
        );
    }
    false
}

fn no_page(why: &str) -> Warning {
    Warning {
        code: "no-page",
        words: format!("The prototype's page could not be checked: {why}."),
    }
}

/// The files without positions, a few of them by name.
fn reasons(unstamped: &[Unstamped]) -> String {
    const MAX_NAMED: usize = 5;
    if unstamped.is_empty() {
        return " No source file was handed to the Editor: the dev server compiles its files in a way that leaves the Editor out, or was started before the Editor."
            .to_owned();
    }
    let mut words = String::from(" These could not be stamped:");
    for file in unstamped.iter().take(MAX_NAMED) {
        let why = never_stamped(&file.path).unwrap_or(&file.why);
        words.push_str(&format!("\n  {}: {why}", file.path));
    }
    if unstamped.len() > MAX_NAMED {
        words.push_str(&format!("\n  and {} more", unstamped.len() - MAX_NAMED));
    }
    words
}

/// Why files of this kind never carry positions; `None` for those that do.
#[must_use]
pub fn never_stamped(path: &str) -> Option<&'static str> {
    match Path::new(path).extension()?.to_str()? {
        "astro" => {
            Some("markup in Astro's own files can be looked at, not edited; islands in .tsx, .jsx and .vue can be")
        }
        "mdx" => Some("Markdown with components can be looked at, not edited"),
        "svelte" => Some("Svelte is not supported"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_the_files_and_why() {
        let files: Vec<_> = (0..7)
            .map(|number| Unstamped {
                path: format!("src/{number}.tsx"),
                why: "it does not parse".to_owned(),
            })
            .collect();
        let words = reasons(&files);
        assert!(words.contains("src/0.tsx: it does not parse"));
        assert!(words.ends_with("and 2 more"));
        assert!(reasons(&[]).contains("No source file was handed to the Editor"));
    }

    #[test]
    fn kinds_of_files_without_an_applicator_say_so() {
        assert!(never_stamped("src/pages/index.astro").is_some());
        assert_eq!(never_stamped("src/App.tsx"), None);
        assert_eq!(never_stamped("LICENSE"), None);
        let page = Unstamped {
            path: "src/pages/index.astro".to_owned(),
            why: "it is neither JSX nor a Vue component".to_owned(),
        };
        assert!(reasons(&[page]).contains("src/pages/index.astro: markup in Astro's own files"));
    }
}
