//! A class of the catalogue, and what its preview says.

use std::collections::HashMap;

/// A class.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CatalogEntry {
    /// As it is written in a class list.
    pub name: String,
    /// The file that declares it; `Tailwind` for its own names.
    pub from: String,
    /// A colour, or its declarations.
    pub preview: Option<String>,
}

/// Previews are for one line.
const MAX_PREVIEW: usize = 160;

/// A value with the variables of `:root` in their place, as far as they are known: shadcn's `hsl(var(--primary))` becomes a
/// colour one can see.
pub(super) fn resolved(value: &str, variables: &HashMap<String, String>) -> String {
    let mut value = value.to_owned();
    // A variable may name another; a ring of them ends here.
    for _ in 0..4 {
        let Some(start) = value.find("var(--") else { break };
        let Some(end) = value[start..].find(')') else { break };
        let name = value[start + 4..start + end]
            .split(',')
            .next()
            .unwrap_or_default()
            .trim();
        let Some(known) = variables.get(name).filter(|known| known.len() < MAX_PREVIEW) else {
            break;
        };
        value.replace_range(start..=start + end, known);
    }
    shortened(&value)
}

pub(super) fn shortened(text: &str) -> String {
    let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MAX_PREVIEW) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
