//! Serving as a client sees it, on a store and a core in a temporary folder.

mod files;
mod origins;
mod pages;
mod referers;

use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, Method, StatusCode};
use http_body_util::BodyExt;

use super::*;
use crate::accounts::{Account, Actor, NewAccount, Role};
use crate::core::{Access, Project};
use crate::projects::{NewProject, SettingsChange, SiteVersion};
use crate::storage::id::new_id;
use crate::storage::sites::Limits;

const PAGE: &str = "<!doctype html><html><head><title>x</title></head><body><a href=/x>x</a></body></html>";
const BEARER: &str = "0123456789abcdef";

struct Fixture {
    sites: Sites,
    core: Arc<Core>,
    store: SiteStore,
    _folder: tempfile::TempDir,
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

async fn fixture(variables: &[(&str, &str)]) -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let mut variables: Vec<_> = variables
        .iter()
        .map(|(name, value)| ((*name).into(), (*value).into()))
        .collect();
    variables.push(("SERVICE_DATA_DIR".into(), folder.path().into()));
    variables.push(("SERVICE_ADMIN_TOKEN".into(), BEARER.into()));
    let config = Arc::new(Config::parse(variables, "/x".into()).unwrap());
    let core = Arc::new(Core::open(folder.path()).await.unwrap());
    let store = SiteStore::open(folder.path()).unwrap();
    let script = "console.log('bridge');\n".repeat(100);
    let sites = Sites::new(core.clone(), config, store.clone(), script.into()).unwrap();
    Fixture {
        sites,
        core,
        store,
        _folder: folder,
    }
}

async fn path_mode() -> Fixture {
    fixture(&[("SERVICE_PUBLIC_URL", "http://galley.test")]).await
}

async fn own_origin() -> Fixture {
    fixture(&[
        ("SERVICE_PUBLIC_URL", "https://galley.test"),
        ("SERVICE_SERVE_DOMAIN", "proto.test:8443"),
    ])
    .await
}

impl Fixture {
    async fn project(&self, slug: &str, access: Access) -> Arc<Project> {
        let change = SettingsChange {
            allow_public_links: Some(true),
            ..Default::default()
        };
        self.core.update_settings(&Actor::System, change).await.unwrap();
        let new = NewProject {
            slug: slug.into(),
            name: slug.into(),
            access,
            listed: None,
        };
        self.core.create_project(new).await.unwrap()
    }

    async fn publish(&self, project: &Project, files: &[(&str, &[u8])]) -> String {
        let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, path, *content).unwrap();
        }
        let body = archive.into_inner().unwrap().finish().unwrap();
        let limits = Limits {
            max_packed: 1 << 30,
            max_unpacked: 1 << 30,
            max_entries: 1000,
        };
        let mut unpacker = self.store.begin(limits).await.unwrap();
        unpacker.push(body.into()).await.unwrap();
        let tree = unpacker.finish().await.unwrap();
        let id = new_id();
        let info = self.store.commit(tree, &project.id, &id).unwrap();
        let version = SiteVersion {
            id: id.clone(),
            project_id: project.id.clone(),
            files: info.files,
            bytes: info.bytes,
            created_at: 0,
        };
        self.core.publish_version(version).await.unwrap();
        let site = self.store.site(&project.id, &id).unwrap();
        while !site.has_variants() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        id
    }

    /// A public site with these files, at `/p/shop/`.
    async fn shop(&self, files: &[(&str, &[u8])]) -> String {
        let project = self.project("shop", Access::PublicLink).await;
        self.publish(&project, files).await
    }

    async fn account(&self, email: &str, role: Role) -> (Account, String) {
        let new = NewAccount {
            email: email.into(),
            display_name: "A".into(),
            role,
        };
        let account = self.core.create_account(new).await.unwrap();
        let session = self.core.create_session(&account.id).await.unwrap();
        (account, session)
    }

    async fn ask(&self, method: &str, uri: &str, headers: &[(&str, &str)]) -> Option<Answer> {
        let request = request(method, uri, headers);
        read(self.sites.serve(&request).await?).await
    }

    async fn get(&self, uri: &str, headers: &[(&str, &str)]) -> Answer {
        self.ask("GET", uri, headers).await.expect("an answer")
    }

    async fn fallback(&self, uri: &str, headers: &[(&str, &str)]) -> Option<Answer> {
        let request = request("GET", uri, headers);
        read(self.sites.fallback(&request).await?).await
    }
}

fn request(method: &str, uri: &str, headers: &[(&str, &str)]) -> Request<()> {
    let mut request = Request::builder()
        .method(Method::from_bytes(method.as_bytes()).unwrap())
        .uri(uri);
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header("host", "galley.test");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(()).unwrap()
}

async fn read(response: Response<SiteBody>) -> Option<Answer> {
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes().to_vec();
    Some(Answer {
        status: parts.status,
        headers: parts.headers,
        body,
    })
}
