//! Every variable of the server, once: the parser takes its defaults from here, warnings about unknown variables compare
//! with it, and `host/CONFIGURATION.md` is written from it (`GALLEY_WRITE_DOCS=1 cargo test -p galley-host --lib
//! configuration_page`).

/// One environment variable.
pub struct Variable {
    /// The variable's name, `SERVICE_…`.
    pub name: &'static str,
    /// What counts when it is unset.
    pub default: WhenUnset,
    /// Meaning, unit and bounds, as one cell of a Markdown table.
    pub doc: &'static str,
}

/// What counts when a variable is unset. An empty value counts as unset.
pub enum WhenUnset {
    /// The same as if this text had been set.
    Value(&'static str),
    /// No value; the text says what that means.
    Means(&'static str),
}

/// Variables that belong together on the page.
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// A sentence below the heading; may be empty.
    pub about: &'static str,
    /// In the order of the page.
    pub variables: &'static [Variable],
}

const fn value(name: &'static str, default: &'static str, doc: &'static str) -> Variable {
    Variable {
        name,
        default: WhenUnset::Value(default),
        doc,
    }
}

const fn unset(name: &'static str, default: &'static str, doc: &'static str) -> Variable {
    Variable {
        name,
        default: WhenUnset::Means(default),
        doc,
    }
}

/// All variables.
pub const SECTIONS: &[Section] = &[
    Section {
        title: "Addresses and folders",
        about: "",
        variables: &[
            value(
                "SERVICE_LISTEN",
                "127.0.0.1:4310",
                "Address and port to listen on. Port 0 picks a free port.",
            ),
            unset(
                "SERVICE_PUBLIC_URL",
                "`http://` + the listen address",
                "The address that browsers use: scheme, host and port, without a path or a trailing slash. It must start with \
                 `https://` when browsers reach the server over HTTPS.",
            ),
            unset(
                "SERVICE_SERVE_DOMAIN",
                "prototypes at `/p/<slug>/`",
                "Own-origin mode: prototypes are served at `<slug>.<domain>`. A host with an optional port; needs wildcard DNS.",
            ),
            value(
                "SERVICE_DATA_DIR",
                "galley-data",
                "The folder of all data, relative to the working folder. One server uses it at a time.",
            ),
            unset(
                "SERVICE_PLUGINS_DIR",
                "`plugins/` beside the program",
                "The folder of the plugins' components (`*.wasm`).",
            ),
            unset(
                "SERVICE_DASHBOARD_DIR",
                "`dashboard/` beside the program",
                "The folder of the prebuilt pages, with a `manifest.json` of their names and hashes. Pages that do not fit it are not \
                 served: `/` is a plain list then.",
            ),
            unset(
                "SERVICE_BRIDGE_BUNDLE",
                "`dist/bridge-bundle.js` beside the program",
                "The file of the script that is added to served prototypes.",
            ),
            unset("SERVICE_PROFILE", "unset", "Only `selfhost` is valid."),
            unset(
                "SERVICE_TRUSTED_PROXIES",
                "no proxy is trusted",
                "Networks whose `X-Forwarded-For` is believed, comma-separated: `10.0.0.0/8, ::1`.",
            ),
            value(
                "SERVICE_MAX_CONNECTIONS_PER_PEER",
                "256",
                "How many connections one IPv4 address or IPv6 /64 network may hold open, from 1. Trusted proxies, 127.0.0.1 and \
                 ::1 are exempt.",
            ),
        ],
    },
    Section {
        title: "Sign-in",
        about: "",
        variables: &[
            unset(
                "SERVICE_ADMIN_TOKEN",
                "no admin bearer",
                "A bearer token with all rights. At least 16 characters of visible ASCII, not starting with `tok_`.",
            ),
            unset(
                "SERVICE_ALLOWED_EMAIL_DOMAINS",
                "none",
                "Domains whose addresses are admitted, comma-separated. They become domain rules once, on the first boot.",
            ),
            unset(
                "SERVICE_CODEHOST_CLIENT_ID",
                "no sign-in by the code host",
                "Client id of the code host's app. Group \"sign-in\": set both variables or neither.",
            ),
            unset(
                "SERVICE_CODEHOST_CLIENT_SECRET",
                "no sign-in by the code host",
                "Client secret of the code host's app. Group \"sign-in\".",
            ),
        ],
    },
    Section {
        title: "Code host",
        about: "[OPERATING.md](OPERATING.md#the-code-host) says how to set up its side.",
        variables: &[
            value(
                "SERVICE_CODEHOST_URL",
                "https://github.com",
                "The code host's pages. Any host with GitHub's API works.",
            ),
            value(
                "SERVICE_CODEHOST_API_URL",
                "https://api.github.com",
                "The code host's API; may have a path.",
            ),
            unset(
                "SERVICE_REPO_APP_ID",
                "no repositories",
                "Id of the app that reads repositories. Group \"repositories\": set all three variables or none.",
            ),
            unset(
                "SERVICE_REPO_APP_PRIVATE_KEY",
                "no repositories",
                "The app's private key: PEM text (`\\n` counts as a line break), or the path of a PEM file. Group \"repositories\".",
            ),
            unset(
                "SERVICE_REPO_APP_SLUG",
                "no repositories",
                "The app's name in the code host's addresses. Group \"repositories\".",
            ),
            unset(
                "SERVICE_REPO_APP_WEBHOOK_SECRET",
                "the code host's deliveries are answered with 503",
                "The secret that the code host signs its deliveries with.",
            ),
        ],
    },
    Section {
        title: "Builds",
        about: "Behind a proxy of your network, start the server with `HTTP_PROXY`, `HTTPS_PROXY` (or `ALL_PROXY`) and `NO_PROXY`: it asks the code host, clones and builds through them ([OPERATING.md](OPERATING.md#behind-a-proxy)).",
        variables: &[
            value(
                "SERVICE_BUILD_TIMEOUT_SECONDS",
                "900",
                "How long a build may take, in seconds, from 1.",
            ),
            value(
                "SERVICE_BUILD_CONCURRENCY",
                "1",
                "How many builds run at the same time on this server. With `0` it builds nothing: the other servers of its cluster do.",
            ),
            unset(
                "SERVICE_BUILD_USER",
                "the server's user",
                "The user that the commands of builds run as, by name or number. Needs a server that runs as root.",
            ),
            unset(
                "SERVICE_BUILD_PORTS",
                "none",
                "TCP ports of other machines that builds may connect to, besides 22, 80, 443 and the code host's. Comma-separated: `8080, 4873`.",
            ),
            value(
                "SERVICE_BUILD_REQUIRE_CONFINEMENT",
                "0",
                "With `1`, builds fail where the kernel cannot confine them as a whole.",
            ),
            value(
                "SERVICE_BUILD_MEMORY_MB",
                "4096",
                "The memory of all processes of a build together, in MiB, from 1.",
            ),
            value(
                "SERVICE_BUILD_DISK_MB",
                "4096",
                "The size of a build's folder, in MiB, from 1.",
            ),
            value(
                "SERVICE_DISK_RESERVE_MB",
                "1024",
                "Free disk space that stays for the databases, in MiB, from 1. With less than that, no build starts, a build that runs is stopped, and uploads are refused with a 507.",
            ),
        ],
    },
    Section {
        title: "Hosts that plugins call",
        about: "A plugin calls the hosts of its manifest that the operator approved, by HTTPS and at public addresses only. These variables are for hosts of your own network.",
        variables: &[
            unset(
                "SERVICE_OUTBOUND_HOSTS",
                "none",
                "Where hosts of your own network are: `api.intranet.example=10.0.0.7, wiki.intranet.example=10.0.0.8:8443`. Their addresses may be private.",
            ),
            unset(
                "SERVICE_OUTBOUND_CA",
                "the system's certificates",
                "A PEM file with certificates of your own authorities, which count besides the system's.",
            ),
        ],
    },
    Section {
        title: "Object store",
        about: "Uploaded prototypes, blobs of plugins and logs that ended lie in the data folder, or in an S3-compatible store ([OPERATING.md](OPERATING.md#an-object-store)).",
        variables: &[
            unset(
                "SERVICE_OBJECTS_URL",
                "the data folder",
                "The address of a bucket, or of a folder in one: `http://127.0.0.1:8333/galley`, \
                 `https://s3.example.org/bucket/folder?region=eu-central-1`. Without a region it is `us-east-1`. Group \"objects\": \
                 set address and keys or none of them.",
            ),
            unset(
                "SERVICE_OBJECTS_ACCESS_KEY_ID",
                "the data folder",
                "The id of an access key that may read, write, list and delete there. Group \"objects\".",
            ),
            unset(
                "SERVICE_OBJECTS_SECRET_ACCESS_KEY",
                "the data folder",
                "The secret of the access key. Group \"objects\".",
            ),
            value(
                "SERVICE_OBJECTS_CACHE_MB",
                "4096",
                "How much of the store is kept in the data folder as well, in MiB, from 1. What was used last stays. Needs the \
                 group \"objects\".",
            ),
        ],
    },
    Section {
        title: "Many servers",
        about: "Several servers share a PostgreSQL and an object store. Without these variables one server keeps its data in files of \
                its data folder.",
        variables: &[
            unset(
                "SERVICE_DATABASE_URL",
                "files of the data folder",
                "The address of a PostgreSQL from version 15: `postgresql://galley:password@db.example.org:5432/galley`; several \
                 servers with commas between them, and `?target_session_attrs=read-write` behind. `sslmode=verify-full` encrypts and \
                 checks the certificate, `require` encrypts only, `prefer` encrypts where the database can. Group \"cluster\": set \
                 it with `SERVICE_OBJECTS_URL` and `SERVICE_CLUSTER_KEY_FILE`.",
            ),
            unset(
                "SERVICE_DATABASE_PASSWORD_FILE",
                "the password of the address",
                "A file with the password of the database's role, without which the address needs none. Needs the group \"cluster\".",
            ),
            unset(
                "SERVICE_DATABASE_CA",
                "the system's certificates",
                "A PEM file with the certificates of the authorities that the database's certificate is of. With it certificates are \
                 always checked. Needs the group \"cluster\".",
            ),
            unset(
                "SERVICE_CLUSTER_KEY_FILE",
                "keys of the data folder",
                "A file with 32 bytes or 64 hexadecimal digits, the same at every server (`openssl rand -hex 32`): what secrets in the \
                 database are sealed with. Keep a copy apart from the database. Group \"cluster\".",
            ),
            unset(
                "SERVICE_NODE_NAME",
                "the machine's name and the port",
                "What this server is called in `galley cluster status`, in the metrics, and to no users: 1 to 64 letters, digits and \
                 `.`, `:`, `_`, `-`, and no other server's name. Needs the group \"cluster\".",
            ),
        ],
    },
    Section {
        title: "Mail",
        about: "Without these variables an admin can set a mail server in the instance's settings.",
        variables: &[
            unset(
                "SERVICE_SMTP_HOST",
                "no mail server",
                "Name or address of the mail server. Group \"SMTP\": set host, port, user, password and sender, or none of them.",
            ),
            unset(
                "SERVICE_SMTP_PORT",
                "no mail server",
                "Its port, 1 to 65535. Group \"SMTP\".",
            ),
            unset("SERVICE_SMTP_USER", "no mail server", "User name. Group \"SMTP\"."),
            unset("SERVICE_SMTP_PASS", "no mail server", "Password. Group \"SMTP\"."),
            unset(
                "SERVICE_SMTP_FROM",
                "no mail server",
                "The sender: `Galley <review@example.org>`. Group \"SMTP\".",
            ),
            value(
                "SERVICE_SMTP_TLS",
                "starttls",
                "`starttls`, `tls` (encrypted from the start), or `none` (only for a mail server on this machine). Needs the \
                 group \"SMTP\".",
            ),
            unset(
                "SERVICE_UNSUBSCRIBE_SECRET",
                "mails have no unsubscribe link",
                "Signs unsubscribe links. Use a long random text.",
            ),
        ],
    },
    Section {
        title: "Logs and metrics",
        about: "",
        variables: &[
            unset(
                "SERVICE_METRICS_LISTEN",
                "off",
                "Address and port for Prometheus (`/metrics`). Keep it private.",
            ),
            unset(
                "SERVICE_OTLP_ENDPOINT",
                "off",
                "A collector of traces that speaks OTLP over HTTP, such as `http://127.0.0.1:4318`; spans go to `/v1/traces` below it. \
                 `OTEL_EXPORTER_OTLP_HEADERS` holds headers for it (`authorization=…`).",
            ),
            value(
                "SERVICE_OTLP_TRACES_PER_SECOND",
                "100",
                "The most traces that begin in a second; what comes beyond is not traced.",
            ),
            value(
                "SERVICE_LOG",
                "info",
                "The log's filter, such as `galley_host=debug` or `info,access=debug`. The link that makes the first account is in the log \
                 with every filter.",
            ),
            value(
                "SERVICE_LOG_FORMAT",
                "text",
                "`text`, or `json` for programs that read the log.",
            ),
        ],
    },
];

/// The variable of this name.
pub fn find(name: &str) -> Option<&'static Variable> {
    SECTIONS
        .iter()
        .flat_map(|section| section.variables)
        .find(|variable| variable.name == name)
}

