//! Servers behind a proxy of their network: builds and git go out through it, and its credential stays with the server.

use galley_tests::forward_proxy::{ForwardProxy, answering};
use galley_tests::prelude::*;
use galley_tests::socks_proxy::SocksProxy;
use galley_tests::tls_front::TlsFront;

use crate::studio::{COPY_PAGE, Studio};

const USER: &str = "galley";
const PASSWORD: &str = "s3cret-of-the-network";

/// Sends a request to a proxy and prints the answer: the proxy's address, then the request.
const ASK: &str = r#"ask() { node -e '
const proxy = new URL(process.argv[1]);
const socket = require("net").connect(+proxy.port, proxy.hostname);
socket.write(JSON.parse(`"${process.argv[2]}"`));
socket.on("data", (data) => process.stdout.write(data));
socket.on("error", (error) => { console.log(error.message); process.exit(); });
socket.on("end", () => process.exit());
setTimeout(() => process.exit(), 5000);' "$@"; echo; }
"#;

/// A studio whose server, code host included, reaches everything through a proxy.
fn behind(proxy: &ForwardProxy, command: &str) -> Studio {
    behind_with(proxy, PASSWORD, command)
}

fn behind_with(proxy: &ForwardProxy, password: &str, command: &str) -> Studio {
    let address = format!("http://{USER}:{password}@{}", proxy.address());
    let studio = Studio::with(command, |build| {
        build
            .env("SERVICE_CODEHOST_URL", "http://codehost.test")
            .env("SERVICE_CODEHOST_API_URL", "http://codehost.test/api/v3")
            .env("HTTP_PROXY", address.as_str())
            .env("https_proxy", address.as_str())
    });
    proxy.route("codehost.test:80", studio.host.address());
    studio
}

/// What stands in a log between two marks.
fn between<'l>(log: &'l str, from: &str, to: &str) -> &'l str {
    let said = log.split_once(&format!("\n{from}\n")).map(|(_, rest)| rest);
    said.and_then(|rest| rest.split_once(&format!("\n{to}\n")))
        .map_or("", |(said, _)| said)
}

#[test]
fn builds_and_git_go_out_through_the_proxy_of_the_network() {
    let proxy = ForwardProxy::start(USER, PASSWORD);
    let registry = answering("{\"hello\":\"registry\"}");
    proxy.route("packages.test:80", registry);
    proxy.route("packages.test:443", registry);
    let own = proxy.address();
    let command = format!(
        "{ASK}echo plain; ask $http_proxy 'GET http://packages.test/x HTTP/1.1\\r\\nHost: packages.test\\r\\n\\r\\n'
         echo tunnel; ask $https_proxy 'CONNECT packages.test:443 HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.1\\r\\n\\r\\n'
         echo unknown; ask $https_proxy 'CONNECT elsewhere.test:443 HTTP/1.1\\r\\n\\r\\n'
         echo here; ask $https_proxy 'CONNECT localhost:443 HTTP/1.1\\r\\n\\r\\n'
         echo itself; ask $https_proxy 'CONNECT {own} HTTP/1.1\\r\\n\\r\\n'
         echo repeat; ask $http_proxy 'TRACE http://packages.test/ HTTP/1.1\\r\\nMax-Forwards: 0\\r\\n\\r\\n'
         echo smuggle; ask $http_proxy 'GET http://packages.test/ HTTP/1.1\\r\\n\\r\\nGET http://smuggled.test/ HTTP/1.1\\r\\n\\r\\n'
         echo hunt; cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n'; grep -rs cret \"$HOME\" .git
         echo done
         {COPY_PAGE}"
    );
    let studio = behind(&proxy, "sh attempts.sh");
    studio.copy.write("attempts.sh", &command).push("main");
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    for (from, to, expected) in [
        ("plain", "tunnel", "{\"hello\":\"registry\"}"),
        ("tunnel", "unknown", "{\"hello\":\"registry\"}"),
        ("unknown", "here", "refuses elsewhere.test:443 (status 403)"),
        ("here", "itself", "localhost is this machine"),
        ("itself", "repeat", "403 Forbidden"),
        ("repeat", "smuggle", "TRACE is not forwarded"),
    ] {
        assert!(between(&log, from, to).contains(expected), "{from}: {expected}\n{log}");
    }
    assert!(
        between(&log, "hunt", "done").contains("http_proxy="),
        "the hunt found nothing at all\n{log}"
    );
    // Git cloned through it as well.
    let asked = proxy.requests();
    let lines: Vec<&str> = asked.iter().map(|request| request.line.as_str()).collect();
    let has = |part: &str| lines.iter().any(|line| line.contains(part));
    assert!(
        has("GET http://codehost.test:80/Octo-Org/Storefront.git/info/refs"),
        "{lines:#?}"
    );
    assert!(has("CONNECT packages.test:443"), "{lines:#?}");
    assert!(
        !has("smuggled.test") && !has("localhost") && !has(&own.to_string()),
        "{lines:#?}"
    );
    // The credential is the proxy's alone.
    let basic = data_encoding::BASE64.encode(format!("{USER}:{PASSWORD}").as_bytes());
    for request in &asked {
        assert_eq!(request.authorization, [format!("Basic {basic}")], "{request:?}");
    }
    for text in [&log, &studio.server.log()] {
        assert!(!text.contains(PASSWORD) && !text.contains(&basic), "{text}");
    }
}

