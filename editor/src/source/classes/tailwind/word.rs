//! One class: its variants, whether it is important, and its group.

use super::groups::{self, Group};

/// A class that Tailwind knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Utility<'c> {
    /// The variants in an order in which those that mean the same are the same.
    variants: Vec<&'c str>,
    important: bool,
    sets: Sets<'c>,
}

/// What a class sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sets<'c> {
    Group(Group),
    /// `[mask-type:alpha]`: this property.
    Property(&'c str),
}

impl Utility<'_> {
    /// Whether this class, standing later in the list, makes `earlier` void.
    #[must_use]
    pub fn overrides(&self, earlier: &Utility<'_>) -> bool {
        let same = match (self.sets, earlier.sets) {
            (Sets::Group(later), Sets::Group(earlier)) => groups::overrides(later, earlier),
            (Sets::Property(later), Sets::Property(earlier)) => later == earlier,
            _ => false,
        };
        same && self.important == earlier.important && self.variants == earlier.variants
    }

    /// The name of its group in the table; `None` for a property in brackets.
    #[must_use]
    pub fn group(&self) -> Option<&'static str> {
        match self.sets {
            Sets::Group(group) => groups::name(group),
            Sets::Property(_) => None,
        }
    }

    /// The property that it names in brackets, as in `[color:red]`.
    #[must_use]
    pub fn property(&self) -> Option<&str> {
        match self.sets {
            Sets::Group(_) => None,
            Sets::Property(property) => Some(property),
        }
    }

    /// Its variants; the order of those that mean the same in any order is not that of the class.
    #[must_use]
    pub fn variants(&self) -> &[&str] {
        &self.variants
    }

    /// Whether the class applies always: it has no variants.
    #[must_use]
    pub fn is_unconditional(&self) -> bool {
        self.variants.is_empty()
    }
}

/// Reads a class; `None` when Tailwind has no such utility.
#[must_use]
pub fn utility(class: &str) -> Option<Utility<'_>> {
    let (mut variants, base, slash) = split(class);
    let (base, important) = match (base.strip_suffix('!'), base.strip_prefix('!')) {
        (Some(base), _) | (None, Some(base)) => (base, true),
        (None, None) => (base, false),
    };
    let sets = sets(base, slash)?;
    sort(&mut variants);
    Some(Utility {
        variants,
        important,
        sets,
    })
}

/// The variants, the rest, and the place in the class of the last slash outside of brackets.
fn split(class: &str) -> (Vec<&str>, &str, Option<usize>) {
    let (mut variants, mut start, mut slash) = (Vec::new(), 0, None);
    let (mut brackets, mut parentheses) = (0i32, 0i32);
    for (at, byte) in class.bytes().enumerate() {
        match byte {
            b':' if brackets == 0 && parentheses == 0 => {
                variants.push(&class[start..at]);
                start = at + 1;
                slash = None;
            }
            b'/' if brackets == 0 && parentheses == 0 => slash = Some(at),
            b'[' => brackets += 1,
            b']' => brackets -= 1,
            b'(' => parentheses += 1,
            b')' => parentheses -= 1,
            _ => {}
        }
    }
    let slash = slash
        .and_then(|slash| slash.checked_sub(start))
        .filter(|slash| *slash > 0);
    (variants, &class[start..], slash)
}

fn sets(base: &str, slash: Option<usize>) -> Option<Sets<'_>> {
    if let Some(content) = base.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let (property, _) = content.split_once(':')?;
        return (!property.is_empty()).then_some(Sets::Property(property));
    }
    // `text-sm/7` and `bg-red-500/50` are what they are without the slash, `w-1/2` is so too.
    let group = match slash.and_then(|slash| base.get(..slash)) {
        Some(before) if names_container(base) => groups::named("container-named").or_else(|| groups::group(before)),
        Some(before) => groups::group(before).or_else(|| groups::group(base)),
        None => groups::group(base),
    };
    group.map(Sets::Group)
}

/// `@container/main`, `@container-size/main`.
fn names_container(base: &str) -> bool {
    let rest = base.strip_prefix("@container");
    let name = rest.and_then(|rest| {
        let rest = rest
            .strip_prefix("-size")
            .or_else(|| rest.strip_prefix("-normal"))
            .unwrap_or(rest);
        rest.strip_prefix('/')
    });
    name.is_some_and(|name| !name.is_empty())
}

/// Variants whose place among the others matters, besides arbitrary ones.
const PLACED: &[&str] = &[
    "*",
    "**",
    "after",
    "backdrop",
    "before",
    "details-content",
    "file",
    "first-letter",
    "first-line",
    "marker",
    "placeholder",
    "selection",
];

/// Sorts the variants between those whose place matters.
fn sort(variants: &mut [&str]) {
    let placed = |variant: &&str| variant.starts_with('[') || PLACED.contains(variant);
    for run in variants.split_mut(placed) {
        run.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::merge;

    /// The list after adding its own last word.
    fn last_wins(list: &str) -> String {
        let words: Vec<&str> = list.split_whitespace().collect();
        let (last, before) = words.split_last().unwrap();
        merge(before, &[last], &[] as &[&str]).join(" ")
    }

    #[test]
    fn classes_of_one_group_replace_each_other() {
        for (list, wanted) in [
            ("px-2 py-2 p-4", "p-4"),
            ("p-4 px-2", "p-4 px-2"),
            ("hover:p-2 p-4", "hover:p-2 p-4"),
            ("md:hover:p-2 hover:md:p-4", "hover:md:p-4"),
            ("[&>p]:md:p-2 md:[&>p]:p-4", "[&>p]:md:p-2 md:[&>p]:p-4"),
            ("!p-2 p-4!", "p-4!"),
            ("!p-2 p-4", "!p-2 p-4"),
            ("-mt-2 mt-[3px]", "mt-[3px]"),
            ("text-red-500 text-sm", "text-red-500 text-sm"),
            ("text-red-500 text-[#fff]", "text-[#fff]"),
            ("text-sm leading-4 text-lg/7", "text-lg/7"),
            ("bg-red-500 bg-cover bg-(--x)", "bg-(--x) bg-cover"),
            ("grow flex-grow-0", "flex-grow-0"),
            ("bg-opacity-50 bg-red-500", "bg-opacity-50 bg-red-500"),
            ("bg-gradient-to-r bg-linear-to-b", "bg-linear-to-b"),
            ("[color:red] [color:blue]", "[color:blue]"),
            ("w-1/2 w-full", "w-full"),
            ("size-4 w-2", "size-4 w-2"),
            ("w-2 h-2 size-4", "size-4"),
            ("@container @container/main", "@container/main"),
            ("btn btn-primary card", "btn btn-primary card"),
            ("border border-red-500 border-2", "border-2 border-red-500"),
        ] {
            assert_eq!(last_wins(list), wanted, "{list}");
        }
    }

    #[test]
    fn any_text_is_read_without_a_panic() {
        for word in [
            "",
            "-",
            "--",
            "!",
            "!!",
            ":",
            "::",
            "/",
            "[",
            "[]",
            "]:p-4",
            "(:p-4",
            "[:]",
            "p-[",
            "é-4",
            "-é",
            "@container/",
        ] {
            let _ = super::utility(word);
        }
        let long = "a-".repeat(500_000);
        assert_eq!(super::utility(&long), None);
    }
}
