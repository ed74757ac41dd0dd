//! What a language tells about an element.

use std::ops::Range;

/// An element, as far as its file says for certain. Offsets are bytes of [`Self::text`].
#[derive(Debug, Clone)]
pub struct Subject<'a> {
    /// The element's file.
    pub path: &'a str,
    /// The file's text.
    pub text: &'a str,
    /// The tag as written.
    pub tag: &'a str,
    /// Whether it is the use of a component: no selector is certain for it.
    pub is_component: bool,
    /// What a component's use can be given so that the element it shows has it.
    pub takes: Takes,
    /// Attributes with literal values (`None` for a flag), decoded, without `class` and `style`.
    pub attributes: Vec<(String, Option<String>)>,
    /// Whether more attributes may be there: a spread, or a bound one.
    pub open: bool,
    /// The classes that are certainly there, decoded.
    pub classes: Vec<String>,
    /// Whether more classes may be there: conditions, expressions, a spread.
    pub classes_open: bool,
    /// Whether there may be classes that the element's list does not name: those of an expression.
    pub classes_computed: bool,
    /// The members of CSS modules that are certainly in its class.
    pub modules: Vec<ModuleClass>,
    /// Its `style` attributes; Vue may have two.
    pub styles: Vec<Inline>,
    /// Whether numbers of style objects are pixels, as React has it.
    pub pixels: bool,
    /// Where a `style` attribute could be added; `None` where it cannot.
    pub insert: Option<Insert>,
    /// The elements around it, nearest first, up to the first that is not a host element. Empty when nothing is known.
    pub ancestors: Vec<Ancestor>,
    /// Which parts of the text are JavaScript: all of it in JSX, the `<script>` blocks in Vue.
    pub scripts: Vec<Range<usize>>,
    /// The component's `<style>` blocks.
    pub blocks: Vec<Block>,
}

/// What a component's use can be given so that the element that the component shows has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Takes {
    /// A class, which wins over the component's own.
    pub class: bool,
    /// A style.
    pub style: bool,
}

/// `styles.card` or `styles['card']` in a class list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleClass {
    /// The name of the object: `styles`, or `$style`.
    pub object: String,
    /// The member.
    pub name: String,
}

/// A `style` attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inline {
    /// What its value is.
    pub form: InlineForm,
    /// The value: the object with its braces, the text between the quotes, the expression.
    pub range: Range<usize>,
    /// The whole attribute with its name.
    pub attribute: Range<usize>,
    /// The quotes around the value in markup; `None` where it stands in JSX's braces.
    pub quote: Option<char>,
    /// Whether a spread behind it may replace it.
    pub spread_after: bool,
}

/// What the value of a `style` attribute is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InlineForm {
    /// An object literal: `{ color: 'red' }`.
    Object,
    /// CSS text: `color: red`.
    Text,
    /// A name or any other expression.
    Expression,
}

/// Where an attribute goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insert {
    /// The offset.
    pub at: usize,
    /// The white space before the attribute: a blank, or a line break with its indentation.
    pub space: String,
    /// Whether the language is JSX (`style={{ … }}`) or Vue (`style="…"`).
    pub jsx: bool,
}

/// An element around the subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ancestor {
    /// Its tag.
    pub tag: String,
    /// Attributes with literal values.
    pub attributes: Vec<(String, Option<String>)>,
    /// Whether it may have more.
    pub open: bool,
    /// The classes it certainly has.
    pub classes: Vec<String>,
    /// Whether it may have more.
    pub classes_open: bool,
    /// Its classes of CSS modules.
    pub modules: Vec<ModuleClass>,
}

/// A `<style>` block of a single-file component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What stands between its tags.
    pub content: Range<usize>,
    /// `<style scoped>`
    pub scoped: bool,
    /// Whether its rules certainly hold for what they select.
    pub certain: bool,
    /// The object's name of `<style module>`: `$style`, or the name it gives.
    pub module: Option<String>,
    /// `css`, `scss`, `less`, …
    pub lang: String,
}
