//! What the engine plans because a model asked for it: no proposal, and through the gate all the same. That it reads and means what
//! was asked the engine knows; where it leads, how large it is and what the prototype could do afterwards it does not ask. How it is
//! laid out is the engine's own, so that is not judged.

use super::{Code, Limits, Refusal, Text, allowed, not_written, nothing_new, size};
use crate::source::model::Plan;
use crate::workspace::{By, Committed, EntryKind, Workspace, Writer};

/// For which model an edit is made, and how far it may go.
#[derive(Debug, Clone)]
pub struct Leave {
    /// Who is named in the history.
    pub by: By,
    /// How much it may change, with what a person has allowed.
    pub limits: Limits,
    /// What that person saw before allowing it: a yes is to those texts only.
    pub seen: Option<Vec<Text>>,
}

/// Makes an edit a step of the history, which is called `title`. `texts` are what comes of `plan`, which the engine verified.
///
/// # Errors
/// With the check that refuses it; no file differs then.
pub fn write(
    workspace: &Workspace,
    writer: Writer<'_>,
    title: &str,
    plan: &Plan,
    texts: &[Text],
    leave: Leave,
) -> Result<Committed, Refusal> {
    check(&|path| workspace.is_own(path), plan, texts, &leave)?;
    let mut writer = writer.on_behalf_of(leave.by);
    let done = writer.replace(EntryKind::Edit, title, texts);
    done.map_err(|error| not_written(&error))
}

fn check(is_own: &dyn Fn(&str) -> bool, plan: &Plan, texts: &[Text], leave: &Leave) -> Result<(), Refusal> {
    if leave.seen.as_ref().is_some_and(|seen| seen != texts) {
        let reason =
            "the source was changed while the user was asked, and the edit would be another one now: look at it again";
        return Err(Refusal::new(Code::NotUnique, reason));
    }
    for (path, ..) in texts {
        allowed(is_own, path, &leave.limits)?;
    }
    size(plan, texts, &leave.limits)?;
    nothing_new(texts, &leave.limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::engine;
    use crate::source::model::{Lanes, Project, Request};

    const APP: &str = "export const App = () => (\n  <main>\n    <h1>Hello</h1>\n  </main>\n);\n";

    /// What the engine makes of an edit, and what the gate says of it in a chat.
    fn judged(path: &str, edit: serde_json::Value, change: impl FnOnce(&mut Leave)) -> Result<(), Refusal> {
        let project = [(path, APP)];
        let mut request = edit;
        request["src"] = format!("{path}:3:4").into();
        let request: Request = serde_json::from_value(request).unwrap();
        let plan = engine::plan(
            &project,
            &request,
            Lanes {
                detach: false,
                swap: false,
            },
        )
        .unwrap();
        let texts = plan.changes.iter().map(|change| {
            let old = project.read(&change.path).unwrap();
            let new = change.apply(&old).unwrap();
            (change.path.clone(), old, new)
        });
        let texts: Vec<Text> = texts.collect();
        let by = By {
            session: "chat".into(),
            turn: None,
            model: "m".into(),
        };
        let mut leave = Leave {
            by,
            limits: Limits::chat(),
            seen: None,
        };
        change(&mut leave);
        check(&|_| true, &plan, &texts, &leave)
    }

    fn insert(markup: &str) -> serde_json::Value {
        serde_json::json!({ "kind": "insert", "place": "after", "markup": markup })
    }

    #[test]
    fn what_the_engine_puts_in_can_do_nothing_new_either() {
        for markup in [
            "<p>{globalThis.process?.getBuiltinModule(\"child_process\").execSync(\"touch x\")}</p>",
            "<p>{globalThis.fetch(\"/x?\" + document.cookie)}</p>",
            "<p>{[].at[\"const\" + \"ructor\"](\"return this\")()}</p>",
            "<p>{[].at.constructor.call(0, \"return this\")()}</p>",
            "<script src=\"https://b.example/x.js\" />",
            "<iframe src=\"/x\" />",
            "<p dangerouslySetInnerHTML={{ __html: \"x\" }} />",
            "<a href=\"javascript:a()\">x</a>",
        ] {
            let refusal = judged("src/App.tsx", insert(markup), |_| ()).expect_err(markup);
            assert_eq!(
                (refusal.code, refusal.can_be_granted),
                (Code::NewCapability, true),
                "{markup}"
            );
            let granted = |leave: &mut Leave| leave.limits.granted.push(Code::NewCapability);
            judged("src/App.tsx", insert(markup), granted).expect(markup);
        }
        judged("src/App.tsx", insert("<p>Plain</p>"), |_| ()).unwrap();
    }

    #[test]
    fn signs_that_nobody_sees_files_of_tools_and_large_edits_are_refused() {
        let bidi = judged("src/App.tsx", insert("<p>a\u{202e}b</p>"), |_| ()).unwrap_err();
        assert_eq!((bidi.code, bidi.can_be_granted), (Code::NotVerified, false));
        let closed = judged("src/app.config.tsx", insert("<p>Plain</p>"), |_| ()).unwrap_err();
        assert_eq!((closed.code, closed.can_be_granted), (Code::OffLimits, false));
        let long = format!("<div>\n{}</div>", "<p>x</p>\n".repeat(500));
        let long = judged("src/App.tsx", insert(&long), |_| ()).unwrap_err();
        assert_eq!((long.code, long.can_be_granted), (Code::TooMuch, true));
    }

    #[test]
    fn a_yes_is_to_what_was_seen() {
        let text = serde_json::json!({ "kind": "text", "text": "Servus" });
        let seen = |new: &str| vec![("src/App.tsx".to_owned(), APP.into(), APP.replace("Hello", new))];
        judged("src/App.tsx", text.clone(), |leave| leave.seen = Some(seen("Servus"))).unwrap();
        let other = judged("src/App.tsx", text, |leave| leave.seen = Some(seen("Hi"))).unwrap_err();
        assert_eq!((other.code, other.can_be_granted), (Code::NotUnique, false));
    }
}
