use serde_json::Value;

use super::texts;
use crate::source::model::inspection::{Run, RunForm};
use crate::source::model::{Inspect, LineIndex, Operation, Plan, Project, Refusal, Request, Stamp};

mod components;
mod content;
mod followed;
mod hostile;
mod lists;
mod messages;
mod options;
mod refused;
mod shown;
mod translated;
mod used;
mod vue;

/// The stamp of the element that begins with `element` in a file.
pub fn stamp<const N: usize>(project: &[(&str, &str); N], path: &str, element: &str) -> Stamp {
    let text = project.read(path).expect("the file");
    let offset = text.find(element).expect("the element");
    Stamp {
        path: path.to_owned(),
        at: LineIndex::new(&text).position(offset),
    }
}

/// A request for another text.
pub fn request(src: Stamp, text: &str) -> Request {
    let operation = Operation::Text {
        text: text.to_owned(),
        run: None,
    };
    Request::of(src, operation)
}

pub fn plan(project: &dyn Project, request: &Request) -> Result<Plan, Refusal> {
    let Operation::Text { text, run } = &request.operation else {
        panic!("{request:?} is no edit of a text");
    };
    super::plan(project, request, (text, *run))
}

/// The files that an edit changes, as they are afterwards.
pub fn edit<const N: usize>(project: &[(&str, &str); N], request: &Request) -> Result<Vec<(String, String)>, Refusal> {
    let plan = plan(project, request)?;
    let changed = plan.changes.iter().map(|change| {
        let text = project.read(&change.path).expect("the file");
        (change.path.clone(), change.apply(&text).expect("ranges that fit"))
    });
    Ok(changed.collect())
}

/// Says that an edit of the element in the first file changes exactly `old` into `new`, in the file `changed`.
pub fn changes<const N: usize>(
    project: &[(&str, &str); N],
    element: &str,
    with: impl FnOnce(&mut Request),
    changed: &str,
    (old, new): (&str, &str),
) {
    let mut request = request(stamp(project, project[0].0, element), "New");
    with(&mut request);
    let outcome = edit(project, &request);
    let text = project.read(changed).expect("the file");
    assert_eq!(text.matches(old).count(), 1, "“{old}” stands once in {changed}");
    let wanted = vec![(changed.to_owned(), text.replace(old, new))];
    assert_eq!(outcome, Ok(wanted), "{element}");
}

/// The refusal of an edit of the element in the first file.
pub fn refusal<const N: usize>(project: &[(&str, &str); N], element: &str, with: impl FnOnce(&mut Request)) -> Refusal {
    let mut request = request(stamp(project, project[0].0, element), "New");
    with(&mut request);
    edit(project, &request).expect_err("a refusal")
}

/// The choices of a refusal as `option=value: label`.
pub fn choices(refusal: &Refusal) -> Vec<String> {
    let written = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let choices = refusal.choices.iter();
    let choices = choices.map(|choice| format!("{}={}: {}", choice.option, written(&choice.value), choice.label));
    choices.collect()
}

/// What an inspection of the element in the first file says about its texts.
pub fn inspected<const N: usize>(project: &[(&str, &str); N], element: &str, item: Option<usize>) -> Vec<Run> {
    let inspect = Inspect {
        src: stamp(project, project[0].0, element),
        item,
        within: None,
        viewport: Default::default(),
    };
    texts(project, &inspect).expect("an inspection").runs
}

/// A component file around markup.
pub fn app(markup: &str) -> String {
    format!("export default function App() {{\n  return (\n    {markup}\n  );\n}}\n")
}

#[test]
fn an_inspection_describes_each_run() {
    let code = app("<p>Hello {name}, <b>dear</b> {ok ? 'yes' : 'no'}</p>");
    let project = [("App.jsx", code.as_str())];
    let runs = inspected(&project, "<p>", None);
    let described: Vec<_> = runs
        .iter()
        .map(|run| (run.text.as_str(), run.form, run.editable))
        .collect();
    assert_eq!(
        described,
        [
            ("Hello", RunForm::Plain, true),
            ("name", RunForm::Expression, false),
            (",", RunForm::Plain, true),
            ("yes", RunForm::Branch, true),
        ]
    );
    assert_eq!(runs[0].at, Some(stamp(&project, "App.jsx", "Hello")));
    assert!(
        runs[1].why.as_deref().is_some_and(|why| why.contains("“name”")),
        "{runs:?}"
    );
    assert_eq!(runs[3].choices.len(), 2);
}
