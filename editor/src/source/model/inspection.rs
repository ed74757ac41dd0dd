//! What can be known about one element, and what each kind of edit would touch: the answer of `/api/editor/inspect`.

use serde::ser::{Serialize, Serializer};

use super::operation::{Branch, Scope, Whenever};
use super::plan::{Choice, Refusal};
use super::position::Stamp;
use super::viewport::Viewport;

/// The question.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Inspect {
    /// The element.
    pub src: Stamp,
    /// Which of the page's elements with this stamp is meant, from 0 in document order.
    pub item: Option<usize>,
    /// The nearest stamped ancestor in the page that stands in another file: it says which usage is the likely one.
    pub within: Option<Stamp>,
    /// The page that is shown: which conditional styles hold.
    #[serde(flatten)]
    pub viewport: Viewport,
}

/// Which dormant lanes are awake (`lanes` in `tool.config.json`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lanes {
    /// `lanes.detach`
    pub detach: bool,
    /// `lanes.swap`
    pub swap: bool,
}

/// The language an element is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// `.jsx`, `.tsx`, and `.js`, `.mjs`, `.cjs` (which may hold JSX).
    Jsx,
    /// A single-file component.
    Vue,
}

impl Language {
    /// By the file's name; `None` for files that hold no elements.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "jsx" | "tsx" | "js" | "mjs" | "cjs" => Some(Self::Jsx),
            "vue" => Some(Self::Vue),
            _ => None,
        }
    }
}

/// Everything about an element.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// The element's stamp.
    pub src: Stamp,
    /// Its file.
    pub path: String,
    /// [`hash`](super::hash()) of the file's text, for `sourceHash` of an edit.
    pub hash: String,
    /// Its language.
    pub language: Language,
    /// Its tag as written.
    pub tag: String,
    /// The component whose source holds it.
    pub component: Option<String>,
    /// Whether it is itself a component's use.
    pub is_component: bool,
    /// Whether it stands in a list.
    pub repeated: bool,
    /// Whether it is shown on a condition only.
    pub conditional: bool,
    /// In source order; `data-desde-src` is not among them.
    pub attributes: Vec<Attribute>,
    /// Its class list.
    pub classes: Classes,
    /// What Tailwind's utilities in the class list set; `None` without Tailwind, and on the use of a component.
    pub utilities: Option<Utilities>,
    /// Its text runs in order: [`Operation::Text`](super::Operation::Text) counts them.
    pub text: Vec<Run>,
    /// Declarations that apply to it, as far as the source tells.
    pub styles: Vec<Style>,
    /// Where its component is used.
    pub usages: Vec<Usage>,
    /// Which kinds of edits are possible.
    pub can: Can,
}

/// An attribute or prop.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Attribute {
    /// As written; `...` for a spread.
    pub name: String,
    /// The text people would read, or an expression's source; `None` for a flag.
    pub value: Option<String>,
    /// How it is written.
    pub form: AttributeForm,
    /// Whether it can be set and removed.
    pub editable: bool,
    /// Why not.
    pub why: Option<String>,
}

/// How an attribute is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AttributeForm {
    /// `title="text"`, or an expression that is nothing but a literal.
    Literal,
    /// `title={title}`
    Expression,
    /// Vue's `:title="title"`.
    Bound,
    /// `{...props}`, `v-bind="props"`
    Spread,
    /// `disabled`
    Flag,
}

/// The class list.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Classes {
    /// Classes that stand there as text.
    pub list: Vec<String>,
    /// Whether classes can be added and removed.
    pub editable: bool,
    /// Why not.
    pub why: Option<String>,
    /// How the list is written.
    pub form: ClassForm,
}

/// How a class list is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClassForm {
    /// `className="a b"`
    Literal,
    /// `className={cn('a b', …)}`
    Call,
    /// `` className={`a ${b}`} ``
    Template,
    /// `className={styles.card}`
    Module,
    /// `:class="{ a: b }"`
    Object,
    /// There is none yet.
    #[default]
    None,
}

/// The element's styles as Tailwind's utilities.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Utilities {
    /// Whether the class list holds utilities already: a style that nothing declares yet becomes one of them.
    pub fresh: bool,
    /// The utilities, in the order of the class list.
    pub set: Vec<UtilitySet>,
}

/// What one utility sets.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct UtilitySet {
    /// As it stands in the class list.
    pub class: String,
    /// The variants it holds under, as `md` or `hover`; none for always.
    pub variants: Vec<String>,
    /// The properties that it alone is for.
    pub properties: Vec<String>,
    /// The properties that it sets along with others: `p-4` sets `padding-left`.
    pub among: Vec<&'static str>,
    /// What its value comes from: the theme's class, without variants, or the variables in its brackets. None for a value of its own.
    pub tokens: Vec<String>,
}

/// A piece of the element's text.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Run {
    /// Its number, from 0.
    pub run: usize,
    /// As people read it; the source of the expression when it is unknown.
    pub text: String,
    /// Where it comes from.
    pub form: RunForm,
    /// Whether it can be changed.
    pub editable: bool,
    /// Why not.
    pub why: Option<String>,
    /// The place of its characters.
    pub at: Option<Stamp>,
    /// How many places show it: 1, or more when it is shared (a translation, a component used elsewhere).
    pub shared: usize,
    /// What has to be chosen before it can be changed.
    pub choices: Vec<Choice>,
}

/// Where a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunForm {
    /// Characters between tags.
    Plain,
    /// A string in an expression.
    Literal,
    /// A string in one side of a conditional.
    Branch,
    /// A field of an array's item.
    Item,
    /// `t('key')`
    Translation,
    /// A prop of the component, given where it is used.
    Prop,
    /// The children given where the component is used.
    Children,
    /// Something that cannot be followed.
    Expression,
}

