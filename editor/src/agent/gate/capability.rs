//! Whether a change would let the prototype do something that its file does not do yet. A dev server runs what it is given, at
//! once, on the user's machine: so a model adds no package, no request, no code from text, no raw markup.
//!
//! What is counted is what a file says after the change and did not say before. The reading is a rough one on purpose: comments and
//! texts count too. A refusal by mistake costs a word with the user; code that nobody saw costs more.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

/// What a piece of source can do, by what is written there.
const MARKS: [(&str, &str); 36] = [
    (
        "requests to a server",
        r"\bfetch\s*[(?.\[]|[=(,:?|&\[{]\s*fetch\b|\b(?:\$fetch|useFetch|axios|sendBeacon|XMLHttpRequest|WebSocket|EventSource|WebTransport|RTCPeerConnection|importScripts)\b",
    ),
    ("code that is made from text", r"\b(?:eval|Function|execScript)\s*\("),
    (
        "code that is made from text",
        r"\bset(?:Timeout|Interval|Immediate)\s*\(\s*[`'\x22]",
    ),
    (
        "code that is made from text",
        r"\bnew\s+Function\b|\bconstructor\s*\(|\.\s*constructor\b|\[\s*[`'\x22]constructor[`'\x22]\s*\]",
    ),
    (
        "code that is made from text",
        r"\bWebAssembly\b|\bnew\s+(?:Shared)?Worker\b|\bserviceWorker\b",
    ),
    (
        "environment variables",
        r"\bprocess\s*(?:\.\s*[a-z]|\[|\?\.)|[=(,:?|&\[{]\s*process\b|\bimport\.meta\.env\b|\bDeno\b|\bBun\b",
    ),
    (
        "environment variables",
        r"\bglobalThis\b|\b(?:window|self|top|parent|global)\s*\[",
    ),
    (
        "storage of the browser",
        r"\b(?:localStorage|sessionStorage|indexedDB|cookieStore)\b|\bcaches\s*\.\s*[a-z]|\bdocument\s*\.\s*cookie\b",
    ),
    (
        "files or programs",
        r"\b(?:child_process|node:|fs/promises)\b|\brequire\s*\(",
    ),
    ("modules that are loaded while it runs", r"\bimport\s*\("),
    (
        "raw markup",
        r"\bdangerouslySetInnerHTML\b|\bv-html\b|\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|\bdocument\s*\.\s*write",
    ),
    (
        "raw markup",
        r"\bsrcdoc\b|\bsrcDoc\b|\bcreateContextualFragment\b|\bDOMParser\b",
    ),
    ("a script", r"(?i)<\s*/?\s*script\b"),
    (
        "a frame or an object",
        r"(?i:<\s*(?:iframe|frameset|embed|applet)\b)|<\s*(?:frame|object|portal|base|meta|link|OBJECT|BASE|META|LINK)\b",
    ),
    ("an element that is made by its name", r"\bcreateElement\s*\("),
    (
        "an address that runs code",
        r"(?i)javascript\s*:|data\s*:\s*text/html|vbscript\s*:",
    ),
    (
        "a handler that is written as text",
        r"(?i)\bon[a-z]{3,20}\s*=\s*[\x22']",
    ),
    (
        "a form that sends somewhere",
        r"(?i)\bform[aA]ction\b|<\s*form\b[^>]*\baction\b",
    ),
    (
        "messages to other windows",
        r"\bpostMessage\b|\bBroadcastChannel\b|\bwindow\s*\.\s*opener\b",
    ),
    (
        "other windows and pages",
        r"\bwindow\s*\.\s*open\b|\blocation\s*(?:\.\s*[a-z]|=[^=])|\bhistory\s*\.\s*(?:push|replace)State\b",
    ),
    (
        "the camera, the position or the clipboard",
        r"\bnavigator\s*(?:\.\s*[a-z]|\[|\?\.)",
    ),
    (
        "styles from elsewhere",
        r"(?i)@import\b|\bexpression\s*\(|\bbehavior\s*:|-moz-binding",
    ),
    ("plugins of the stylesheet", r"@(?:plugin|config|source)\b"),
    (
        "server actions",
        r"[`'\x22]use server[`'\x22]|[`'\x22]server-only[`'\x22]",
    ),
    (
        "global definitions",
        r"\b(?:Object|Reflect)\s*\.\s*(?:defineProperty|setPrototypeOf|assign)\b|__proto__|\.\s*prototype\b",
    ),
    ("a debugger", r"\bdebugger\b"),
    (
        "decorators of the compiler",
        r"@ts-(?:nocheck|ignore)|eslint-disable|@jsx(?:ImportSource|Runtime)?\b",
    ),
    ("an event that is listened to", r"\baddEventListener\s*\("),
    ("custom elements", r"\bcustomElements\b|\battachShadow\b"),
    ("a proxy of other code", r"\bnew\s+Proxy\b"),
    // `["const" + "ructor"]`: nobody puts a name together from two texts but to hide it.
    ("escaped names", r"\[[^\]\n]*[`'\x22]\s*\+\s*[`'\x22]"),
    (
        "escaped names",
        r"\\u\{?[0-9a-fA-F]{2,}|\\x[0-9a-fA-F]{2}|\batob\s*\(|\bfromCharCode\b",
    ),
    ("files or programs", r"\b__dirname\b|\b__filename\b"),
    // Letters and signs of addresses, which nobody writes so.
    (
        "escaped names",
        r"(?i)&#0*(?:9|10|13|4[0-9]|5[0-9]|6[1-9]|[789][0-9]|1[01][0-9]|12[0-2])(?:;|[^0-9;]|$)|&#x0*(?:[9ad]|2[89a-f]|3[0-9abdf]|[4-7][0-9a-f])(?:;|[^0-9a-f;]|$)",
    ),
    (
        "escaped names",
        r"&(?:sol|bsol|colon|period|Tab|NewLine|lpar|rpar|equals|quest);",
    ),
    (
        "macros of the build",
        r"\bimport\.meta\.(?:glob|hot)\b|\bdefineNuxtPlugin\b|\bdefineConfig\b",
    ),
];

