//! The `style` kind: where a CSS property of an element is declared, and what to change so that it has another value.
//!
//! # How the languages call it
//! `jsx` and `vue` describe the element as a [`Subject`] and call [`inspect`] for the `styles` of an inspection and
//! [`plan`] for an edit. The plan's answer is a [`Step`]: replacements, or an edit of the class list, which the language
//! does as if it had been asked for `class { add, remove }`.
//!
//! # Which place is changed
//! The first of these that declares the property (or, for a longhand, a shorthand of it):
//! 1. the element's own `style`: an object (`style={{ … }}`, `:style="{ … }"`), the text of a static `style="…"`, or an
//!    object that it names (`style={styles.card}`, in this file or imported);
//! 2. a Tailwind utility without variants in its class list: it is replaced by the one with the new value;
//! 3. the rule that wins among the certain ones of its CSS modules, the component's `<style>` blocks, and the stylesheets
//!    the prototype imports.
//!
//! Nothing declares it: it is added to the element's own `style` when there is one; as a utility when the element already
//! has utilities and the prototype uses Tailwind; to a module's or scoped rule that names nothing but a class of this one
//! element; else as a new `style` on the element.
//!
//! # What is certain
//! A rule is offered only when every condition of its selector is known to hold: tag, literal classes, id, attributes, and
//! the ancestors that stand in the same file. A rule behind `:hover`, or an ancestor that is not seen, is listed with the
//! reason why it is not editable. When a rule whose selector might hold could win over the certain one, the edit is refused
//! (`style-uncertain`), since the change might not be seen. A rule that several places of the source share asks for the
//! `scope`: `all` changes the rule, `item` gives this element its own `style`.
//!
//! # Conditions
//! `@media`, `@container`, `@supports` and so on, around a rule or in it, hold or do not hold in the page that is shown (its
//! [`Viewport`](crate::source::model::Viewport)), or it is not known. What holds is as good as any other rule; when it decides, the edit
//! asks `when`: under its condition, or always, which changes everything that would win over the rule without a condition. What
//! does not hold, or is named by its place (`at`), is changed on demand. Whatever the page will not show, or may not, is said in
//! the plan's `notes`.
//!
//! A stylesheet that another one imports holds in the layer and under the conditions of its `@import`, and the order of imports
//! decides where specificities are equal. The names of Tailwind's breakpoints in conditions are read as their widths.
//!
//! # Refusals
//! `bad-property`, `bad-value`, `no-declaration`, `spread-after`, `expression`, `style-expression`,
//! `shorthand-after`, `set-by-shorthand`, `set-by-class`, `shared-style`, `several-rules`, `style-uncertain`,
//! `stylesheet-broken`, `no-style-place`, and
//! `choice-needed` with `scope`, `when` or `branch`.

mod base;
mod cascade;
mod deciding;
mod inline;
mod links;
mod listing;
mod loading;
mod member;
mod mentions;
mod object;
mod own;
mod planner;
mod properties;
mod removing;
mod scripts;
mod sheets;
mod standing;
mod style_edit;
mod subject;
#[cfg(test)]
mod tests;
mod tokens;
mod utilities;
mod variant;

pub use listing::inspect;
pub use own::attribute;
pub use planner::{Step, plan};
pub use style_edit::StyleEdit;
pub use subject::{Ancestor, Block, Inline, InlineForm, Insert, ModuleClass, Subject, Takes};
pub use tokens::{Token, tokens};
pub use utilities::{property_of, utilities};
pub use variant::under_variant;
