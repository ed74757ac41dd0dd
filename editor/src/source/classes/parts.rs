//! A class list in several strings, as in `cn('a', on && 'b')` or `` `a ${b} c` ``.

use crate::source::model::{Branch, Choice, Code, Refusal, Replacement};

use super::coding::Coding;
use super::list::ClassList;
use super::tailwind::utility;

/// One string that gives classes to an element.
#[derive(Debug, Clone)]
pub struct Part<'t> {
    /// The characters between the quotes, or of one piece of a template literal.
    pub text: &'t str,
    /// How they are written.
    pub coding: Coding,
    /// Whether an expression stands right before and right after, as in [`ClassList::beside`].
    pub glued: [bool; 2],
    /// When the classes are there.
    pub when: When,
}

/// When a string's classes are on the element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Always.
    Always,
    /// On this side of a condition: `on && 'b'` and `{ b: on }` have the first side only.
    Side(Branch),
    /// Under circumstances that cannot be named by a side: nested conditions, variants of `cva`.
    Sometimes,
}

/// One replacement, in the part with this index; the range is relative to the part's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartEdit {
    /// Index into the parts.
    pub part: usize,
    /// The change of its text.
    pub replacement: Replacement,
}

/// More than anybody adds by hand; a bound for hostile requests.
const MAX_PARTS: usize = 256;

/// Adds and removes classes where they stand. Without `branch` only strings that always apply are changed; a class which
/// stands (or would be made void) in a condition asks which side is meant.
///
/// # Errors
/// * `choice-needed` with the sides to choose from;
/// * `class-missing`: a class to remove stands in none of the strings;
/// * `several-conditions`: more than one condition has that side;
/// * `no-class-string`: there is no string that could take the class.
pub fn edit_parts(
    parts: &[Part<'_>],
    add: &[String],
    remove: &[String],
    branch: Option<Branch>,
) -> Result<Vec<PartEdit>, Refusal> {
    if add.len() + remove.len() > MAX_PARTS {
        let reason = format!("These are more than {MAX_PARTS} classes at once: change them in smaller steps");
        return Err(Refusal::uncertain(Code::TooManyClasses, reason));
    }
    let lists: Vec<List<'_>> = parts.iter().map(List::new).collect();
    let mut tasks: Vec<(Vec<String>, Vec<String>)> = vec![Default::default(); parts.len()];
    for word in remove.iter().filter(|word| !add.contains(word)) {
        for part in removal(&lists, word, branch)? {
            tasks[part].1.push(word.clone());
        }
    }
    for word in add {
        let target = addition(&lists, word, branch)?;
        tasks[target].0.push(word.clone());
        // What the new class makes void in other strings of the same standing goes too.
        for (part, list) in lists.iter().enumerate() {
            if part != target && list.when == lists[target].when && list.when == When::Always {
                tasks[part].1.extend(list.made_void(word));
            }
        }
    }
    let edits = lists
        .iter()
        .zip(tasks)
        .enumerate()
        .flat_map(|(part, (list, (add, remove)))| {
            let replacements = list.list.edit(&add, &remove);
            replacements
                .into_iter()
                .map(move |replacement| PartEdit { part, replacement })
        });
    Ok(edits.collect())
}

struct List<'t> {
    list: ClassList<'t>,
    when: When,
}

impl<'t> List<'t> {
    fn new(part: &Part<'t>) -> Self {
        let list = ClassList::beside(part.text, part.coding, part.glued);
        Self { list, when: part.when }
    }

    fn has(&self, word: &str) -> bool {
        self.list.words().any(|own| own == word)
    }

    /// The words that adding `word` would make void, and `word` itself.
    fn made_void(&self, word: &str) -> Vec<String> {
        let new = utility(word);
        let void =
            |own: &&str| *own == word || matches!((&new, utility(own)), (Some(new), Some(own)) if new.overrides(&own));
        self.list.words().filter(void).map(str::to_owned).collect()
    }

    /// Whether `word` and a word of this list cannot both be in force.
    fn conflicts(&self, word: &str) -> bool {
        let new = utility(word);
        self.list.words().any(|own| {
            own != word
                && matches!((&new, utility(own)), (Some(new), Some(own)) if new.overrides(&own) || own.overrides(new))
        })
    }
}

