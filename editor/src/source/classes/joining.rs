//! Functions that join class lists, told by where their name comes from. The languages say where that is.

use oxc::ast::ast::{Argument, CallExpression, Expression};

/// Packages whose functions give every class that their arguments name.
const PACKAGES: &[&str] = &[
    "clsx",
    "clsx/lite",
    "classnames",
    "classnames/dedupe",
    "tailwind-merge",
    "class-variance-authority",
    "tailwind-variants",
    "cn",
    "@heroui/theme",
    "@nextui-org/theme",
];

/// Names people give such a function when it is their own: shadcn's `cn` in `lib/utils`.
const NAMES: &[&str] = &["cn", "cx", "clsx", "classNames", "classnames", "twMerge", "twJoin"];

/// Whether people give such a function this name.
#[must_use]
pub fn may_join(name: &str) -> bool {
    NAMES.contains(&name)
}

/// Whether an imported function is one. `imported` is its name in the other file; `None` for the default export.
#[must_use]
pub fn import_joins(local: &str, from: &str, imported: Option<&str>) -> bool {
    // `classnames/bind` looks names up in a CSS module: what is written is not what the page has.
    if from.ends_with("/bind") {
        return false;
    }
    match PACKAGES.contains(&from) {
        // `cva` and `tv` give functions.
        true => !matches!(imported, Some("cva" | "tv" | "createTV")),
        false => may_join(local) || imported.is_some_and(may_join),
    }
}

/// Whether a call is `[…].join(' ')`, perhaps with `.filter(Boolean)` before it, or `.trim()` of a text.
#[must_use]
pub fn is_joined(call: &CallExpression<'_>) -> bool {
    let Expression::StaticMemberExpression(member) = &call.callee else {
        return false;
    };
    let list = |expression: &Expression<'_>| match expression {
        Expression::ArrayExpression(_) => true,
        Expression::CallExpression(call) => is_filtered(call),
        _ => false,
    };
    match (member.property.name.as_str(), call.arguments.as_slice()) {
        ("join", [Argument::StringLiteral(space)]) => space.value == " " && list(&member.object),
        ("trim", []) => matches!(member.object, Expression::TemplateLiteral(_)),
        ("filter", _) => is_filtered(call),
        _ => false,
    }
}

fn is_filtered(call: &CallExpression<'_>) -> bool {
    matches!(&call.callee, Expression::StaticMemberExpression(member)
        if member.property.name == "filter" && matches!(member.object, Expression::ArrayExpression(_)))
        && matches!(call.arguments.as_slice(), [Argument::Identifier(name)] if name.name == "Boolean")
}

/// Whether an imported file is a stylesheet: what it exports is a CSS module.
#[must_use]
pub fn is_stylesheet(path: &str) -> bool {
    [".css", ".scss", ".sass", ".less", ".styl"]
        .iter()
        .any(|ending| path.ends_with(ending))
}
