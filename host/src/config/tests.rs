//! The rules of the configuration, variable by variable.

use super::*;

fn parse(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let variables = variables.iter().map(|(name, value)| ((*name).into(), (*value).into()));
    Config::parse(variables, "/opt/galley".into())
}

fn error(variables: &[(&str, &str)]) -> String {
    parse(variables).unwrap_err().to_string()
}

#[test]
fn an_empty_environment_is_fine() {
    let config = parse(&[]).unwrap();
    assert_eq!(config.public_url, "http://127.0.0.1:4310");
    assert_eq!(config.plugins_dir, PathBuf::from("/opt/galley/plugins"));
    assert_eq!(config.project_url("demo"), "http://127.0.0.1:4310/p/demo/");
    assert!(!config.secure_cookies() && config.warnings.is_empty());
}

#[test]
fn the_parser_reads_exactly_the_listed_variables() {
    let mut source = Source::new([]).unwrap();
    Config::read(&mut source, Path::new("/opt/galley")).unwrap();
    let listed = variables::SECTIONS.iter().flat_map(|section| section.variables);
    let listed: std::collections::BTreeSet<&str> = listed.map(|variable| variable.name).collect();
    assert_eq!(source.asked(), &listed, "see config/variables.rs");
}

#[test]
fn the_public_url_follows_the_bound_port_unless_it_is_set() {
    let mut config = parse(&[("SERVICE_LISTEN", "127.0.0.1:0")]).unwrap();
    config.bound_to("127.0.0.1:5000".parse().unwrap());
    assert_eq!(config.public_url, "http://127.0.0.1:5000");
    let mut config = parse(&[("SERVICE_PUBLIC_URL", "https://r.example.org")]).unwrap();
    config.bound_to("127.0.0.1:5000".parse().unwrap());
    assert_eq!(config.public_url, "https://r.example.org");
    assert!(config.secure_cookies());
}

#[test]
fn a_bad_profile_is_named() {
    assert!(parse(&[("SERVICE_PROFILE", "selfhost")]).is_ok());
    assert!(error(&[("SERVICE_PROFILE", "cloud")]).contains("`cloud`"));
}

#[test]
fn the_admin_token_has_rules_and_is_never_shown() {
    assert!(error(&[("SERVICE_ADMIN_TOKEN", "short")]).contains("16 characters"));
    let marked = error(&[("SERVICE_ADMIN_TOKEN", "tok_0123456789abcdef")]);
    assert!(marked.contains("tok_") && !marked.contains("0123456789"));
    for odd in ["0123456789abcdef ", "0123456789 abcdef", "0123456789abcdéf"] {
        assert!(
            error(&[("SERVICE_ADMIN_TOKEN", odd)]).contains("visible ASCII"),
            "{odd}"
        );
    }
    let config = parse(&[("SERVICE_ADMIN_TOKEN", "0123456789abcdef")]).unwrap();
    assert!(!format!("{config:?}").contains("0123456789"));
}

#[test]
fn groups_are_all_or_nothing() {
    let text = error(&[("SERVICE_CODEHOST_CLIENT_ID", "x")]);
    assert!(
        text.contains("SERVICE_CODEHOST_CLIENT_SECRET") && text.contains("sign-in"),
        "{text}"
    );
    let text = error(&[("SERVICE_REPO_APP_ID", "1"), ("SERVICE_REPO_APP_SLUG", "a")]);
    assert!(
        text.contains("SERVICE_REPO_APP_PRIVATE_KEY") && text.contains("repositories"),
        "{text}"
    );
    let text = error(&[("SERVICE_SMTP_PASS", "hidden-value")]);
    assert!(
        text.contains("SERVICE_SMTP_HOST") && text.contains("SMTP") && !text.contains("hidden-value"),
        "{text}"
    );
}

