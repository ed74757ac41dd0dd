//! From a class without variants to its group.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::table::{Row, SHORTHANDS, TABLE, VOIDS};
use super::values::ValuePattern;

/// A group of utilities that set the same thing, by its index.
pub(super) type Group = u16;

/// The group of a class such as `px-4` or `-mt-[3px]`; `None` when Tailwind has no such class.
pub(super) fn group(class: &str) -> Option<Group> {
    let groups = &*GROUPS;
    let class = class.strip_prefix('-').filter(|rest| !rest.is_empty()).unwrap_or(class);
    if let Some(name) = groups.names.get(class)
        && name.alone.is_some()
    {
        return name.alone;
    }
    // The longest name before a value decides, as `border-x` before `border`.
    let ends = class.match_indices('-').map(|(at, _)| at).take(groups.dashes + 1);
    let ends: Vec<usize> = ends.collect();
    ends.into_iter().rev().find_map(|end| {
        let name = groups.names.get(&class[..end])?;
        let value = &class[end + 1..];
        name.values
            .iter()
            .find(|(kind, _)| kind.fits(value))
            .map(|(_, group)| *group)
    })
}

/// The group with this name in the table.
pub(super) fn named(name: &str) -> Option<Group> {
    GROUPS.ids.get(name).copied()
}

/// The name of a group in the table.
pub(super) fn name(group: Group) -> Option<&'static str> {
    GROUPS.ids.iter().find(|(_, id)| **id == group).map(|(name, _)| *name)
}

/// All classes that have no value, in alphabetical order.
pub(in crate::source) fn literals() -> Vec<&'static str> {
    let alone = GROUPS.names.iter().filter(|(_, name)| name.alone.is_some());
    let mut literals: Vec<&'static str> = alone.map(|(class, _)| class.as_str()).collect();
    literals.sort_unstable();
    literals
}

/// Whether a class of `later` makes one of `earlier` void.
pub(super) fn overrides(later: Group, earlier: Group) -> bool {
    later == earlier || GROUPS.voids.get(&later).is_some_and(|voids| voids.contains(&earlier))
}

#[derive(Default)]
struct Groups {
    ids: HashMap<&'static str, Group>,
    /// By whole class, and by what stands before a value.
    names: HashMap<String, Name>,
    voids: HashMap<Group, Vec<Group>>,
    /// How many dashes the longest name with values has.
    dashes: usize,
}

#[derive(Default)]
struct Name {
    /// The group of the name itself.
    alone: Option<Group>,
    /// The group for each kind of value.
    values: Vec<(ValuePattern, Group)>,
}

static GROUPS: LazyLock<Groups> = LazyLock::new(|| {
    let mut groups = Groups::default();
    for row in TABLE {
        groups.add(row);
    }
    for (later, earlier) in VOIDS {
        let earlier: Vec<Group> = earlier.split_whitespace().map(|name| groups.id(name)).collect();
        for later in later.split_whitespace() {
            let later = groups.id(later);
            groups.voids.insert(later, earlier.clone());
        }
    }
    groups
});

impl Groups {
    fn id(&mut self, name: &'static str) -> Group {
        let next = Group::try_from(self.ids.len()).unwrap_or(Group::MAX);
        *self.ids.entry(name).or_insert(next)
    }

    fn add(&mut self, (groups, prefix, values): &Row) {
        for name in groups.split_whitespace() {
            let group = self.id(name);
            let prefix = if *prefix == "@" { name } else { prefix };
            for value in values.split_whitespace() {
                self.add_value(group, prefix, value);
            }
        }
    }

    fn add_value(&mut self, group: Group, prefix: &str, value: &'static str) {
        if let Some((_, values)) = SHORTHANDS.iter().find(|(name, _)| *name == value) {
            for value in values.split_whitespace() {
                self.add_value(group, prefix, value);
            }
        } else if let Some(kind) = ValuePattern::named(value) {
            let name = self.names.entry(prefix.to_owned()).or_default();
            name.values.push((kind, group));
            self.dashes = self.dashes.max(prefix.matches('-').count());
        } else {
            let class = match (prefix, value) {
                (_, ".") => prefix.to_owned(),
                ("", _) => value.to_owned(),
                _ => format!("{prefix}-{value}"),
            };
            self.names.entry(class).or_default().alone = Some(group);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_can_be_read() {
        for (_, _, values) in TABLE {
            for value in values
                .split_whitespace()
                .filter(|value| value.starts_with(['<', '[', '(']))
            {
                let shorthand = SHORTHANDS.iter().any(|(name, _)| *name == value);
                assert!(shorthand || ValuePattern::named(value).is_some(), "{value}");
            }
        }
    }

    #[test]
    fn every_group_that_is_made_void_is_one_of_the_table() {
        let known: Vec<&str> = TABLE
            .iter()
            .flat_map(|(groups, ..)| groups.split_whitespace())
            .collect();
        for (later, earlier) in VOIDS {
            for name in later.split_whitespace().chain(earlier.split_whitespace()) {
                assert!(known.contains(&name) || name == "container-named", "{name}");
            }
        }
    }
}
