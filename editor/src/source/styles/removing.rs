//! Taking a declaration away.

use crate::source::model::{Code, Plan, Refusal, Scope};

use super::cascade::Contender;
use super::own::{Says, opaque};
use super::planner::{Planner, Step, join};
use super::sheets::{Declared, sources};
use super::utilities::{has_tailwind, setting};
use crate::source::css::edit::Declarations;

impl Planner<'_> {
    pub(super) fn remove(&self) -> Result<Step, Refusal> {
        let property = self.edit.property;
        let (sources, _) = sources(self.project, self.subject, self.edit.viewport);
        let candidates = self.candidates(&sources);
        if let Some(place) = self.edit.at
            && let Some(target) = self.at(&candidates, place)?
        {
            return self.remove_rules(&[target]);
        }
        for own in &self.owns {
            match own.says(self.subject, property) {
                Says::Declares => return own.remove(self.subject, self.edit).map(Step::Plan),
                Says::Covers => return Err(by_shorthand(property)),
                Says::Unknown => return Err(opaque(self.subject, own.inline)),
                Says::Spreads | Says::Nothing => {}
            }
        }
        if has_tailwind(self.project)
            && self.takes_class()
            && let Some(setting) = setting(property, &self.subject.classes)
        {
            if setting.exact {
                return Ok(Step::Classes {
                    add: Vec::new(),
                    remove: vec![setting.class],
                    notes: Vec::new(),
                });
            }
            return Err(self.set_by_class(&setting.class));
        }
        let winner = self.winner(&candidates, "")?;
        if winner.is_empty() {
            let reason = format!(
                "Nothing that the source tells for certain declares {property} for this element: there is nothing to remove"
            );
            return Err(Refusal::uncertain(Code::NoDeclaration, reason));
        }
        if self.edit.scope == Some(Scope::Item) {
            let reason = format!(
                "{property} is declared by {}: it can only be removed for all elements with that rule",
                winner[0].name()
            );
            return Err(Refusal::uncertain(Code::SharedStyle, reason));
        }
        self.remove_rules(&winner)
    }

    fn remove_rules(&self, targets: &[&Contender<'_>]) -> Result<Step, Refusal> {
        let property = self.edit.property;
        let mut all = Plan::default();
        for target in targets {
            if !target.exact {
                return Err(by_shorthand(property));
            }
            let own: Vec<Declared<'_>> = target
                .source
                .declarations(target.found.rule)
                .filter(|declared| declared.property == property)
                .collect();
            let [only] = own.as_slice() else {
                let reason = format!(
                    "{} declares {property} several times; remove them in the code",
                    target.name()
                );
                return Err(Refusal::uncertain(Code::SeveralRules, reason));
            };
            let declarations = Declarations::of(&target.source.sheet, target.source.text(), Some(target.found.rule));
            join(&mut all, target.source.plan(declarations.remove(only.node)));
        }
        Ok(Step::Plan(all))
    }
}

fn by_shorthand(property: &str) -> Refusal {
    let reason = format!("{property} is set through a shorthand, which sets other properties too: change that instead");
    Refusal::uncertain(Code::SetByShorthand, reason)
}