/// The parts from which `word` is removed.
fn removal(lists: &[List<'_>], word: &str, branch: Option<Branch>) -> Result<Vec<usize>, Refusal> {
    let having = |when: When| indices(lists, move |list| list.when == when && list.has(word));
    if let Some(branch) = branch {
        let there = having(When::Side(branch));
        if !there.is_empty() {
            return Ok(there);
        }
    }
    let always = having(When::Always);
    if !always.is_empty() {
        return Ok(always);
    }
    let sides = sides(lists, |list| list.has(word));
    if !sides.is_empty() && branch.is_none() {
        let reason = format!("The class {word} is there only under a condition: choose the side to remove it from");
        return Err(choose(reason, &sides));
    }
    if lists.iter().any(|list| list.has(word)) {
        let reason =
            format!("The class {word} depends on conditions that have no two plain sides; change it in the code");
        return Err(Refusal::uncertain(Code::SeveralConditions, reason));
    }
    let reason = format!(
        "The class {word} is not written at this element: it comes from an expression, or is gone. Change it in the code"
    );
    Err(Refusal::uncertain(Code::ClassMissing, reason))
}

/// The part that takes `word`.
fn addition(lists: &[List<'_>], word: &str, branch: Option<Branch>) -> Result<usize, Refusal> {
    if let Some(branch) = branch {
        let side = indices(lists, |list| list.when == When::Side(branch) && list.list.has_room());
        let fitting = indices(lists, |list| {
            list.when == When::Side(branch) && (list.conflicts(word) || list.has(word))
        });
        return match (side.as_slice(), fitting.as_slice()) {
            ([only], _) | (_, [only]) => Ok(*only),
            // `on && 'b'` has no other side: what always applies is what is left without the condition.
            ([], _) if branch == Branch::Else => unconditional(lists, word),
            ([], _) => {
                let reason = "No condition among the element's classes has that side: choose the other one";
                Err(Refusal::uncertain(Code::NoClassString, reason))
            }
            _ => {
                let reason = format!(
                    "Several conditions have this side, so it is not certain which of them should get {word}; add it in the code"
                );
                Err(Refusal::uncertain(Code::SeveralConditions, reason))
            }
        };
    }
    let sides = sides(lists, |list| list.conflicts(word));
    let unnamed = lists
        .iter()
        .any(|list| list.when == When::Sometimes && list.conflicts(word));
    if !sides.is_empty() {
        let reason = format!("A condition sets a class which {word} replaces: choose the side it is for");
        return Err(choose(reason, &[Branch::Then, Branch::Else]));
    }
    if unnamed {
        let reason =
            format!("A nested condition or a variant sets a class which {word} replaces; change it in the code");
        return Err(Refusal::uncertain(Code::SeveralConditions, reason));
    }
    unconditional(lists, word)
}

/// The string that always applies and takes `word`: the one that holds it or what it replaces, else the first with room.
fn unconditional(lists: &[List<'_>], word: &str) -> Result<usize, Refusal> {
    let always = || lists.iter().enumerate().filter(|(_, list)| list.when == When::Always);
    let fitting = always().find(|(_, list)| !list.made_void(word).is_empty());
    // An empty piece of a template literal takes a class only when there is no other place.
    let roomy = always().find(|(_, list)| list.list.has_room() && list.list.words().next().is_some());
    let any = || always().find(|(_, list)| list.list.has_room());
    let found = fitting.or(roomy).or_else(any);
    found.map(|(index, _)| index).ok_or_else(|| {
        let sides = sides(lists, |list| list.list.has_room());
        if sides.is_empty() {
            let reason =
                "The element's classes come from an expression; there is no string that could take another class; change them in the code";
            return Refusal::uncertain(Code::NoClassString, reason);
        }
        choose(
            "Every class of this element stands in a condition: choose the side".to_owned(),
            &sides,
        )
    })
}

fn indices(lists: &[List<'_>], wanted: impl Fn(&List<'_>) -> bool) -> Vec<usize> {
    let wanted = lists.iter().enumerate().filter(|(_, list)| wanted(list));
    wanted.map(|(index, _)| index).collect()
}

/// The sides of conditions of which a list is wanted.
fn sides(lists: &[List<'_>], wanted: impl Fn(&List<'_>) -> bool) -> Vec<Branch> {
    let has = |branch| lists.iter().any(|list| list.when == When::Side(branch) && wanted(list));
    [Branch::Then, Branch::Else]
        .into_iter()
        .filter(|branch| has(*branch))
        .collect()
}

fn choose(reason: String, sides: &[Branch]) -> Refusal {
    let choices = sides.iter().map(|side| {
        let (value, label) = match side {
            Branch::Then => ("then", "When the condition holds"),
            Branch::Else => ("else", "Otherwise"),
        };
        Choice {
            option: "branch",
            value: value.into(),
            label: label.to_owned(),
        }
    });
    Refusal::choose(reason, choices.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(text: &str, when: When) -> Part<'_> {
        Part {
            text,
            coding: Coding::Script('\''),
            glued: [false, false],
            when,
        }
    }

    /// Applies the edits and joins the parts with `|`.
    fn edited(parts: &[Part<'_>], add: &str, remove: &str, branch: Option<Branch>) -> Result<String, Refusal> {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let edits = edit_parts(parts, &words(add), &words(remove), branch)?;
        let texts = parts.iter().enumerate().map(|(index, part)| {
            let replacements = edits
                .iter()
                .filter(|edit| edit.part == index)
                .map(|edit| edit.replacement.clone());
            let change = crate::source::model::Change {
                path: String::new(),
                replacements: replacements.collect(),
            };
            change.apply(part.text).unwrap()
        });
        Ok(texts.collect::<Vec<_>>().join("|"))
    }

    const THEN: When = When::Side(Branch::Then);
    const ELSE: When = When::Side(Branch::Else);

    #[test]
    fn strings_that_always_apply_are_changed_without_asking() {
        let parts = [
            part("flex p-4", When::Always),
            part("font-bold", THEN),
            part("mt-2", When::Always),
        ];
        assert_eq!(edited(&parts, "p-2", "", None).unwrap(), "flex p-2|font-bold|mt-2");
        assert_eq!(edited(&parts, "mt-4", "flex", None).unwrap(), "p-4|font-bold|mt-4");
        assert_eq!(edited(&parts, "m-4", "", None).unwrap(), "flex p-4|font-bold|m-4");
        assert_eq!(edited(&parts, "grid", "", None).unwrap(), "grid p-4|font-bold|mt-2");
    }

    #[test]
    fn what_is_made_void_in_another_string_goes_too() {
        let parts = [part("px-2", When::Always), part("flex py-2", When::Always)];
        assert_eq!(edited(&parts, "p-4", "", None).unwrap(), "p-4|flex");
    }

    #[test]
    fn a_condition_that_matters_asks_for_its_side() {
        let parts = [
            part("flex p-4", When::Always),
            part("p-2 font-bold", THEN),
            part("p-8", ELSE),
        ];
        let refusal = edited(&parts, "p-6", "", None).unwrap_err();
        assert_eq!((refusal.code.word(), refusal.choices.len()), ("choice-needed", 2));
        assert_eq!(
            edited(&parts, "p-6", "", Some(Branch::Then)).unwrap(),
            "flex p-4|p-6 font-bold|p-8"
        );
        assert_eq!(
            edited(&parts, "p-6", "", Some(Branch::Else)).unwrap(),
            "flex p-4|p-2 font-bold|p-6"
        );
        let refusal = edited(&parts, "", "font-bold", None).unwrap_err();
        assert_eq!((refusal.code.word(), refusal.choices.len()), ("choice-needed", 1));
        assert_eq!(
            edited(&parts, "", "font-bold", Some(Branch::Then)).unwrap(),
            "flex p-4|p-2|p-8"
        );
    }

    #[test]
    fn a_condition_with_one_side_leaves_the_rest_to_the_other() {
        let parts = [part("p-4", When::Always), part("p-2", THEN)];
        assert_eq!(edited(&parts, "p-6", "", Some(Branch::Else)).unwrap(), "p-6|p-2");
    }

    #[test]
    fn what_cannot_be_done_for_certain_is_refused() {
        let parts = [part("flex", THEN), part("grid", THEN), part("p-4", When::Sometimes)];
        let code = |add, remove, branch| edited(&parts, add, remove, branch).unwrap_err().code.word();
        assert_eq!(code("mt-2", "", Some(Branch::Then)), "several-conditions");
        assert_eq!(code("p-2", "", None), "several-conditions");
        assert_eq!(code("", "p-4", None), "several-conditions");
        assert_eq!(code("", "p-8", None), "class-missing");
        assert_eq!(code("mt-2", "", None), "choice-needed");
        let none = edit_parts(&[], &["a".to_owned()], &[], None).unwrap_err();
        assert_eq!(none.code, "no-class-string");
        let many = vec!["a".to_owned(); 1000];
        assert_eq!(
            edit_parts(&parts, &many, &[], None).unwrap_err().code,
            "too-many-classes"
        );
    }

    #[test]
    fn a_template_literal_keeps_its_words_apart() {
        let piece = |text, glued| Part {
            text,
            coding: Coding::Script('`'),
            glued,
            when: When::Always,
        };
        let parts = [piece("flex btn-", [false, true]), piece(" p-4", [true, false])];
        assert_eq!(edited(&parts, "p-2", "flex", None).unwrap(), "btn-| p-2");
        assert_eq!(edited(&parts, "mt-1", "", None).unwrap(), "flex mt-1 btn-| p-4");
        let parts = [
            piece("", [false, true]),
            piece(" ", [true, true]),
            piece("", [true, false]),
        ];
        assert_eq!(edited(&parts, "p-2", "", None).unwrap(), "p-2 | |");
    }
}
