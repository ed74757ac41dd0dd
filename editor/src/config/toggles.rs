//! `lanes` and `hosts`: blocks of booleans by name. One mistake makes the whole block ignored, with a warning.

use super::Problem;
use super::key::Key;

/// `lanes`: kinds of edits that are off unless asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lanes {
    /// Detach a component.
    pub detach: bool,
    /// Swap a component, and pick icons.
    pub swap: bool,
}

/// Names of lanes.
const LANES: [&str; 2] = ["detach", "swap"];

pub(super) fn lanes(top: &Key<'_>) -> Result<Lanes, Problem> {
    let [detach, swap] = block(&top.get("lanes"), "lane", LANES, [false, false])?;
    Ok(Lanes { detach, swap })
}

/// `hosts`: dev servers the Editor may start by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hosts {
    on: [bool; HOSTS.len()],
}

/// Names of dev servers.
pub const HOSTS: [&str; 5] = ["vite", "nuxt", "react-router", "next", "astro"];

impl Default for Hosts {
    /// All but Astro, whose page files can only be looked at.
    fn default() -> Hosts {
        Hosts {
            on: [true, true, true, true, false],
        }
    }
}

impl Hosts {
    /// Whether the Editor may start the dev server of this name.
    #[must_use]
    pub fn allows(&self, id: &str) -> bool {
        HOSTS.iter().zip(self.on).any(|(name, on)| *name == id && on)
    }
}

pub(super) fn hosts(top: &Key<'_>) -> Result<Hosts, Problem> {
    let hosts = top.get("hosts");
    if !hosts.get("attach").is_missing() {
        return Err(hosts.get("attach").problem(format!(
            "is not a dev server; a running one is attached to with --attach URL. Names are {}",
            HOSTS.join(", ")
        )));
    }
    let on = block(&hosts, "dev server", HOSTS, Hosts::default().on)?;
    Ok(Hosts { on })
}

/// The values of a block, in the order of `names`.
fn block<const N: usize>(
    block: &Key<'_>,
    what: &str,
    names: [&str; N],
    mut values: [bool; N],
) -> Result<[bool; N], Problem> {
    if block.value().is_some_and(|value| !value.is_object()) {
        return Err(block.expected("an object"));
    }
    for (name, key) in block.entries() {
        let Some(index) = names.iter().position(|known| *known == name) else {
            return Err(key.problem(format!("is no {what}; names are {}", names.join(", "))));
        };
        values[index] = key.boolean()?.unwrap_or(values[index]);
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read_hosts(block: Value) -> Result<Hosts, Problem> {
        let file = json!({ "hosts": block });
        hosts(&Key::top(&file).unwrap())
    }

    #[test]
    fn hosts_are_on_but_astro() {
        let shipped = Hosts::default();
        let on: Vec<_> = HOSTS.iter().filter(|id| shipped.allows(id)).collect();
        assert_eq!(on, [&"vite", &"nuxt", &"react-router", &"next"]);
        let changed = read_hosts(json!({ "vite": false, "astro": true })).unwrap();
        assert!(!changed.allows("vite") && changed.allows("astro") && changed.allows("next"));
        assert!(!shipped.allows("attach"));
    }

    #[test]
    fn a_mistake_names_the_key_and_an_unknown_host_the_valid_ones() {
        let unknown = read_hosts(json!({ "webpack": true })).unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "`hosts.webpack` is no dev server; names are vite, nuxt, react-router, next, astro"
        );
        let attach = read_hosts(json!({ "attach": true })).unwrap_err();
        assert!(attach.to_string().contains("--attach URL"));
        assert_eq!(read_hosts(json!({ "next": "off" })).unwrap_err().key, "hosts.next");
        assert_eq!(read_hosts(json!([true])).unwrap_err().key, "hosts");
    }

    #[test]
    fn lanes_are_off_and_take_only_booleans() {
        let read = |block: Value| {
            let file = json!({ "lanes": block });
            lanes(&Key::top(&file).unwrap())
        };
        assert_eq!(read(json!({})), Ok(Lanes::default()));
        let swap = Lanes {
            detach: false,
            swap: true,
        };
        assert_eq!(read(json!({ "swap": true })), Ok(swap));
        assert_eq!(read(json!({ "detach": 1 })).unwrap_err().key, "lanes.detach");
        assert_eq!(read(json!({ "wrap": true })).unwrap_err().key, "lanes.wrap");
        assert_eq!(read(json!(null)).unwrap_err().key, "lanes");
    }
}
