//! Where an artifact came from: kept in `plugins.lock` and in the audit log, and shown. So no credentials are in it.

use url::Url;

/// Why an address with credentials is refused. It does not repeat the address.
pub const HAS_CREDENTIALS: &str = "the address has a name or a password in it, and where a plugin came from is kept and shown: \
                                   leave them out. Where they are needed, download the file with a program that keeps them \
                                   (such as `curl --netrc`) and give the file, or use a registry (oci://…), whose credentials \
                                   `docker login` keeps";

/// Whether a text is an address with a name or a password before its host. One that cannot be read and might have them counts,
/// too.
pub fn has_credentials(origin: &str) -> bool {
    match Url::parse(origin) {
        Ok(address) => !address.username().is_empty() || address.password().is_some(),
        Err(_) => origin.contains("://") && origin.contains('@'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_told_from_paths() {
        for origin in [
            "https://ann:pass@plugins.example/x.wasm",
            "https://ann@plugins.example/x.wasm",
            "https://:pass@plugins.example/x.wasm",
            " http://ann:pass@plugins.example/x.wasm",
            "https:ann:pass@plugins.example/x.wasm",
            "https:\\\\ann:pass@plugins.example/x.wasm",
            "https://ann:pa/ss@plugins.example/x.wasm",
            "https://ann:pass@[plugins.example/x.wasm",
            "ftp://ann:pass@plugins.example/x.wasm",
            "oci://ann:pass@plugins.example/x",
        ] {
            assert!(has_credentials(origin), "{origin}");
        }
        for origin in [
            "https://plugins.example/@team/x.wasm?at=a@b",
            "https://plugins.example:8443/x.wasm#ann:pass@x",
            "oci://plugins.example/x@sha256:00",
            "/home/ann@work/x.wasm",
            "ann:pass@work/x.wasm",
            "x.wasm",
            "",
        ] {
            assert!(!has_credentials(origin), "{origin}");
        }
    }
}
