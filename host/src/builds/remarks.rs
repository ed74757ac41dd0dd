//! What a repository asks for that builds of this server do not do, said in the build's log before it is missed.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// How much of a file is looked at, in bytes.
const MAX_READ: u64 = 64 << 10;

/// Files that can name a proxy for a package manager, and the settings that do.
const PROXY_SETTINGS: [(&str, &[&str]); 3] = [
    (".npmrc", &["proxy", "https-proxy", "http-proxy"]),
    (".yarnrc", &["proxy", "https-proxy", "http-proxy"]),
    (".yarnrc.yml", &["httpProxy", "httpsProxy"]),
];

/// One sentence for each, for the files of a repository that was just cloned.
pub fn of(source: &Path) -> Vec<String> {
    let mut remarks = Vec::new();
    for (file, settings) in PROXY_SETTINGS {
        let text = read(&source.join(file));
        if let Some(setting) = text.lines().find_map(|line| set_here(line, settings)) {
            remarks.push(format!(
                "Note: {file} sets `{setting}`, which is not used: builds reach the network through the proxy of this server"
            ));
        }
    }
    if read(&source.join(".gitattributes")).contains("filter=lfs") {
        remarks.push(
            "Note: .gitattributes names Git LFS: its files are not fetched, and stay the small pointers that are in the \
             repository"
                .to_owned(),
        );
    }
    if read(&source.join(".gitmodules")).contains("[submodule") {
        remarks.push("Note: the repository has submodules, which are not fetched: their folders stay empty".to_owned());
    }
    remarks
}

/// The setting that a line gives a value, if it is one of these.
fn set_here<'a>(line: &str, settings: &[&'a str]) -> Option<&'a str> {
    let end = line.trim_start().find(['=', ':', ' ', '\t'])?;
    let (name, value) = line.trim_start().split_at(end);
    let value = value.trim_matches(['=', ':', ' ', '\t', '"', '\'', '\r']);
    let is_set = !["", "null", "false"].contains(&value);
    let name = name.trim_matches(['"', '\'']);
    settings.iter().copied().find(|setting| *setting == name && is_set)
}

/// The start of a regular file; nothing of a missing one, a link or anything else.
fn read(file: &Path) -> String {
    let mut bytes = Vec::new();
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    if let Ok(file) = File::options().read(true).custom_flags(flags).open(file)
        && file.metadata().is_ok_and(|found| found.is_file())
    {
        let _ = file.take(MAX_READ).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remarks(files: &[(&str, &str)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        of(folder.path()).join("\n")
    }

    #[test]
    fn a_proxy_of_the_repository_is_named_without_its_credential() {
        let secret = "http://user:secret@proxy.test:3128";
        for (file, text, setting) in [
            (
                ".npmrc",
                format!("registry=https://r.test\n  https-proxy = {secret}\n"),
                "`https-proxy`",
            ),
            (".yarnrc", format!("proxy \"{secret}\"\n"), "`proxy`"),
            (".yarnrc.yml", format!("httpProxy: '{secret}'\n"), "`httpProxy`"),
        ] {
            let said = remarks(&[(file, &text)]);
            assert!(said.contains(file) && said.contains(setting), "{said}");
            assert!(!said.contains("secret"), "{said}");
        }
        for (file, text) in [
            (".npmrc", "noproxy=a.test\n#proxy=x\nproxy=null\nproxy=\nfund=false\n"),
            (".yarnrc.yml", "nodeLinker: node-modules\n"),
        ] {
            assert_eq!(remarks(&[(file, text)]), "");
        }
    }

    #[test]
    fn what_is_not_fetched_is_said() {
        let said = remarks(&[
            (".gitattributes", "*.png filter=lfs diff=lfs merge=lfs -text\n"),
            (".gitmodules", "[submodule \"x\"]\n"),
        ]);
        assert!(said.contains("Git LFS") && said.contains("submodules"), "{said}");
    }

    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("x"), "proxy=y\n").unwrap();
        std::os::unix::fs::symlink(outside.path().join("x"), folder.path().join(".npmrc")).unwrap();
        assert!(of(folder.path()).is_empty());
    }
}
