//! The script that reads pages, made of the modules that the corpus judge uses, too.

/// Each module with what it gives to those behind it.
const MODULES: [(&str, &str); 3] = [
    ("install", include_str!("../../bridge/src/review/in_page.mjs")),
    ("flat, relabel", include_str!("../../bridge/src/review/labels.mjs")),
    (
        "Restless, differences, labelled",
        include_str!("../../bridge/src/review/reading.mjs"),
    ),
];

const REVIEW: &str = include_str!("../../bridge/src/review/review.mjs");

/// As one expression for a page.
pub(super) fn script() -> String {
    let mut text = String::from("(() => {\n'use strict';\n");
    for (names, module) in MODULES {
        text.push_str(&format!(
            "const {{ {names} }} = (() => {{\n{}\nreturn {{ {names} }};\n}})();\n",
            plain(module)
        ));
    }
    text.push_str(&plain(REVIEW));
    text.push_str("\n})()");
    text
}

/// A module without its imports and exports.
fn plain(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines
        .map(|line| line.strip_prefix("export ").unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_modules_is_left_and_what_is_used_is_there() {
        let script = script();
        assert!(
            !script
                .lines()
                .any(|line| line.starts_with("import ") || line.starts_with("export "))
        );
        for (names, module) in MODULES {
            for name in names.split(", ") {
                assert!(
                    module.contains(&format!("export function {name}("))
                        || module.contains(&format!("export class {name} ")),
                    "{name}"
                );
                assert!(REVIEW.contains(name), "{name}");
            }
        }
        assert!(script.len() < 64 << 10, "{}", script.len());
    }
}
