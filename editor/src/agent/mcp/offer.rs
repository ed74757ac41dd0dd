//! Tools of servers under the names a model knows them by, and which of them may be called without a question.

use std::collections::BTreeMap;

use super::client::Described;
use crate::config::servers::{DESIGN_TOOL, READ_ONLY};

/// A name may have so many characters.
const MAX_NAME: usize = 64;

/// A tool as a model is offered it.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The id of its server.
    pub server: String,
    /// The tool at its server.
    pub tool: Described,
}

/// How a call of a tool is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// It reads, by its name.
    Reads,
    /// The user is asked.
    Asks,
    /// The design tool only reads.
    Denied,
}

/// All tools by the names they are offered under. What stands in the names is up to the servers: names are made plain, and of
/// two that become the same the later one gets a number.
#[must_use]
pub fn offer<'t>(servers: impl IntoIterator<Item = (&'t str, &'t [Described])>) -> BTreeMap<String, Offer> {
    let mut offers = BTreeMap::new();
    for (server, tools) in servers {
        for tool in tools {
            let plain = |c: char| {
                if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') {
                    c
                } else {
                    '_'
                }
            };
            let whole: String = format!("mcp__{server}__{}", tool.name).chars().map(plain).collect();
            let mut name: String = whole.chars().take(MAX_NAME).collect();
            let mut number = 2;
            while offers.contains_key(&name) {
                let end = format!("_{number}");
                name = whole.chars().take(MAX_NAME - end.len()).collect::<String>() + &end;
                number += 1;
            }
            let offer = Offer {
                server: server.to_owned(),
                tool: tool.clone(),
            };
            offers.insert(name, offer);
        }
    }
    offers
}

impl Offer {
    /// Asked at each call: a server may have changed its mind about what a tool is called. `prefixes` are the design tool's.
    #[must_use]
    pub fn permission(&self, prefixes: &[String]) -> Permission {
        let begins = |prefix: &str| self.tool.name.starts_with(prefix);
        if self.server == DESIGN_TOOL {
            return if prefixes.iter().any(|prefix| begins(prefix)) {
                Permission::Reads
            } else {
                Permission::Denied
            };
        }
        if READ_ONLY.iter().any(|prefix| begins(prefix)) {
            Permission::Reads
        } else {
            Permission::Asks
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str) -> Described {
        Described {
            name: name.to_owned(),
            description: String::new(),
            schema: json!({ "type": "object" }),
        }
    }

    #[test]
    fn names_are_plain_short_and_different() {
        let long = "x".repeat(100);
        let tools = [tool("a.b"), tool("a b"), tool(&long), tool(&format!("{long}y"))];
        let offers = offer([("my files", tools.as_slice())]);
        assert_eq!(offers.len(), 4);
        assert_eq!(offers["mcp__my_files__a_b"].tool.name, "a.b");
        assert_eq!(offers["mcp__my_files__a_b_2"].tool.name, "a b");
        assert!(offers.keys().all(|name| name.len() <= MAX_NAME));
    }

    #[test]
    fn the_design_tool_only_reads_and_others_ask() {
        let of = |server: &str, name: &str| Offer {
            server: server.to_owned(),
            tool: tool(name),
        };
        let prefixes = READ_ONLY.map(str::to_owned);
        for name in ["write_file", "getFile", "delete_get_", "create_directory"] {
            assert_eq!(
                of("design_tool", name).permission(&prefixes),
                Permission::Denied,
                "{name}"
            );
            assert_eq!(of("files", name).permission(&prefixes), Permission::Asks, "{name}");
        }
        for name in ["get_x", "list_x", "read_file", "search_files", "fetch_x", "find_x"] {
            assert_eq!(
                of("design_tool", name).permission(&prefixes),
                Permission::Reads,
                "{name}"
            );
        }
        let own = ["export_".to_owned()];
        assert_eq!(of("design_tool", "export_png").permission(&own), Permission::Reads);
        assert_eq!(of("design_tool", "get_x").permission(&own), Permission::Denied);
    }
}