/// Asks a registry by a plain request and through a tunnel, and a server that the proxy does not know.
fn asking() -> String {
    format!(
        "{ASK}echo plain; ask $http_proxy 'GET http://packages.test/x HTTP/1.1\\r\\nHost: packages.test\\r\\n\\r\\n'
         echo tunnel; ask $https_proxy 'CONNECT packages.test:443 HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.1\\r\\n\\r\\n'
         echo unknown; ask $https_proxy 'CONNECT elsewhere.test:443 HTTP/1.1\\r\\n\\r\\n'
         echo here; ask $https_proxy 'CONNECT localhost:443 HTTP/1.1\\r\\n\\r\\n'
         echo done; {COPY_PAGE}"
    )
}

/// A studio that reaches everything through the proxy at `address`; the answer is the log of its build.
fn built_through(
    address: &str,
    certificates: Option<&std::path::Path>,
    route: &dyn Fn(&str, std::net::SocketAddr),
) -> String {
    let registry = answering("{\"hello\":\"registry\"}");
    route("packages.test:80", registry);
    route("packages.test:443", registry);
    let studio = Studio::with("sh attempts.sh", |build| {
        let build = build
            .env("SERVICE_CODEHOST_URL", "http://codehost.test")
            .env("SERVICE_CODEHOST_API_URL", "http://codehost.test/api/v3")
            .env("ALL_PROXY", address);
        match certificates {
            Some(file) => build.env("SSL_CERT_FILE", file),
            None => build,
        }
    });
    route("codehost.test:80", studio.host.address());
    studio.copy.write("attempts.sh", &asking()).push("main");
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    for text in [&log, &studio.server.log()] {
        assert!(!text.contains(PASSWORD), "{text}");
    }
    log
}

#[test]
fn a_proxy_may_be_behind_tls() {
    let proxy = ForwardProxy::start(USER, PASSWORD);
    let front = TlsFront::before(proxy.address());
    let address = format!("https://{USER}:{PASSWORD}@{}", front.address());
    let route = |authority: &str, to| proxy.route(authority, to);
    let log = built_through(&address, Some(&front.authority()), &route);
    for (from, to, expected) in [
        ("plain", "tunnel", "{\"hello\":\"registry\"}"),
        ("tunnel", "unknown", "{\"hello\":\"registry\"}"),
        ("unknown", "here", "refuses elsewhere.test:443 (status 403)"),
        ("here", "done", "localhost is this machine"),
    ] {
        assert!(between(&log, from, to).contains(expected), "{from}: {expected}\n{log}");
    }
    let asked = proxy.requests();
    let has = |part: &str| asked.iter().any(|request| request.line.contains(part));
    assert!(
        has("/Octo-Org/Storefront.git/info/refs") && has("CONNECT packages.test:443") && !has("localhost"),
        "{asked:#?}"
    );
}