#[test]
fn smtp_without_encryption_is_for_loopback() {
    let smtp = |host: &'static str, tls: &'static str| {
        parse(&[
            ("SERVICE_SMTP_HOST", host),
            ("SERVICE_SMTP_PORT", "25"),
            ("SERVICE_SMTP_USER", "u"),
            ("SERVICE_SMTP_PASS", "p"),
            ("SERVICE_SMTP_FROM", "g@x.org"),
            ("SERVICE_SMTP_TLS", tls),
        ])
    };
    assert_eq!(smtp("127.0.0.1", "none").unwrap().smtp.unwrap().tls, SmtpTls::None);
    assert!(smtp("mail.x.org", "none").is_err() && smtp("mail.x.org", "ssl").is_err());
}

#[test]
fn the_sender_of_mail_is_an_address() {
    let from = |from: &'static str| {
        let group = [
            ("HOST", "x.org"),
            ("PORT", "25"),
            ("USER", "u"),
            ("PASS", "p"),
            ("FROM", from),
        ];
        let group = group.map(|(name, value)| (format!("SERVICE_SMTP_{name}"), value));
        let group: Vec<(&str, &str)> = group.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        parse(&group)
    };
    assert!(from("Galley, reviews <g@x.org>").is_err() && from("g@x.org\nBcc: a@x.org").is_err());
    assert!(from("Galley <g@x.org>").is_ok() && from("g@x.org").is_ok());
}

#[test]
fn addresses_are_checked() {
    for url in [
        "review.example.org",
        "ftp://x.org",
        "https://x.org/path",
        "https://x.org/?q",
        "https://u@x.org",
        "https://x.org/",
    ] {
        assert!(
            error(&[("SERVICE_PUBLIC_URL", url)]).contains("SERVICE_PUBLIC_URL"),
            "{url}"
        );
    }
    for domain in ["https://x.org", "x.org/p", "u@x.org", "127.0.0.1", "*.x.org", "x.*"] {
        assert!(
            error(&[("SERVICE_SERVE_DOMAIN", domain)]).contains("SERVICE_SERVE_DOMAIN"),
            "{domain}"
        );
    }
    let config = parse(&[("SERVICE_SERVE_DOMAIN", "proto.localhost:4310")]).unwrap();
    assert_eq!(config.project_url("demo"), "http://demo.proto.localhost:4310/");
    assert!(error(&[("SERVICE_LISTEN", "4310")]).contains("SERVICE_LISTEN"));
}

#[test]
fn lists_are_parsed() {
    let config = parse(&[
        ("SERVICE_ALLOWED_EMAIL_DOMAINS", " A.org, ,b.org"),
        ("SERVICE_TRUSTED_PROXIES", "10.0.0.0/8, ::1"),
    ])
    .unwrap();
    assert_eq!(config.allowed_email_domains, ["a.org", "b.org"]);
    assert_eq!(config.trusted_proxies.len(), 2);
    assert!(
        parse(&[("SERVICE_ALLOWED_EMAIL_DOMAINS", " , ")])
            .unwrap()
            .allowed_email_domains
            .is_empty()
    );
    assert!(error(&[("SERVICE_TRUSTED_PROXIES", "all")]).contains("`all`"));
}

#[test]
fn unknown_variables_are_mentioned_and_empty_ones_are_unset() {
    let config = parse(&[("SERVICE_LISTNE", "x"), ("SERVICE_PROFILE", " "), ("HOME", "/root")]).unwrap();
    assert_eq!(config.warnings.len(), 1);
    assert!(config.warnings[0].contains("SERVICE_LISTNE"));
}

#[test]
fn a_log_filter_names_levels_and_known_targets() {
    for filter in [
        "info",
        "WARN",
        "off",
        "3",
        "info,galley_host=debug",
        "galley_host=trace",
        "galley_host::http",
        "info,access",
        "warn,hyper=debug",
        "[request]=debug,info",
    ] {
        assert_eq!(parse(&[("SERVICE_LOG", filter)]).unwrap().log, filter);
    }
    for (filter, part) in [
        ("warning", "warning"),
        ("debgu,galley_host=info", "debgu"),
        ("info,hyper", "hyper"),
        ("galley", "galley"),
    ] {
        let said = error(&[("SERVICE_LOG", filter)]);
        assert!(said.contains(&format!("`{part}` is neither a level")), "{said}");
    }
}

