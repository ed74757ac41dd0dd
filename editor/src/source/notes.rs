//! What people should know of an edit that is done: the imports that nothing uses any more.
//!
//! They are announced and stay. Loading a module may do something by itself, and whether it does cannot be told from here.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use oxc::ast::AstKind;

use super::module;
use super::script;
use super::sfc;
use crate::source::model::inspection::Language;
use crate::source::model::memo::Kept;
use crate::source::model::plan::{Change, Plan};
use crate::source::model::project::Project;

/// Names that a file imports and uses, with their modules.
type Used = BTreeMap<String, String>;

/// A sentence for each import that `plan` leaves without a use.
#[must_use]
pub fn notes(project: &dyn Project, plan: &Plan) -> Vec<String> {
    let mut notes = Vec::new();
    for change in &plan.changes {
        let path = &change.path;
        let Some(old) = project.read(path) else { continue };
        let Some(new) = change.apply(&old) else { continue };
        if project.kept().is_some_and(|kept| takes_no_import(kept, change, &old)) {
            continue;
        }
        let after = used(path, &new);
        for (name, from) in used(path, &old) {
            // One that is gone needs no word.
            if !after.contains_key(&name) && is_imported(&new, &name, &from) {
                notes.push(format!(
                    "“{name}” from “{from}” is still imported in {path}, but nothing there uses it any more: take the import out in the code"
                ));
            }
        }
    }
    notes
}

/// Whether none of the names that the file imports stands in what is replaced, as far as its imports are known.
fn takes_no_import(kept: &Kept, change: &Change, old: &Arc<str>) -> bool {
    let Some(module) = module::known(kept, &change.path, old) else {
        return false;
    };
    let stands = |local: &str| {
        let mut removed = change.replacements.iter();
        removed.any(|one| old.get(one.range.clone()).is_none_or(|removed| removed.contains(local)))
    };
    !module.imported().any(|import| stands(import.local))
}

/// Whether an import's words still stand in the text. A swap may have replaced them.
fn is_imported(text: &str, name: &str, from: &str) -> bool {
    text.contains(name) && text.contains(from)
}

fn used(path: &str, text: &str) -> Used {
    match Language::of(path) {
        Some(Language::Jsx) => imports(path, text, &HashSet::new()),
        Some(Language::Vue) => in_component(text),
        None => Used::new(),
    }
}

/// The imports of a component's scripts that these or the template use.
fn in_component(text: &str) -> Used {
    let Ok(component) = sfc::read(text) else {
        return Used::new();
    };
    let template = component.template().map_or("", |template| template.content.of(text));
    let words = words(template);
    let scripts = component.scripts().filter(|script| script.src.is_none());
    let used = scripts.map(|script| {
        let path = script.script_path().unwrap_or("component.jsx");
        imports(path, script.content.of(text), &words)
    });
    used.flatten().collect()
}

/// All words of a template, of tags as of expressions. More than it uses, never less.
fn words(template: &str) -> HashSet<&str> {
    let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    let whole = template.split(|character| !is_word(character) && character != '-');
    let parts = template.split(|character| !is_word(character));
    whole.chain(parts).filter(|word| !word.is_empty()).collect()
}

/// The imports of a script that it uses itself, or that are among the words of a template.
fn imports(path: &str, text: &str, words: &HashSet<&str>) -> Used {
    let used = script::with_names(path, text, |semantic| {
        let (scoping, nodes) = (semantic.scoping(), semantic.nodes());
        let mut used = Used::new();
        for symbol in scoping
            .symbol_ids()
            .filter(|symbol| scoping.symbol_flags(*symbol).is_import())
        {
            let name = scoping.symbol_name(symbol);
            let in_template = || words.contains(name) || words.contains(&*hyphenated(name));
            if scoping.symbol_is_unused(symbol) && !in_template() {
                continue;
            }
            let declaration = scoping.symbol_declaration(symbol);
            if let AstKind::ImportDeclaration(import) = nodes.parent_kind(declaration) {
                used.insert(name.to_owned(), import.source.value.to_string());
            }
        }
        used
    });
    used.unwrap_or_default()
}

/// `my-card` for `MyCard`: templates may write either.
fn hyphenated(name: &str) -> String {
    let mut written = String::with_capacity(name.len() + 2);
    for (at, character) in name.char_indices() {
        if character.is_uppercase() && at > 0 {
            written.push('-');
        }
        written.extend(character.to_lowercase());
    }
    written
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::source::engine::plan;
    use crate::source::model::marks::marked;
    use crate::source::model::{Lanes, Stamp};

    const LANES: Lanes = Lanes {
        detach: true,
        swap: true,
    };

    fn noted<const N: usize>(path: &str, source: &str, more: [(&str, &str); N], mut edit: Value) -> Vec<String> {
        let (text, at) = marked(source, '‹');
        let path = path.to_owned();
        edit["src"] = json!(Stamp { path: path.clone(), at });
        let request = serde_json::from_value(edit).unwrap();
        let mut files: Vec<(&str, &str)> = vec![(&path, &text)];
        files.extend(more);
        match files.as_slice() {
            [one] => plan(&[*one], &request, LANES),
            [one, two, ..] => plan(&[*one, *two], &request, LANES),
            [] => unreachable!("there is a file"),
        }
        .unwrap()
        .notes
    }

    const CARD: (&str, &str) = (
        "src/Card.tsx",
        "export function Card({ title }) { return <p>{title}</p>; }\n",
    );

    #[test]
    fn an_import_that_loses_its_last_use_is_announced() {
        let app = "import { Card } from './Card';\nexport const App = () => <main>‹Card title=\"a\"/></main>;\n";
        for edit in [json!({ "kind": "delete" }), json!({ "kind": "detach" })] {
            let notes = noted("src/App.tsx", app, [CARD], edit);
            assert_eq!(
                notes,
                [
                    "“Card” from “./Card” is still imported in src/App.tsx, but nothing there uses it any more: take the import out in the code"
                ]
            );
        }
    }

    #[test]
    fn an_import_that_is_still_used_or_never_was_is_not_worth_a_word() {
        for app in [
            "import { Card } from './Card';\nexport const App = () => <main>‹Card/><Card/></main>;\n",
            "import { Card } from './Card';\nexport const kinds = [Card];\nexport const App = () => <main>‹Card/></main>;\n",
            "import { Card } from './Card';\nimport './style.css';\nexport const App = () => <main>‹p/></main>;\n",
            "import type { Kind } from './Card';\nexport const App = (kind: Kind) => <main>‹p/></main>;\n",
        ] {
            let notes = noted("src/App.tsx", app, [CARD], json!({ "kind": "delete" }));
            assert!(notes.is_empty(), "{app}: {notes:?}");
        }
    }

    #[test]
    fn a_template_uses_what_its_script_imports() {
        let script = "<script setup lang=\"ts\">\nimport MyCard from './MyCard.vue';\nimport { price } from './price';\n</script>\n";
        let delete = || json!({ "kind": "delete" });
        let gone = format!("{script}<template><main>‹my-card :a=\"price\"/><i/></main></template>\n");
        let notes = noted("src/App.vue", &gone, [], delete());
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(
            notes[0].contains("“MyCard”") && notes[1].contains("“price”"),
            "{notes:?}"
        );
        let kept = format!("{script}<template><main>‹MyCard/><my-card>{{{{ price }}}}</my-card></main></template>\n");
        assert!(noted("src/App.vue", &kept, [], delete()).is_empty());
    }
}
