//! Applications as people make them: created by Vite, with two routes, an imported image, a public file, a background and
//! a chunk that is loaded when it is needed; and one that is built again and again from changed sources. Each is built once,
//! and kept under a name that changes with what it is made of.

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

/// Files that a test adds, or puts in the place of the template's own: path and text.
type Sources = &'static [(&'static str, &'static str)];

/// One application.
#[derive(Clone, Copy)]
pub struct App {
    template: &'static str,
    /// What it needs besides the template's packages.
    packages: &'static [&'static str],
    sources: Sources,
    builds: &'static [Build],
}

/// One way of building an application.
#[derive(Clone, Copy)]
pub struct Build {
    /// Names the build among those of its application.
    name: &'static str,
    /// For Vite.
    arguments: &'static [&'static str],
    /// Changed for this build, and left so for those behind it.
    changes: Sources,
}

/// It refers to its own files from the root of the host, which is Vite's default.
pub const ROOT: Build = Build {
    name: "root",
    arguments: &[],
    changes: &[],
};

/// From the page (`base: './'`), as the note in an upload's log advises.
pub const PAGE: Build = Build {
    name: "page",
    arguments: &["--base", "./"],
    changes: &[],
};

/// React with its usual router.
pub const REACT: App = App {
    template: "react-ts",
    packages: &["react-router-dom@7.18.5"],
    sources: &[
        ("src/main.tsx", include_str!("apps/react/main.tsx")),
        ("src/About.tsx", include_str!("apps/react/About.tsx")),
        ("src/app.css", include_str!("apps/app.css")),
        ("src/about.css", include_str!("apps/about.css")),
    ],
    builds: &[ROOT, PAGE],
};

/// Vue with its usual router.
pub const VUE: App = App {
    template: "vue-ts",
    packages: &["vue-router@5.5.1"],
    sources: &[
        ("src/main.ts", include_str!("apps/vue/main.ts")),
        ("src/App.vue", include_str!("apps/vue/App.vue")),
        ("src/Home.vue", include_str!("apps/vue/Home.vue")),
        ("src/About.vue", include_str!("apps/vue/About.vue")),
        ("src/app.css", include_str!("apps/app.css")),
        ("src/about.css", include_str!("apps/about.css")),
    ],
    builds: &[ROOT, PAGE],
};

/// A page that sells a shirt by its button `Buy now`.
pub const SHOP: App = App {
    template: "react-ts",
    packages: &[],
    sources: &[
        ("src/main.tsx", include_str!("apps/shop/main.tsx")),
        ("src/shop.module.css", include_str!("apps/shop/shop.module.css")),
    ],
    builds: &[FIRST, MOVED, GONE],
};

/// The button stands below the text.
pub const FIRST: Build = Build {
    name: "first",
    arguments: &[],
    changes: &[("src/Shirt.tsx", include_str!("apps/shop/First.tsx"))],
};

/// In a box of its own, with another class.
pub const MOVED: Build = Build {
    name: "moved",
    arguments: &[],
    changes: &[("src/Shirt.tsx", include_str!("apps/shop/Moved.tsx"))],
};

/// There is none.
pub const GONE: Build = Build {
    name: "gone",
    arguments: &[],
    changes: &[("src/Shirt.tsx", include_str!("apps/shop/Gone.tsx"))],
};

const BADGE: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"20\"><circle r=\"9\" cx=\"10\" cy=\"10\"/></svg>";

impl App {
    /// One of its builds, packed.
    pub fn bundle(&self, build: Build) -> Vec<u8> {
        fs::read(self.archive(build)).unwrap()
    }

    /// Where that lies.
    pub fn archive(&self, build: Build) -> PathBuf {
        static BUILDING: Mutex<()> = Mutex::new(());
        let _one = BUILDING.lock();
        let kept = paths::cache("apps").join(format!("{}-{}", self.template, self.digest()));
        if !kept.is_dir() {
            self.build(&kept);
        }
        build.archive(&kept)
    }

    fn digest(&self) -> String {
        let mut digest = Sha256::new();
        for part in [
            CREATE,
            self.template,
            BADGE,
            include_str!("apps.rs"),
            include_str!("image.rs"),
        ] {
            digest.update(part);
        }
        let changes = self.builds.iter().flat_map(|build| build.changes);
        for (path, text) in self.sources.iter().chain(changes) {
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
        node::npm(&app, &[&["install"], self.packages].concat());
        self.write_sources(&app);
        let draft: PathBuf = kept.with_extension("draft");
        let _ = fs::remove_dir_all(&draft);
        fs::create_dir_all(&draft).unwrap();
        for build in self.builds {
            write(&app, build.changes);
            node::npm(&app, &[&["run", "build", "--"], build.arguments].concat());
            pack(&app.join("dist"), &build.archive(&draft));
        }
        fs::rename(draft, kept).unwrap();
    }

    fn write_sources(&self, app: &Path) {
        for own in ["src", "public"] {
            fs::remove_dir_all(app.join(own)).unwrap();
            fs::create_dir(app.join(own)).unwrap();
        }
        write(app, self.sources);
        for (number, name) in (1..).zip(["photo", "back", "lazy"]) {
            fs::write(app.join(format!("src/{name}.png")), image::png(number)).unwrap();
        }
        for name in ["badge", "favicon"] {
            fs::write(app.join(format!("public/{name}.svg")), BADGE).unwrap();
        }
    }
}

impl Build {
    fn archive(self, folder: &Path) -> PathBuf {
        folder.join(self.name).with_extension("tgz")
    }
}

fn write(app: &Path, sources: Sources) {
    for (path, text) in sources {
        fs::write(app.join(path), text).unwrap();
    }
}

/// Packs an output folder as the README says.
fn pack(dist: &Path, archive: &Path) {
    let mut tar = Command::new("tar");
    tar.arg("czf").arg(archive).arg("-C").arg(dist).arg(".");
    node::finish(&mut tar, Duration::from_secs(60));
}
