//! The scripts that read pages, made of the modules that the corpus judge uses, too.

/// Each module with what it gives to those behind it.
const MODULES: [(&str, &str); 4] = [
    ("install", include_str!("../../bridge/src/review/in_page.mjs")),
    ("flat, relabel", include_str!("../../bridge/src/review/labels.mjs")),
    (
        "Restless, differences, labelled",
        include_str!("../../bridge/src/review/reading.mjs"),
    ),
    ("review", include_str!("../../bridge/src/review/review.mjs")),
];

const LIVE: &str = include_str!("../../bridge/src/review/live.mjs");

/// For the review browser: as one expression.
pub(super) fn script() -> String {
    format!(
        "(() => {{\n'use strict';\n{}globalThis.galleyReview = review;\n}})()",
        modules()
    )
}

/// For the preview: as a module, which the bridge imports when it is first asked to read.
#[must_use]
pub fn module() -> String {
    format!("{}{}", modules(), without_imports(LIVE))
}

fn modules() -> String {
    let parts = MODULES.map(|(names, module)| {
        format!(
            "const {{ {names} }} = (() => {{\n{}\nreturn {{ {names} }};\n}})();\n",
            without_exports(module)
        )
    });
    parts.concat()
}

fn without_imports(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines.collect::<Vec<_>>().join("\n")
}

fn without_exports(module: &str) -> String {
    let text = without_imports(module);
    let lines = text.lines().map(|line| line.strip_prefix("export ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
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
                let kinds = ["function", "class", "const"];
                assert!(
                    kinds
                        .iter()
                        .any(|kind| module.contains(&format!("export {kind} {name}"))),
                    "{name}"
                );
                let used = MODULES.iter().map(|(_, module)| *module).chain([LIVE]);
                assert!(used.filter(|module| module.contains(name)).count() > 1, "{name}");
            }
        }
        assert!(script.len() < 64 << 10, "{}", script.len());
    }

    #[test]
    fn the_module_gives_only_what_the_bridge_asks_for() {
        let module = module();
        let given: Vec<&str> = module.lines().filter(|line| line.starts_with("export ")).collect();
        assert_eq!(given, ["export async function answer(ask) {"]);
        assert!(!module.lines().any(|line| line.starts_with("import ")));
    }
}
