//! Applications as people make them: created by Vite, with two routes, an imported image, a public file, a background and
//! a chunk that is loaded when it is needed. Built once, and kept under a name that changes with what they are made of.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use galley_tests::{node, paths};
use sha2::{Digest, Sha256};

use crate::image;

/// What makes them: the newest that runs on Node 20.19, fixed so that a release elsewhere fails no test here.
const CREATE: &str = "vite@9.3.0";

/// How an application refers to its own files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// From the root of the host, which is Vite's default.
    Root,
    /// From the page (`base: './'`), as the note in an upload's log advises.
    Page,
}

/// One application.
#[derive(Clone, Copy)]
pub struct App {
    template: &'static str,
    router: &'static str,
    /// What the test adds, or puts in the place of the template's own: path and text.
    sources: &'static [(&'static str, &'static str)],
}

/// React with its usual router.
pub const REACT: App = App {
    template: "react-ts",
    router: "react-router-dom@7.18.5",
    sources: &[
        ("src/main.tsx", include_str!("apps/react/main.tsx")),
        ("src/About.tsx", include_str!("apps/react/About.tsx")),
        ("src/app.css", include_str!("apps/app.css")),
        ("src/about.css", include_str!("apps/about.css")),
    ],
};

/// Vue with its usual router.
pub const VUE: App = App {
    template: "vue-ts",
    router: "vue-router@5.5.1",
    sources: &[
        ("src/main.ts", include_str!("apps/vue/main.ts")),
        ("src/App.vue", include_str!("apps/vue/App.vue")),
        ("src/Home.vue", include_str!("apps/vue/Home.vue")),
        ("src/About.vue", include_str!("apps/vue/About.vue")),
        ("src/app.css", include_str!("apps/app.css")),
        ("src/about.css", include_str!("apps/about.css")),
    ],
};

impl Base {
    fn archive(self) -> &'static str {
        match self {
            Base::Root => "root.tgz",
            Base::Page => "page.tgz",
        }
    }
}

const BADGE: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"20\"><circle r=\"9\" cx=\"10\" cy=\"10\"/></svg>";

impl App {
    /// The build, packed.
    pub fn bundle(&self, base: Base) -> Vec<u8> {
        static BUILDING: Mutex<()> = Mutex::new(());
        let _one = BUILDING.lock();
        let kept = paths::cache("apps").join(format!("{}-{}", self.template, self.digest()));
        if !kept.is_dir() {
            self.build(&kept);
        }
        fs::read(kept.join(base.archive())).unwrap()
    }

    fn digest(&self) -> String {
        let mut digest = Sha256::new();
        for part in [
            CREATE,
            self.template,
            self.router,
            BADGE,
            include_str!("apps.rs"),
            include_str!("image.rs"),
        ] {
            digest.update(part);
        }
        for (path, text) in self.sources {
            digest.update(path);
            digest.update(text);
        }
        data_encoding::HEXLOWER.encode(&digest.finalize()[..8])
    }

    fn build(&self, kept: &Path) {
        let folder = tempfile::tempdir().unwrap();
        node::npm(
            folder.path(),
            &[
                "create",
                "--yes",
                CREATE,
                "app",
                "--",
                "--template",
                self.template,
                "--no-interactive",
            ],
        );
        let app = folder.path().join("app");
        node::npm(&app, &["install", self.router]);
        self.write_sources(&app);
        let draft: PathBuf = kept.with_extension("draft");
        let _ = fs::remove_dir_all(&draft);
        fs::create_dir_all(&draft).unwrap();
        node::npm(&app, &["run", "build"]);
        pack(&app.join("dist"), &draft.join(Base::Root.archive()));
        node::npm(&app, &["exec", "--", "vite", "build", "--base", "./"]);
        pack(&app.join("dist"), &draft.join(Base::Page.archive()));
        fs::rename(draft, kept).unwrap();
    }

    fn write_sources(&self, app: &Path) {
        for own in ["src", "public"] {
            fs::remove_dir_all(app.join(own)).unwrap();
            fs::create_dir(app.join(own)).unwrap();
        }
        for (path, text) in self.sources {
            fs::write(app.join(path), text).unwrap();
        }
        for (number, name) in (1..).zip(["photo", "back", "lazy"]) {
            fs::write(app.join(format!("src/{name}.png")), image::png(number)).unwrap();
        }
        for name in ["badge", "favicon"] {
            fs::write(app.join(format!("public/{name}.svg")), BADGE).unwrap();
        }
    }
}

/// Packs an output folder as the README says.
fn pack(dist: &Path, archive: &Path) {
    let mut tar = Command::new("tar");
    tar.arg("czf").arg(archive).arg("-C").arg(dist).arg(".");
    node::finish(&mut tar, Duration::from_secs(60));
}
