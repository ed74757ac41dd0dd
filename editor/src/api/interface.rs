//! The interface's files, read from disk for each request: after a build a reload of the page is enough.

use std::fs;
use std::path::{Path, PathBuf};

use axum::body::Body;
use axum::response::Response;
use http::header;
use percent_encoding::percent_decode_str;

use super::app::{App, blocking};
use super::error::ApiError;

/// A file of the interface; its own addresses, which are no files, get the page.
pub(super) async fn file(app: &App, path: &str) -> Result<Response, ApiError> {
    let policy = policy(app);
    let (ui, path) = (app.parts.ui.clone(), path.to_owned());
    let (name, content) = blocking(move || find(&ui, &path)).await?;
    let kind = mime_guess::from_path(&name).first_or_octet_stream();
    let kind = match kind.type_() {
        mime_guess::mime::TEXT => format!("{kind}; charset=utf-8"),
        _ => kind.to_string(),
    };
    Response::builder()
        .header(header::CONTENT_TYPE, kind)
        .header(header::CONTENT_SECURITY_POLICY, policy)
        .body(Body::from(content))
        .map_err(|error| ApiError::internal(error.to_string()))
}

/// Nothing but its own files, and the prototype in a frame. Styles are set by script all over the interface.
fn policy(app: &App) -> String {
    let preview = &app.parts.preview_url;
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: {preview}; \
         font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-src {preview}; manifest-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

fn find(ui: &Path, path: &str) -> Result<(PathBuf, Vec<u8>), ApiError> {
    let missing = || ApiError::not_found("The interface has no such file");
    let path = percent_decode_str(path).decode_utf8().map_err(|_| missing())?;
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    if parts
        .iter()
        .any(|part| part.starts_with('.') || part.contains(['\\', '\0', ':']))
    {
        return Err(missing());
    }
    let unbuilt = || {
        ApiError::not_found(format!(
            "Editor UI bundle not found at {}: build it with npm run build:ui",
            ui.display()
        ))
    };
    let top = ui.canonicalize().map_err(|_| unbuilt())?;
    let asked: PathBuf = parts.iter().collect();
    let read = |name: &Path| {
        let real = top.join(name).canonicalize().ok()?;
        let inside = real.starts_with(&top) && real.is_file();
        inside.then(|| fs::read(real).ok()).flatten()
    };
    if !parts.is_empty()
        && let Some(content) = read(&asked)
    {
        return Ok((asked, content));
    }
    if asked.extension().is_some() {
        return Err(missing());
    }
    let page = PathBuf::from("index.html");
    let content = read(&page).ok_or_else(unbuilt)?;
    Ok((page, content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_interface_are_served() {
        let folder = tempfile::tempdir().unwrap();
        let ui = folder.path().join("ui");
        fs::create_dir_all(ui.join("assets")).unwrap();
        fs::write(folder.path().join("secret.txt"), "secret").unwrap();
        fs::write(ui.join("index.html"), "page").unwrap();
        fs::write(ui.join("assets/a b.js"), "script").unwrap();
        fs::write(ui.join(".env"), "secret").unwrap();
        std::os::unix::fs::symlink("../secret.txt", ui.join("link.txt")).unwrap();
        let read = |path: &str| find(&ui, path).map(|(_, content)| content);
        assert_eq!(read("/assets/a%20b.js"), Ok(b"script".to_vec()));
        for page in ["/", "/index.html", "/settings", "/assets", "/a/b/"] {
            assert_eq!(read(page), Ok(b"page".to_vec()), "{page}");
        }
        for path in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/assets/..%5c..%5csecret.txt",
            "/link.txt",
            "/.env",
            "/missing.js",
            "/%ff",
            "/a%00",
        ] {
            assert!(read(path).is_err(), "{path}");
        }
    }
}