/// One declaration that applies to the element.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Style {
    /// In CSS's spelling.
    pub property: String,
    /// As CSS text.
    pub value: String,
    /// Where it is declared.
    pub from: StyleFrom,
    /// The place of the declaration.
    pub at: Option<Stamp>,
    /// Whether it can be changed.
    pub editable: bool,
    /// Why not; or what else the change would reach.
    pub why: Option<String>,
    /// In how many places of the source elements have the declaration: 1 when it is this element's alone.
    pub shared: usize,
    /// The at-rules around it that are conditions, from the outermost on; all have to hold.
    pub conditions: Vec<Condition>,
    /// Whether it decides its property in the page that is shown; `None` when the source does not tell.
    pub wins: Option<bool>,
    /// The variables that its value is made of, with their dashes: another value would no longer follow them.
    pub tokens: Vec<String>,
}

/// A condition of a declaration.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Condition {
    /// As it is written, as `@media (max-width: 1024px)`.
    pub text: String,
    /// For people, as `on pages up to 1024 pixels wide`.
    pub words: String,
    /// Whether it holds in the page that is shown; `None` when that is not known.
    pub holds: Option<bool>,
    /// Whether the page can be asked: a browser reads the text as the stylesheet means it.
    pub ask: bool,
}

/// Where a declaration stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StyleFrom {
    /// In the element's own `style`.
    Inline,
    /// In an object that `style` names.
    Object,
    /// In a CSS module.
    Module,
    /// In a component's scoped styles.
    Scoped,
    /// In a stylesheet of the project.
    Stylesheet,
}

/// A place where a component is used.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Usage {
    /// The `<` of the use.
    pub src: Stamp,
    /// The name it is used by.
    pub component: String,
    /// The file.
    pub path: String,
    /// Its source in short, so that people tell usages apart.
    pub text: String,
    /// Whether it is the one that the page shows.
    pub likely: bool,
}

/// Which kinds of edits are possible.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[expect(missing_docs, reason = "the kinds of `Operation`")]
pub struct Can {
    pub text: Able,
    pub attribute: Able,
    pub style: Able,
    pub class: Able,
    pub insert: Able,
    #[serde(rename = "move")]
    pub r#move: Able,
    pub duplicate: Able,
    pub delete: Able,
    pub detach: Able,
    pub swap: Able,
}

/// `true` on the wire, or the reason why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Able {
    /// It can be done.
    Yes,
    /// Why it cannot.
    No(String),
}

impl Able {
    /// What planning said. A choice that is still to be made is no obstacle.
    pub fn of<T>(outcome: &Result<T, Refusal>) -> Self {
        match outcome {
            Err(refusal) if refusal.choices.is_empty() => Self::No(refusal.reason.clone()),
            _ => Self::Yes,
        }
    }
}

impl Serialize for Able {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Yes => serializer.serialize_bool(true),
            Self::No(reason) => serializer.serialize_str(reason),
        }
    }
}

impl Choice {
    /// A side of a conditional.
    #[must_use]
    pub fn branch(branch: Branch, label: impl Into<String>) -> Self {
        let value = match branch {
            Branch::Then => "then",
            Branch::Else => "else",
        };
        Self::new("branch", value, label)
    }

    /// One item, or all of them.
    #[must_use]
    pub fn scope(scope: Scope, label: impl Into<String>) -> Self {
        let value = match scope {
            Scope::Item => "item",
            Scope::All => "all",
        };
        Self::new("scope", value, label)
    }

    /// Under the condition of a declaration, or always.
    #[must_use]
    pub fn when(when: Whenever, label: impl Into<String>) -> Self {
        let value = match when {
            Whenever::Now => "now",
            Whenever::Always => "always",
        };
        Self::new("when", value, label)
    }

    /// One of the places a component is used.
    #[must_use]
    pub fn usage(usage: &Stamp, label: impl Into<String>) -> Self {
        Self::new("usage", usage.to_string(), label)
    }

    /// One of the element's text runs.
    #[must_use]
    pub fn run(run: usize, label: impl Into<String>) -> Self {
        Self::new("run", run, label)
    }

    /// Sets `option` of the request to `value`.
    #[must_use]
    pub fn new(option: &'static str, value: impl Into<serde_json::Value>, label: impl Into<String>) -> Self {
        Self {
            option,
            value: value.into(),
            label: label.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_that_is_not_possible_says_why() {
        let refused: Result<(), _> = Err(Refusal::uncertain(
            crate::source::model::Code::SpreadAfter,
            "a spread follows",
        ));
        assert_eq!(Able::of(&refused), Able::No("a spread follows".into()));
        assert_eq!(
            serde_json::to_string(&Able::of(&refused)).unwrap(),
            "\"a spread follows\""
        );
        assert_eq!(serde_json::to_string(&Able::Yes).unwrap(), "true");
    }

    #[test]
    fn a_choice_is_no_obstacle() {
        let choice = Choice::branch(Branch::Else, "when signed out");
        let refused: Result<(), _> = Err(Refusal::choose("which side?", vec![choice]));
        assert_eq!(Able::of(&refused), Able::Yes);
    }

    #[test]
    fn languages_are_told_by_the_ending() {
        assert_eq!(Language::of("src/App.TSX"), Some(Language::Jsx));
        assert_eq!(Language::of("src/App.vue"), Some(Language::Vue));
        for path in ["src/app.ts", "src/app.css", "Makefile", "a.vue/b"] {
            assert_eq!(Language::of(path), None, "{path}");
        }
    }
}