#[test]
fn a_folder_of_plugins_that_is_not_there_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let warnings = |folder: &Path| {
        parse(&[("SERVICE_PLUGINS_DIR", folder.to_str().unwrap())])
            .unwrap()
            .warnings
    };
    assert!(warnings(folder.path()).is_empty());
    let missing = warnings(&folder.path().join("nowhere"));
    assert!(
        missing.len() == 1 && missing[0].contains("SERVICE_PLUGINS_DIR"),
        "{missing:?}"
    );
}

#[test]
fn the_file_of_the_authorities_holds_certificates() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap();
    for content in [
        "root:x:0:0:root:/root:/bin/sh\n",
        "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
    ] {
        std::fs::write(path, content).unwrap();
        let said = error(&[("SERVICE_OUTBOUND_CA", path)]);
        assert!(said.contains("SERVICE_OUTBOUND_CA") && said.contains(path), "{said}");
    }
    let pem = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n";
    std::fs::write(path, pem).unwrap();
    assert!(parse(&[("SERVICE_OUTBOUND_CA", path)]).is_ok());
}

#[test]
fn numbers_start_at_one() {
    assert!(error(&[("SERVICE_BUILD_PORTS", "80, 0")]).contains("`0`"));
    assert!(error(&[("SERVICE_BUILD_REQUIRE_CONFINEMENT", "yes")]).contains("`yes`"));
    let ports = parse(&[("SERVICE_BUILD_PORTS", " 8080,4873 ")]).unwrap().builds.ports;
    assert_eq!(ports, [8080, 4873]);
    assert!(error(&[("SERVICE_BUILD_CONCURRENCY", "-1")]).contains("SERVICE_BUILD_CONCURRENCY"));
    assert!(error(&[("SERVICE_BUILD_TIMEOUT_SECONDS", "soon")]).contains("whole number"));
}

#[test]
fn a_cluster_is_configured_as_a_whole_and_its_secrets_are_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let key = file("cluster.key", &"5a".repeat(32));
    let password = file("password", "quieter\n");
    let url = ("SERVICE_DATABASE_URL", "postgresql://ann:hush@db.example.org/galley");
    let key = ("SERVICE_CLUSTER_KEY_FILE", key.as_str());
    let objects = [
        ("SERVICE_OBJECTS_URL", "http://127.0.0.1:8333/galley"),
        ("SERVICE_OBJECTS_ACCESS_KEY_ID", "id"),
        ("SERVICE_OBJECTS_SECRET_ACCESS_KEY", "secret"),
    ];
    let with = |others: &[(&'static str, &str)]| parse(&[&objects[..], others].concat());
    let password = ("SERVICE_DATABASE_PASSWORD_FILE", password.as_str());
    let config = with(&[url, key, password]).unwrap();
    let shown = format!("{config:?}");
    assert!(
        !shown.contains("hush") && !shown.contains("quieter") && !shown.contains("5a5a"),
        "{shown}"
    );
    let cluster = config.cluster.unwrap();
    assert_eq!(cluster.database.shown(), "postgresql://db.example.org:5432/galley");
    assert!(
        config
            .warnings
            .iter()
            .any(|warning| warning.contains("sslmode=verify-full"))
    );
    for (half, missing) in [
        (with(&[url]), "SERVICE_CLUSTER_KEY_FILE is missing"),
        (with(&[key]), "SERVICE_DATABASE_URL is missing"),
        (with(&[password]), "SERVICE_DATABASE_URL is missing"),
        (parse(&[url, key]), "SERVICE_OBJECTS_URL is missing"),
    ] {
        let said = half.unwrap_err().to_string();
        assert!(
            said.contains(missing) && said.contains("\"cluster\"") && !said.contains("hush"),
            "{said}"
        );
    }
    let bad = with(&[key, ("SERVICE_DATABASE_URL", "postgresql://ann:hush@db:port/galley")]);
    let said = bad.unwrap_err().to_string();
    assert!(
        said.contains("postgresql://user:password@host:5432/name") && !said.contains("hush"),
        "{said}"
    );
    let bad = with(&[url, ("SERVICE_CLUSTER_KEY_FILE", "/nowhere")]);
    assert!(bad.unwrap_err().to_string().contains("/nowhere"));
    assert!(with(&[]).unwrap().cluster.is_none());
}
