//! Classes on the use of a component: whether what the component shows will have them is looked up in its source.

use super::follow::Resolver;
use super::model::{Code, Operation, Plan, Project, Refusal, Request};

/// Looks at an edit that gives a class to the use of a component, and says what of it the page will not show, or may not.
///
/// # Errors
/// When the component's source certainly makes nothing of a class.
pub fn check(project: &dyn Project, request: &Request, plan: &mut Plan) -> Result<(), Refusal> {
    if !gives_class(&request.operation) {
        return Ok(());
    }
    let resolver = Resolver::new(project);
    let Ok(element) = resolver.find(&request.src) else {
        return Ok(());
    };
    let written = &element.module[element.id];
    if written.component.is_none() || written.tag.is_empty() || resolver.given_on(&element).class {
        return Ok(());
    }
    let name = &written.tag;
    match resolver.used(&element) {
        Some(component) if resolver.ignores_class(&component) => {
            let reason = format!(
                "{} makes nothing of a class that <{name}> is given, so the page would not change: select an element inside of it, or let the component pass it on",
                component.module.path
            );
            Err(Refusal::uncertain(Code::NoClassString, reason))
        }
        Some(component) => {
            plan.notes.push(format!(
                "The page may not change: {} does not certainly give a class on to the element that <{name}> shows",
                component.module.path
            ));
            Ok(())
        }
        None => {
            plan.notes.push(format!(
                "The page may not change: the source of <{name}> is not in this project, and whether it takes a class is not known"
            ));
            Ok(())
        }
    }
}

fn gives_class(operation: &Operation) -> bool {
    match operation {
        Operation::Class { add, .. } => !add.is_empty(),
        Operation::Attribute { name, value } => {
            value.is_some() && matches!(name.trim_start_matches(':'), "class" | "className")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine;
    use super::super::model::inspection::Able;
    use super::super::model::{Inspect, Lanes, Stamp};
    use super::*;

    fn class(project: &dyn Project, src: &str) -> Result<Vec<String>, Refusal> {
        let (add, remove) = (vec!["wide".to_owned()], Vec::new());
        let src: Stamp = src.parse().unwrap();
        let request = Request::of(src, Operation::Class { add, remove });
        engine::plan(project, &request, Lanes::default()).map(|plan| plan.notes)
    }

    #[test]
    fn a_class_is_looked_up_in_the_source_of_a_react_component() {
        let app = "import { Card } from './Card'\nexport const App = () => <Card>x</Card>\n";
        let of = |card: &str| {
            let files = [
                ("src/App.tsx", app),
                ("src/Card.tsx", card),
                ("package.json", "{ \"dependencies\": { \"react\": \"19\" } }"),
            ];
            class(&files, "src/App.tsx:2:25")
        };
        for passes in [
            "export const Card = ({ className, children }) => <p className={className}>{children}</p>",
            "export const Card = ({ children, ...rest }) => <p {...rest}>{children}</p>",
            "export const Card = (props) => <p className={`card ${props.className}`}>{props.children}</p>",
        ] {
            assert_eq!(of(passes).unwrap(), Vec::<String>::new(), "{passes}");
        }
        for ignores in [
            "export const Card = ({ children }) => <p>{children}</p>",
            "export function Card() { return <p>x</p> }",
            "export const Card = ({ title = '' }) => <p title={title}>x</p>",
        ] {
            let refusal = of(ignores).unwrap_err();
            assert_eq!(refusal.code, Code::NoClassString, "{ignores}");
            assert!(
                refusal.reason.starts_with("src/Card.tsx makes nothing of a class"),
                "{}",
                refusal.reason
            );
        }
        for unclear in [
            "export const Card = ({ className, children }) => <div><p className={className}>{children}</p></div>",
            "export const Card = (props) => <div>{props.children}</div>",
            "import { card } from './x'\nexport const Card = card(({ children }) => <p>{children}</p>)",
        ] {
            let notes = of(unclear).unwrap();
            assert!(
                notes[0].starts_with("The page may not change: "),
                "{unclear}: {notes:?}"
            );
        }
        // Taking a class away is as it was, and what is not seen is said before.
        let files = [
            ("src/App.tsx", app),
            ("src/Card.tsx", "export const Card = () => <p>x</p>"),
        ];
        let question = Inspect {
            src: "src/App.tsx:2:25".parse().unwrap(),
            item: None,
            within: None,
            viewport: Default::default(),
        };
        let can = engine::inspect(&files, &question, Lanes::default()).unwrap().can;
        assert!(matches!(can.class, Able::No(_)), "{:?}", can.class);
    }

    #[test]
    fn a_class_is_looked_up_in_the_source_of_a_vue_component() {
        let app =
            "<script setup>\nimport Card from './Card.vue'\n</script>\n<template>\n  <Card>x</Card>\n</template>\n";
        let of = |card: &str| {
            let files = [
                ("src/App.vue", app),
                ("src/Card.vue", card),
                ("package.json", "{ \"dependencies\": { \"vue\": \"3\" } }"),
            ];
            class(&files, "src/App.vue:5:2")
        };
        assert_eq!(of("<template><p><slot/></p></template>").unwrap(), Vec::<String>::new());
        let kept =
            "<script setup>\ndefineOptions({ inheritAttrs: false })\n</script>\n<template><p><slot/></p></template>";
        assert_eq!(of(kept).unwrap_err().code, Code::NoClassString);
        let bound = kept.replace("<slot/>", "<b v-bind=\"$attrs\"><slot/></b>");
        assert!(of(&bound).unwrap()[0].starts_with("The page may not change: "));
        let two = of("<template><p/><p><slot/></p></template>").unwrap();
        assert!(two[0].starts_with("The page may not change: "), "{two:?}");
    }
}
