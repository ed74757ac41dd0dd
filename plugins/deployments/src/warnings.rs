//! Files that somebody may not have meant to publish. Everybody who may see the prototype can fetch each of its files, so
//! the log names them.

use galley_sdk::sites::Tree;

/// Most files that are named for each kind.
const MAX_NAMED: usize = 3;
/// How many entries are asked for at a time.
const PAGE: u32 = 1_000;

/// A kind of file that is named.
struct Kind {
    /// What the line says of it.
    says: &'static str,
    is: fn(&str) -> bool,
}

const KINDS: [Kind; 4] = [
    Kind {
        says: "environment files, which often hold passwords and keys",
        is: |path| name(path).starts_with(".env"),
    },
    Kind {
        says: "files that look like private keys",
        is: is_key,
    },
    Kind {
        says: "a repository's history (.git)",
        is: |path| path.split('/').rev().skip(1).any(|folder| folder == ".git"),
    },
    Kind {
        says: "source maps, which show the original source",
        is: |path| name(path).to_ascii_lowercase().ends_with(".map"),
    },
];

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

fn is_key(path: &str) -> bool {
    let name = name(path).to_ascii_lowercase();
    let endings = [".pem", ".key", ".p12", ".pfx"];
    matches!(name.as_str(), "id_rsa" | "id_dsa" | "id_ecdsa" | "id_ed25519")
        || endings.iter().any(|ending| name.ends_with(ending))
}

/// One line that starts with `Warning:` for each kind; empty when there is nothing to warn of.
pub(crate) fn of(tree: &Tree) -> String {
    let mut found: [Vec<String>; KINDS.len()] = Default::default();
    let mut counts = [0_usize; KINDS.len()];
    let mut after: Option<String> = None;
    loop {
        let entries = tree.entries(after.as_deref(), PAGE);
        for entry in &entries {
            for (at, kind) in KINDS.iter().enumerate() {
                if (kind.is)(&entry.path) {
                    counts[at] += 1;
                    if found[at].len() < MAX_NAMED {
                        found[at].push(entry.path.clone());
                    }
                }
            }
        }
        match entries.last() {
            Some(last) => after = Some(last.path.clone()),
            None => break,
        }
    }
    let mut warnings = String::new();
    for (at, kind) in KINDS.iter().enumerate().filter(|(at, _)| counts[*at] > 0) {
        let named = found[at].join(", ");
        let more = match counts[at] - found[at].len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        warnings += &format!(
            "Warning: everybody who may see the prototype can fetch {}: {named}{more}\n",
            kind.says
        );
    }
    warnings
}
