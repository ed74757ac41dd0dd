//! The elements of a template: which carry stamps, and where a stamp goes.

use super::tree::{Bound, Element, Id, NodeKind, Sfc};
use super::{names, scan, whitespace};
use crate::source::model::outline::{Outline, OutlineElement};
use crate::source::model::position::ATTRIBUTE;
use crate::source::model::position::Walker;
use crate::source::script::Broken;

/// How many characters of an element's text the outline tells.
const MAX_TEXT: usize = 80;

/// A place for a stamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StampPoint {
    /// Where the attribute is inserted: right behind the tag's name.
    pub offset: usize,
    /// The `<` of the element.
    pub element: usize,
}

/// Where stamps go in a file, in the order of the text.
///
/// Names of HTML, SVG and MathML carry them. To Vue a name with a dash is a component (`<my-card>` is `MyCard`, imported here
/// or registered anywhere) unless the project's build says otherwise (`isCustomElement`), which the file does not show; a stamp on a
/// component's use would fall through to its root element and hide that element's own. So names with a dash are left
/// out: see [`stamp_points_where`] for a caller who knows the project's custom elements.
///
/// # Errors
/// When the compiler would refuse the file, or the template is written in another language than HTML.
pub fn stamp_points(text: &str) -> Result<Vec<StampPoint>, Broken> {
    stamp_points_where(text, |_| false)
}

/// Like [`stamp_points`]; `is_custom` says which other names are custom elements of the browser.
///
/// # Errors
/// As there.
pub fn stamp_points_where(text: &str, is_custom: impl Fn(&str) -> bool) -> Result<Vec<StampPoint>, Broken> {
    let sfc = read(text)?;
    let points = sfc.elements().filter_map(|(id, element)| {
        let name = sfc.tag(element);
        let stamped =
            (sfc.is_host(element) || is_custom(name)) && sfc.attributes_of(element, ATTRIBUTE).next().is_none();
        stamped.then(|| StampPoint {
            offset: element.name.end,
            element: sfc.nodes[id].span.start,
        })
    });
    Ok(points.collect())
}

/// The elements of a file's template.
///
/// # Errors
/// As [`stamp_points`].
pub fn outline(text: &str) -> Result<Outline, Broken> {
    let sfc = read(text)?;
    let mut places = Walker::new(text);
    let mut indices = vec![None; sfc.nodes.len()];
    let mut elements: Vec<OutlineElement> = Vec::new();
    for (id, element) in sfc.elements() {
        let node = &sfc.nodes[id];
        indices[id] = Some(elements.len());
        elements.push(OutlineElement {
            at: places.position(node.span.start),
            tag: sfc.tag(element).to_owned(),
            component: !sfc.is_host(element),
            text: own_text(&sfc, element),
            parent: node.parent.and_then(|parent| indices[parent]),
            range: node.span.range(),
            opening: element.open.range(),
        });
    }
    Ok(Outline { elements })
}

/// Scans a file whose template can be edited.
///
/// # Errors
/// As [`stamp_points`].
pub fn read(text: &str) -> Result<Sfc<'_>, Broken> {
    let sfc = scan(text).checked()?;
    if let Some(template) = sfc.template()
        && let Some(lang) = template.lang.filter(|lang| *lang != "html")
    {
        let message = format!("the template is written in {lang}: only templates in HTML can be edited");
        let offset = sfc.nodes[template.id].span.start;
        return Err(Broken { message, offset });
    }
    Ok(sfc)
}

/// The text directly in an element, expressions as `{…}`, on one line.
fn own_text(sfc: &Sfc<'_>, element: &Element) -> String {
    let mut text = String::new();
    for id in &element.children {
        match sfc.nodes[*id].kind {
            NodeKind::Text(_) => text.push_str(&whitespace::shown(sfc, *id)),
            NodeKind::Interpolation(_) => text.push_str("{…}"),
            NodeKind::Comment | NodeKind::Element(_) => {}
        }
        if text.len() > 4 * MAX_TEXT {
            break;
        }
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_TEXT).collect()
}