/// All variables as a Markdown page: `host/CONFIGURATION.md`, and what `galley check-config --variables` prints.
pub fn page() -> String {
    let mut page = include_str!("page_head.txt").to_owned();
    for section in SECTIONS {
        page += &format!("\n## {}\n", section.title);
        if !section.about.is_empty() {
            page += &format!("{}\n", section.about);
        }
        page += "\n| variable | default | meaning |\n|---|---|---|\n";
        for Variable { name, default, doc } in section.variables {
            let default = match default {
                WhenUnset::Value(text) => format!("`{text}`"),
                WhenUnset::Means("unset") => "unset".to_owned(),
                WhenUnset::Means(meaning) => format!("unset: {meaning}"),
            };
            page += &format!("| `{name}` | {default} | {doc} |\n");
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_page_lists_every_variable() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("CONFIGURATION.md");
        if std::env::var_os("GALLEY_WRITE_DOCS").is_some() {
            std::fs::write(&path, page()).unwrap();
        }
        assert!(
            std::fs::read_to_string(&path).unwrap() == page(),
            "host/CONFIGURATION.md is stale: run `GALLEY_WRITE_DOCS=1 cargo test -p galley-host --lib configuration_page`"
        );
    }

    #[test]
    fn no_cell_breaks_the_table() {
        let variables = SECTIONS.iter().flat_map(|section| section.variables);
        for Variable { name, default, doc } in variables {
            let (WhenUnset::Value(default) | WhenUnset::Means(default)) = default;
            for text in [default, doc] {
                assert!(
                    !text.is_empty() && !text.contains(['|', '\n']) && !text.contains("  "),
                    "{name}: {text}"
                );
            }
        }
    }
}