static COMPILED: LazyLock<Vec<(&'static str, Regex)>> = LazyLock::new(|| {
    let compiled = MARKS
        .iter()
        .map(|(what, pattern)| Regex::new(pattern).map(|pattern| (*what, pattern)));
    compiled.filter_map(Result::ok).collect()
});

/// Where a module is named.
static MODULES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?:\bfrom\s*|\bimport\s*|\bimport\s*\(\s*|\brequire\s*\(\s*|@import\s+(?:url\()?|@use\s+|@forward\s+)["'`]([^"'`]*)["'`]"#).ok()
});

/// Addresses with a host, also without a scheme.
static HOSTS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i)(?:\b[a-z][a-z0-9+.-]{1,12}:)?(?://|\\\\)([a-z0-9\[][a-z0-9.:\-\[\]]*)"#).ok());

/// What the new text can do and the old one cannot, in words for people; `None` when nothing is new.
pub(super) fn new_capability(old: &str, new: &str) -> Option<String> {
    let marks = COMPILED.iter().find_map(|(what, pattern)| {
        let more = more_than(&counted(pattern, old), &counted(pattern, new))?;
        Some(format!("{what} (`{}`)", short(&more)))
    });
    if let Some(found) = marks {
        return Some(found);
    }
    let modules = |text: &str| captures(&MODULES, text);
    if let Some(module) = modules(new)
        .into_keys()
        .find(|module| is_package(module) && !modules(old).contains_key(module))
    {
        return Some(format!("the package or module `{}`", short(&module)));
    }
    let hosts = |text: &str| captures(&HOSTS, text);
    let known = hosts(old);
    let strange = hosts(new)
        .into_keys()
        .find(|host| !known.contains_key(host) && host != "www.w3.org");
    strange.map(|host| format!("the host `{}`", short(&host)))
}

/// A module that is no file of the project's own.
fn is_package(name: &str) -> bool {
    !(name.starts_with("./") || name.starts_with("../") || name.starts_with("@/") || name.starts_with("~/"))
        || name.contains("node_modules")
        || name.contains(':')
        || name.contains('?')
}

fn counted(pattern: &Regex, text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for found in pattern.find_iter(text) {
        *counts.entry(found.as_str().to_owned()).or_default() += 1;
    }
    counts
}

/// The first that is there more often than before.
fn more_than(old: &BTreeMap<String, usize>, new: &BTreeMap<String, usize>) -> Option<String> {
    let more =
        |(found, count): (&String, &usize)| (*count > old.get(found).copied().unwrap_or(0)).then(|| found.clone());
    new.iter().find_map(more)
}

fn captures(pattern: &LazyLock<Option<Regex>>, text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let Some(pattern) = &**pattern else { return counts };
    for found in pattern.captures_iter(text) {
        if let Some(name) = found.get(1) {
            *counts.entry(name.as_str().to_ascii_lowercase()).or_default() += 1;
        }
    }
    counts
}

fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "import { Card } from './Card';\nimport React from 'react';\nexport const App = () => <Card href=\"https://a.example/x\">Hi</Card>;\n";

    #[test]
    fn every_pattern_is_one() {
        assert_eq!(COMPILED.len(), MARKS.len());
        assert!(MODULES.is_some() && HOSTS.is_some());
    }

    #[test]
    fn what_a_file_could_not_do_before_is_named() {
        for added in [
            "fetch('/x')",
            "eval(a)",
            "process.env.KEY",
            "import.meta.env.VITE_KEY",
            "localStorage.x",
            "document.cookie",
            "<div dangerouslySetInnerHTML={{ __html: a }} />",
            "<p v-html=\"a\" />",
            "<script>1</script>",
            "<iframe src=\"/x\" />",
            "<img src=x onerror=\"a()\" />",
            "<a href=\"javascript:a()\">x</a>",
            "import a from 'left-pad';",
            "import 'left-pad';",
            "import fs from 'node:fs';",
            "import('./x')",
            "require('./x')",
            "<img src=\"https://b.example/x.png\" />",
            "<img src=\"//b.example/x.png\" />",
            "new Function('a')",
            "<p>{a.constructor.call(0, b)()}</p>",
            "<p>{a['con' + 'structor'](b)()}</p>",
            "window['fe' + 'tch']('/x')",
            "navigator.sendBeacon('/x', a)",
            "location = '/x'",
            "import raw from './.env?raw';",
            "<img src=\"https:&#47;&#x2F;b.example/x.png\" />",
            "<a href=\"java&#115;cript&colon;a()\">x</a>",
        ] {
            let new = format!("{OLD}{added}\n");
            assert!(new_capability(OLD, &new).is_some(), "{added}");
        }
    }

    #[test]
    fn plain_changes_of_a_page_are_nothing_new() {
        for new in [
            OLD.replace("Hi", "Hello, this is a test of everything"),
            OLD.replace("<Card href", "<Card className=\"p-4\" style={{ color: 'red' }} href"),
            OLD.replace("a.example/x", "a.example/other"),
            OLD.replace("Hi", "We fetch it and process. Our prototype caches this location."),
            OLD.replace("Hi", "It&#39;s &#123;x&#125; &amp; &#8217;"),
            OLD.replace("Hi", "<Link to=\"/a\">x</Link>"),
            OLD.replace("./Card", "./cards/Card"),
            OLD.replace(
                "Hi",
                "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\" /></svg>",
            ),
            format!("import {{ Menu }} from '../Menu';\n{OLD}"),
            OLD.replace(">Hi<", " onClick={() => setOpen(true)}>Hi<"),
        ] {
            assert_eq!(new_capability(OLD, &new), None, "{new}");
        }
        let with = format!("{OLD}fetch('/a')\n");
        assert_eq!(
            new_capability(&with, &with.replace("Hi", "Ho")),
            None,
            "it could before"
        );
        assert!(
            new_capability(&with, &format!("{with}fetch('/b')\n")).is_some(),
            "once more is new"
        );
    }
}