impl Sfc<'_> {
    /// The elements of the template, in the order of the text; the `<template>` block itself is not one.
    pub fn elements(&self) -> impl Iterator<Item = (Id, &Element)> {
        let template = self.template().map(|template| template.id);
        let inside = template.map_or(0..0, |id| {
            let end = self.nodes[id].span.end;
            let behind = self.nodes.partition_point(|node| node.span.start < end);
            id + 1..behind
        });
        inside.filter_map(|id| Some((id, self.element(id)?)))
    }

    /// Whether this is an element of the page, which carries a stamp; everything else is a component, a slot, or nothing at all.
    #[must_use]
    pub fn is_host(&self, element: &Element) -> bool {
        let name = self.tag(element);
        // `is="vue:card"` is the component `card`. Vue leaves `script` and `style` out of the page.
        names::is_native(name)
            && !matches!(name, "template" | "script" | "style")
            && self.plain(element, "is").is_none_or(|is| !is.starts_with("vue:"))
            && !self.is_dynamic(element)
    }

    fn is_dynamic(&self, element: &Element) -> bool {
        element.attributes.iter().any(|attribute| {
            let directive = attribute.directive.as_ref();
            directive.is_some_and(|directive| directive.kind == Bound::Other) && attribute.name.of(self.text) == "v-is"
        })
    }

    /// Whether it is a component's use (and neither a slot, a dynamic `<component>` nor a `<template>`).
    #[must_use]
    pub fn is_component(&self, element: &Element) -> bool {
        !self.is_host(element) && !matches!(self.tag(element), "template" | "slot" | "script" | "style")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamped(template: &str) -> Vec<String> {
        let points = stamp_points(template).unwrap();
        points
            .iter()
            .map(|point| template[point.element..point.offset].to_owned())
            .collect()
    }

    #[test]
    fn elements_of_the_page_are_stamped_and_nothing_else() {
        let text = "<script setup>import Card from './Card.vue'</script>\n<template>\n  <main><Card><template #a><p/></template></Card>\
            <my-card/><component :is=\"x\"/><slot><i>b</i></slot><svg><path/></svg><math><mi/></math><div is=\"vue:x\"/>\
            <transition><b v-pre>{{ x }}<u/></b></transition></main>\n</template><style>.a{}</style>";
        assert_eq!(
            stamped(text),
            ["<main", "<p", "<i", "<svg", "<path", "<math", "<mi", "<b", "<u"]
        );
        let custom = stamp_points_where(text, |name| name == "my-card").unwrap();
        assert_eq!(custom.len(), 10);
    }

    #[test]
    fn what_is_stamped_already_stays_as_it_is() {
        assert_eq!(
            stamped("<template><p data-desde-src=\"a\"/><p :data-desde-src=\"a\"/><b/></template>"),
            ["<b"]
        );
    }

    #[test]
    fn a_template_in_another_language_is_refused() {
        let error = stamp_points("<template lang=\"pug\">\np a\n</template>").unwrap_err();
        assert!(error.message.contains("pug"), "{error}");
        assert_eq!(stamp_points("<script>export default {}</script>"), Ok(vec![]));
        assert_eq!(stamp_points("<template src=\"./a.html\" />"), Ok(vec![]));
    }

    #[test]
    fn a_broken_file_is_an_error_with_its_place() {
        let error = stamp_points("<template><p>a</div></template>").unwrap_err();
        assert_eq!(error.offset, 10, "{error}");
    }

    #[test]
    fn the_outline_knows_parents_and_texts() {
        let outline = outline("<template><ul>\n  a <li>b {{ c }}</li><Card/>\n</ul></template>").unwrap();
        let seen: Vec<_> = outline
            .elements
            .iter()
            .map(|entry| (entry.tag.as_str(), entry.component, entry.text.as_str(), entry.parent))
            .collect();
        assert_eq!(
            seen,
            [
                ("ul", false, "a", None),
                ("li", false, "b {…}", Some(0)),
                ("Card", true, "", Some(0))
            ]
        );
    }
}
