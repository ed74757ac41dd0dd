//! Edits of every kind on a sample of the elements, each of them checked.

use std::time::Instant;

use galley_editor::source::engine;
use galley_editor::source::model::inspection::{Able, RunForm};
use galley_editor::source::model::outline::OutlineElement;
use galley_editor::source::model::{
    Inserted, Inspect, Inspection, Lanes, Language, Operation, Place, Project, Request, Stamp,
};

use super::Options;
use super::check;
use super::folder::Folder;
use super::lane;
use super::report::Report;

/// What is written as a new text: nothing in it is harmless to every syntax.
const TEXT: &str = r#"New <b> & {text} "it's" `${x}`"#;

/// Edits a sample and fills in the report's second part.
pub fn measure(folder: &Folder, options: &Options, report: &mut Report) {
    for (path, text) in folder.texts() {
        if Language::of(path).is_none() {
            continue;
        }
        let Ok(outline) = engine::outline(path, text) else {
            continue;
        };
        // Evenly: the beginning of a file is not like its end.
        let step = outline.elements.len().div_ceil(options.sample.max(1)).max(1);
        for element in outline.elements.iter().step_by(step) {
            let mut one = One {
                folder,
                options,
                report,
                src: element.stamp(path),
            };
            one.edit(element);
        }
    }
}

/// The edits of one element.
struct One<'r> {
    folder: &'r Folder,
    options: &'r Options,
    report: &'r mut Report,
    src: Stamp,
}

impl One<'_> {
    fn edit(&mut self, element: &OutlineElement) {
        let src = self.src.clone();
        let question = Inspect {
            src,
            item: Some(0),
            within: None,
            viewport: Default::default(),
        };
        let inspection = match engine::inspect(self.folder, &question, Lanes::default()) {
            Ok(inspection) => inspection,
            Err(refusal) => {
                let mistake = format!("{}: cannot be inspected: {}", self.src, refusal.reason);
                if self.options.verbose {
                    eprintln!("wrong: {mistake}");
                }
                self.report.wrong.push(mistake);
                return;
            }
        };
        self.texts(&inspection);
        self.attributes(&inspection);
        let host = !element.component;
        if !host {
            let (property, value) = ("outline-color".to_owned(), Some("rgb(1, 2, 3)".to_owned()));
            self.try_one("style", "component", Operation::Style { property, value }, None);
        }
        if host {
            let add = vec!["galley-corpus".to_owned()];
            let class = Operation::Class {
                add,
                remove: Vec::new(),
            };
            self.try_one("class", &format!("{:?}", inspection.classes.form), class, None);
            let (property, value) = ("outline-color".to_owned(), Some("rgb(1, 2, 3)".to_owned()));
            self.try_one("style", "new", Operation::Style { property, value }, None);
        }
        let shape = |yes: bool| if yes { "host" } else { "component" };
        self.try_one("delete", shape(host), Operation::Delete, None);
        self.try_one("duplicate", shape(host), Operation::Duplicate, None);
        for place in [Place::Before, Place::After, Place::First, Place::Last] {
            let what = Inserted::Markup("<span title=\"new\">new</span>".to_owned());
            self.try_one("insert", &format!("{place:?}"), Operation::Insert { place, what }, None);
        }
    }

    fn texts(&mut self, inspection: &Inspection) {
        if inspection.text.is_empty() && inspection.can.text == Able::Yes {
            let text = "New".to_owned();
            let given = self.try_one("text", "empty", Operation::Text { text, run: None }, None);
            if !given {
                self.report
                    .wrong
                    .push(format!("{} text empty: it was said to be possible", self.src));
            }
        }
        for run in &inspection.text {
            // The gaps of a translation have to stay.
            let text = match run.form {
                RunForm::Translation => format!("{} \"it's\" & `$", run.text.trim()),
                _ => TEXT.to_owned(),
            };
            let operation = Operation::Text {
                text,
                run: Some(run.run),
            };
            self.try_one("text", &format!("{:?}", run.form), operation, Some(inspection));
        }
    }

    fn attributes(&mut self, inspection: &Inspection) {
        let value = Some(r#"new "value" & <b> it's {x}"#.to_owned());
        let new = Operation::Attribute {
            name: "data-corpus".to_owned(),
            value: value.clone(),
        };
        self.try_one("attribute", "new", new, None);
        for attribute in &inspection.attributes {
            // Directives are code, whatever they are called.
            let is_one = !attribute.name.starts_with(['.', ':', '@', '#'])
                && !attribute.name.starts_with("v-")
                && !attribute.name.contains(':');
            if is_one && !matches!(&*attribute.name, "class" | "className" | "style" | "key" | "ref") {
                let (name, value) = (attribute.name.clone(), value.clone());
                self.try_one(
                    "attribute",
                    &format!("{:?}", attribute.form),
                    Operation::Attribute { name, value },
                    None,
                );
            }
        }
    }

    /// Plans an edit, counts its outcome, and checks what it does.
    /// Whether it was not refused.
    fn try_one(&mut self, kind: &'static str, shape: &str, operation: Operation, before: Option<&Inspection>) -> bool {
        if self.options.kind.as_deref().is_some_and(|only| only != kind) {
            return true;
        }
        let request = Request {
            item: Some(0),
            ..Request::of(self.src.clone(), operation)
        };
        let mut possible = true;
        let started = Instant::now();
        let planned = engine::plan(self.folder, &request, Lanes::default());
        let took = started.elapsed();
        let outcomes = self.report.shapes.entry((kind, shape.to_lowercase())).or_default();
        match planned {
            Ok(plan) => {
                outcomes.applied += 1;
                self.report.planned += 1;
                self.report.planning += took;
                let verdict = check::check(self.folder, &request, &plan, before);
                self.report.intact += usize::from(verdict.intact);
                if self.options.lane {
                    let words = format!("{} {kind} {shape}", self.src);
                    lane::measure(self.folder, &plan, &words, self.report);
                }
                if let Some(mistake) = verdict.mistake {
                    if self.options.verbose {
                        eprintln!("wrong: {} {kind} {shape}: {mistake}\n{plan:#?}", self.src);
                    }
                    self.report
                        .wrong
                        .push(format!("{} {kind} {shape}: {mistake}", self.src));
                }
            }
            Err(refusal) if !refusal.choices.is_empty() => outcomes.choice += 1,
            Err(refusal) => {
                possible = false;
                outcomes.refused += 1;
                if let (true, Some(inspection)) = (self.options.lane, before) {
                    let words = format!("{} {kind} {shape}", self.src);
                    lane::repair(self.folder, (&request, inspection), &refusal, &words, self.report);
                }
                if self.options.verbose {
                    eprintln!("refused: {} {kind} {shape}: {}", self.src, refusal.reason);
                }
                *self
                    .report
                    .refusals
                    .entry(format!("{kind}: {}", refusal.code))
                    .or_default() += 1;
            }
        }
        possible
    }
}

/// The text of a file, or nothing.
pub fn text_of(project: &dyn Project, path: &str) -> String {
    project.read(path).map(|text| text.to_string()).unwrap_or_default()
}
