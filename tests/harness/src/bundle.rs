//! Well-formed bundles: gzipped tars as `tar czf` makes them.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Files of a prototype.
#[derive(Debug, Clone, Default)]
pub struct Bundle {
    files: Vec<(String, Vec<u8>)>,
    dotted: bool,
}

impl Bundle {
    /// No files.
    pub fn empty() -> Bundle {
        Bundle::default()
    }

    /// One page.
    pub fn page(html: &str) -> Bundle {
        Bundle::empty().file("index.html", html)
    }

    /// A small prototype: a page that says `title`, with a script, a style and an image.
    pub fn sample(title: &str) -> Bundle {
        let page = format!(
            "<!doctype html><html><head><title>{title}</title><link rel=\"stylesheet\" href=\"/assets/app-d41d8cd9.css\">\
             </head><body><h1>{title}</h1><img src=\"/logo.svg\"><script src=\"/assets/app-5f4dcc3b.js\"></script></body></html>"
        );
        Bundle::page(&page)
            .file("assets/app-5f4dcc3b.js", "document.title += ' (ran)';\n")
            .file("assets/app-d41d8cd9.css", "body { color: black }\n")
            .file(
                "logo.svg",
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\"/>",
            )
    }

    /// Adds a file.
    pub fn file(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Bundle {
        self.files.push((path.into(), bytes.into()));
        self
    }

    /// Writes the paths as `./index.html`, and the folders too, as `tar czf x.tgz .` does.
    pub fn dotted(mut self) -> Bundle {
        self.dotted = true;
        self
    }

    /// The tar.
    pub fn tar(&self) -> Vec<u8> {
        let mut tar = tar::Builder::new(Vec::new());
        let mut folders = std::collections::BTreeSet::from([String::new()]);
        for (path, bytes) in &self.files {
            let mut header = tar::Header::new_ustar();
            header.set_mode(0o644);
            if self.dotted {
                folders.extend(path.match_indices('/').map(|(at, _)| path[..=at].to_owned()));
            }
            header.set_size(bytes.len() as u64);
            let path = if self.dotted { format!("./{path}") } else { path.clone() };
            tar.append_data(&mut header, path, bytes.as_slice())
                .expect("memory does not fail");
        }
        for folder in folders.iter().filter(|_| self.dotted) {
            let mut header = tar::Header::new_ustar();
            header.set_entry_type(tar::EntryType::Directory);
            header.set_mode(0o755);
            header.set_size(0);
            tar.append_data(&mut header, format!("./{folder}"), std::io::empty())
                .expect("memory does not fail");
        }
        tar.into_inner().expect("memory does not fail")
    }

    /// The gzipped tar.
    pub fn build(&self) -> Vec<u8> {
        gzip(&self.tar())
    }
}

/// Compresses bytes as one gzip member.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory does not fail");
    encoder.finish().expect("memory does not fail")
}
