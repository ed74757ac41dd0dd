//! A style for some widths or states only: with Tailwind it is a class with a variant, as `md:p-6`.

use crate::source::model::{Code, Operation, Project, Refusal, Request};

use super::properties::{check_property, check_value};
use super::utilities::{class_for, has_default_spacing, has_tailwind};

/// The request as one of the class list, when it is a style under a variant; `None` for every other request.
///
/// # Errors
/// Without Tailwind, for a name that is no variant's, for a value no class can hold, and for a removal: that is the removal
/// of the class.
pub fn under_variant(project: &dyn Project, request: &Request) -> Result<Option<Request>, Refusal> {
    let (Operation::Style { property, value }, Some(variant)) = (&request.operation, &request.variant) else {
        return Ok(None);
    };
    if !has_tailwind(project) {
        let reason = "A style for some widths only is a class of Tailwind, which this prototype does not use: write the \
                      @media rule in its stylesheet";
        return Err(Refusal::uncertain(Code::NoTailwind, reason));
    }
    let named = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if variant.is_empty() || !variant.bytes().all(named) {
        let reason = format!("“{variant}” is no name of a variant: write one like md or hover");
        return Err(Refusal::uncertain(Code::NoVariant, reason));
    }
    check_property(property)?;
    let Some(value) = value else {
        let reason = format!("A class with {variant}: in front sets {property}: remove that class");
        return Err(Refusal::uncertain(Code::SetByClass, reason));
    };
    let value = check_value(value)?;
    let class = class_for(property, value, None, has_default_spacing(project)).ok_or_else(|| {
        let reason = format!("No class can hold this value of {property}: it has characters that classes cannot have");
        Refusal::uncertain(Code::SetByClass, reason)
    })?;
    let operation = Operation::Class {
        add: vec![format!("{variant}:{class}")],
        remove: Vec::new(),
    };
    Ok(Some(Request {
        operation,
        variant: None,
        ..request.clone()
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::source::engine::plan;
    use crate::source::model::{Lanes, Refusal};

    const PACKAGE: (&str, &str) = ("package.json", r#"{ "devDependencies": { "tailwindcss": "4" } }"#);

    fn outcome(files: &[(&str, &str)], property: &str, value: Option<&str>, variant: &str) -> Result<String, Refusal> {
        let request =
            json!({ "src": "A.tsx:1:16", "kind": "style", "property": property, "value": value, "variant": variant });
        let plan = plan(&files, &serde_json::from_value(request).unwrap(), Lanes::default())?;
        let [change] = plan.changes.as_slice() else {
            panic!("{plan:?}")
        };
        Ok(change.apply(files[0].1).unwrap())
    }

    fn element(class: &str) -> String {
        format!("const a = () => <p className=\"{class}\"/>")
    }

    #[test]
    fn a_style_for_some_widths_is_a_class_with_a_variant() {
        for (before, property, value, after) in [
            ("p-4", "padding", "24px", "p-4 md:p-6"),
            ("p-4 md:p-6", "padding", "13px", "p-4 md:p-[13px]"),
            ("md:flex", "display", "none", "md:hidden"),
            ("a", "color", "#f00", "a md:text-[#f00]"),
        ] {
            let (before, after) = (element(before), element(after));
            let files = [("A.tsx", before.as_str()), PACKAGE];
            assert_eq!(outcome(&files, property, Some(value), "md").unwrap(), after);
        }
    }

    #[test]
    fn a_style_for_some_widths_needs_tailwind_a_variant_and_a_value() {
        let text = element("p-4");
        let (with, without) = ([("A.tsx", text.as_str()), PACKAGE], [("A.tsx", text.as_str())]);
        let code = |files: &[(&str, &str)], value, variant| outcome(files, "padding", value, variant).unwrap_err().code;
        assert_eq!(code(&without, Some("1px"), "md"), "no-tailwind");
        assert_eq!(code(&with, Some("1px"), "md p-4"), "no-variant");
        assert_eq!(code(&with, None, "md"), "set-by-class");
        assert_eq!(code(&with, Some("attr('x')"), "md"), "set-by-class");
    }
}