#[test]
fn a_proxy_may_speak_socks() {
    let proxy = SocksProxy::start(USER, PASSWORD);
    let address = format!("socks5h://{USER}:{PASSWORD}@{}", proxy.address());
    let log = built_through(&address, None, &|authority, to| proxy.route(authority, to));
    for (from, to, expected) in [
        ("plain", "tunnel", "{\"hello\":\"registry\"}"),
        ("tunnel", "unknown", "{\"hello\":\"registry\"}"),
        ("unknown", "here", "refuses the server (not allowed by its rules)"),
        ("here", "done", "localhost is this machine"),
    ] {
        assert!(between(&log, from, to).contains(expected), "{from}: {expected}\n{log}");
    }
    let asked = proxy.asked();
    for expected in [
        "codehost.test:80",
        "packages.test:80",
        "packages.test:443",
        "elsewhere.test:443",
    ] {
        assert!(
            asked.iter().any(|authority| authority == expected),
            "{expected} in {asked:?}"
        );
    }
    assert!(
        !asked.iter().any(|authority| authority.contains("localhost")),
        "{asked:?}"
    );
}

#[test]
fn a_proxy_that_refuses_the_credential_is_named_in_the_log() {
    let proxy = ForwardProxy::start(USER, "another");
    let command = format!("{ASK}ask $https_proxy 'CONNECT a.test:443 HTTP/1.1\\r\\n\\r\\n'; {COPY_PAGE}");
    let studio = Studio::with("sh attempts.sh", |build| {
        let address = format!("http://{USER}:{PASSWORD}@{}", proxy.address());
        build.env("HTTPS_PROXY", address).env("NO_PROXY", "127.0.0.0/8")
    });
    studio.copy.write("attempts.sh", &command).push("main");
    let (_, log) = studio.built();
    let expected = format!(
        "The proxy of the server's network, {}, refuses the credentials of HTTPS_PROXY (status 407)",
        proxy.address()
    );
    assert!(log.contains(&expected), "{log}");
    assert!(!log.contains(PASSWORD), "{log}");
    // What NO_PROXY names is reached directly: the code host, here.
    let asked = proxy.requests();
    assert!(asked.iter().all(|request| request.line.contains("a.test")), "{asked:?}");
}

#[test]
fn a_proxy_that_builds_cannot_use_is_said_at_boot_and_in_the_log() {
    let studio = Studio::with(COPY_PAGE, |build| {
        let address = format!("socks4://{USER}:{PASSWORD}@127.0.0.1:1080");
        build.env("HTTPS_PROXY", address)
    });
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    for text in [&log, &studio.server.log()] {
        assert!(
            text.contains("HTTPS_PROXY") && text.contains("is not a proxy that builds can go through"),
            "{text}"
        );
        assert!(!text.contains(PASSWORD), "{text}");
    }
}

#[test]
fn a_proxy_of_the_repository_is_not_used_and_the_log_says_so() {
    let proxy = ForwardProxy::start(USER, PASSWORD);
    proxy.route("packages.test:80", answering("{\"name\":\"left\",\"versions\":{}}"));
    let command = format!("npm ping --registry http://packages.test/ && {COPY_PAGE}");
    let studio = behind(&proxy, &command);
    let address = "http://somebody:their-secret@proxy.elsewhere.test:3128";
    studio
        .copy
        .write(
            ".npmrc",
            &format!("proxy={address}\nhttps-proxy={address}\nnoproxy=packages.test\n"),
        )
        .push("main");
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    assert!(
        log.contains(
            "Note: .npmrc sets `proxy`, which is not used: builds reach the network through the proxy of this server\n"
        ),
        "{log}"
    );
    assert!(!log.contains("their-secret"), "{log}");
}

#[test]
fn git_uses_https_for_ssh_and_says_what_to_do_for_other_hosts() {
    let proxy = ForwardProxy::start(USER, PASSWORD);
    let command = format!(
        "echo known; git ls-remote git@codehost.test:Octo-Org/Storefront.git
         git ls-remote ssh://git@codehost.test/Octo-Org/Storefront.git | sed 's/^/again /'
         echo other; git ls-remote ssh://git@elsewhere.test:2222/a/b.git
         echo done; {COPY_PAGE}"
    );
    let studio = behind(&proxy, &command);
    studio.host.state().make_public();
    let (deployment, log) = studio.built();
    assert_eq!(deployment["status"], "ready", "{log}");
    let commit = text(&deployment, "commitSha");
    let known = between(&log, "known", "other");
    assert!(known.contains(&format!("{commit}\trefs/heads/main")), "{log}");
    assert!(known.contains(&format!("again {commit}\trefs/heads/main")), "{log}");
    let other = between(&log, "other", "done");
    assert!(
        other.contains(
            "Builds of this server have no ssh key, so git cannot use ssh: name the repository by https instead"
        ),
        "{log}"
    );
}
