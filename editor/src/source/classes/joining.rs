//! Functions that join class lists, told by where their name comes from. The languages say where that is.

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
