//! An opened file with the element an edit is about.

use std::ops::Range;
use std::sync::Arc;

use super::framework::Framework;
use crate::source::model::Code;
use crate::source::model::plan::{Plan, Refusal, Replacement};
use crate::source::model::position::{LineIndex, Position, Stamp};
use crate::source::model::project::Project;
use crate::source::module::{self, Element, ElementId, Module};
use crate::source::script::Broken;
use crate::source::sfc;
use crate::source::write::lines;

/// A file that was read and understood.
pub(super) struct Source {
    pub path: String,
    pub text: Arc<str>,
    /// What the parser of scripts reads: the text itself, or of a Vue file the scripts that hold JSX, at their places.
    pub script: Arc<str>,
    /// The file, lowered.
    pub module: Arc<Module>,
    pub framework: Framework,
}

impl Source {
    /// Opens the file of a stamp and finds the element.
    pub fn open(project: &dyn Project, stamp: &Stamp) -> Result<(Self, ElementId), Refusal> {
        let source = Self::read(project, &stamp.path)?;
        let element = source.locate(stamp.at)?;
        Ok((source, element))
    }

    pub fn read(project: &dyn Project, path: &str) -> Result<Self, Refusal> {
        let text = project.read(path).ok_or_else(|| Refusal::no_source(path))?;
        let broken = |broken: Broken| {
            let at = LineIndex::new(&text).position(broken.offset);
            let reason = format!(
                "{path} has a syntax error in line {}, which has to be corrected first: {}",
                at.line, broken.message
            );
            Refusal::uncertain(Code::SyntaxError, reason)
        };
        let script = match path.ends_with(".vue") {
            true => sfc::jsx_script(&text).map_err(broken)?.unwrap_or_default().into(),
            false => text.clone(),
        };
        let module = module::get(project.kept(), path, &text).map_err(broken)?;
        let framework = Framework::of(project, path, &text, &module);
        let path = path.to_owned();
        Ok(Self {
            path,
            text,
            script,
            module,
            framework,
        })
    }

    /// The element whose `<` stands there.
    pub fn locate(&self, at: Position) -> Result<ElementId, Refusal> {
        let offset = LineIndex::new(&self.text).offset(at);
        offset
            .and_then(|offset| self.module.element_of_script(offset))
            .ok_or_else(|| {
                let path = self.path.clone();
                Refusal::no_element(&Stamp { path, at })
            })
    }

    pub fn element(&self, index: ElementId) -> &Element {
        &self.module[index]
    }

    pub fn slice(&self, range: &Range<usize>) -> &str {
        &self.text[range.clone()]
    }

    /// The place of a byte of the file.
    pub fn stamp(&self, offset: usize) -> Stamp {
        Stamp {
            path: self.path.clone(),
            at: LineIndex::new(&self.text).position(offset),
        }
    }

    /// A plan for this file.
    pub fn plan(&self, replacements: Vec<Replacement>) -> Plan {
        Plan::of(self.path.clone(), replacements)
    }

    /// How this file ends its lines.
    pub fn line_end(&self) -> &'static str {
        lines::line_end(&self.text)
    }

    /// The white space at the beginning of the line of `offset`.
    pub fn indentation(&self, offset: usize) -> &str {
        lines::indentation(&self.text, offset)
    }

    /// Whether nothing but white space stands before `offset` in its line.
    pub fn begins_line(&self, offset: usize) -> bool {
        lines::begins_line(&self.text, offset)
    }

    /// Whether nothing but white space follows `offset` in its line.
    pub fn ends_line(&self, offset: usize) -> bool {
        lines::ends_line(&self.text, offset)
    }

    /// Whether a range has its lines for itself.
    pub fn stands_alone(&self, range: &Range<usize>) -> bool {
        lines::stands_alone(&self.text, range)
    }

    /// A range together with its lines when nothing else stands in them.
    pub fn with_line(&self, range: &Range<usize>) -> Range<usize> {
        lines::with_line(&self.text, range)
    }

    /// What one step of indentation is, seen at an element: the difference to what it stands in, else two spaces.
    pub fn step(&self, index: ElementId) -> String {
        let element = self.element(index);
        let own = self.indentation(element.range.start);
        let first = element.children.iter().find(|child| {
            let start = child.range.start + leading_blank(self.slice(&child.range));
            start < child.range.end && self.begins_line(start)
        });
        let inner = first.map(|child| {
            let start = child.range.start + leading_blank(self.slice(&child.range));
            self.indentation(start)
        });
        let outer = || {
            let parent = element.parent?;
            let outer = self.indentation(self.element(parent).range.start);
            own.strip_prefix(outer).filter(|step| !step.is_empty())
        };
        inner
            .and_then(|inner| inner.strip_prefix(own))
            .filter(|step| !step.is_empty())
            .or_else(outer)
            .unwrap_or_else(|| if own.contains('\t') { "\t" } else { "  " })
            .to_owned()
    }

    /// The end of the spaces and tabs that follow `offset`.
    pub fn blank_after(&self, offset: usize) -> usize {
        lines::blank_after(&self.text, offset)
    }
}

/// How many bytes of white space a text begins with.
pub(super) fn leading_blank(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\n', '\r']).len()
}

/// How many bytes of white space a text ends with.
pub(super) fn trailing_blank(text: &str) -> usize {
    text.len() - text.trim_end_matches([' ', '\t', '\n', '\r']).len()
}
