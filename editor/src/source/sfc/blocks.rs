//! The blocks of a file: template, scripts, styles.

use super::tree::{Element, Id, NodeKind, Sfc, Span};
use super::whitespace;

/// A block of the top level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block<'t> {
    /// Its element.
    pub id: Id,
    /// What stands between its tags.
    pub content: Span,
    /// `lang`, as `ts`, `scss` or `pug`.
    pub lang: Option<&'t str>,
    /// `src`: the content stands in another file.
    pub src: Option<&'t str>,
    /// `setup`, on scripts.
    pub setup: bool,
    /// `scoped`, on styles.
    pub scoped: bool,
    /// `module`, on styles: its name, `$style` when none is written.
    pub module: Option<&'t str>,
}

impl Block<'_> {
    /// A file's name from which the parser of scripts knows the language of this one; `None` when it is no JavaScript.
    #[must_use]
    pub fn script_path(&self) -> Option<&'static str> {
        match self.lang {
            None | Some("js" | "jsx") => Some("component.jsx"),
            Some("ts") => Some("component.ts"),
            Some("tsx") => Some("component.tsx"),
            Some(_) => None,
        }
    }
}

impl<'t> Sfc<'t> {
    /// The template.
    #[must_use]
    pub fn template(&self) -> Option<Block<'t>> {
        self.blocks("template").next()
    }

    /// The scripts, `<script setup>` included; there are at most two.
    pub fn scripts(&self) -> impl Iterator<Item = Block<'t>> {
        self.blocks("script")
    }

    /// The styles.
    pub fn styles(&self) -> impl Iterator<Item = Block<'t>> {
        self.blocks("style")
    }

    /// The translations, vue-i18n's own block.
    pub fn messages(&self) -> impl Iterator<Item = Block<'t>> {
        self.blocks("i18n")
    }

    /// The blocks of this name that the compiler looks at: empty ones without `src` do not count.
    fn blocks(&self, name: &'static str) -> impl Iterator<Item = Block<'t>> {
        self.roots.iter().filter_map(move |id| {
            let element = self.element(*id)?;
            let counts = self.tag(element) == name && (name == "template" || self.is_filled(element));
            counts.then(|| self.block(*id, element))
        })
    }

    fn is_filled(&self, element: &Element) -> bool {
        let has_text = |id: &Id| match &self.nodes[*id].kind {
            NodeKind::Text(_) => !whitespace::shown(self, *id).trim().is_empty(),
            _ => true,
        };
        self.plain(element, "src").is_some() || element.children.iter().any(has_text)
    }

    fn block(&self, id: Id, element: &Element) -> Block<'t> {
        let has = |name| self.plain(element, name).is_some();
        let value = |name| self.plain(element, name).filter(|value| !value.is_empty());
        Block {
            id,
            content: element.inner(),
            lang: value("lang"),
            src: value("src"),
            setup: has("setup"),
            scoped: has("scoped"),
            module: self
                .plain(element, "module")
                .map(|name| if name.is_empty() { "$style" } else { name }),
        }
    }

    /// The value of a plain attribute as written, empty for one without value.
    #[must_use]
    pub fn plain(&self, element: &Element, name: &str) -> Option<&'t str> {
        let attribute = element
            .attributes
            .iter()
            .find(|attribute| attribute.directive.is_none() && attribute.name.of(self.text) == name)?;
        Some(attribute.value.map_or("", |value| value.inner.of(self.text)))
    }
}
