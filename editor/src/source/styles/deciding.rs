//! Which declarations an edit is for: the one that is in force, with what has to be chosen before.

use crate::source::model::{Choice, Code, Refusal, Scope, Whenever};

use super::base::Base;
use super::cascade::Contender;
use super::planner::Planner;
use crate::source::css::condition::Condition;
use crate::source::css::matching::Sure;

impl Planner<'_> {
    /// The declarations to change: the one that is in force, if there is a certain one, and where it is to hold always all that win
    /// over others under some condition. With an answer about the scope where one is needed. Empty also when `scope: item` was chosen.
    pub(super) fn winner<'c, 's>(
        &self,
        candidates: &'c [Contender<'s>],
        value: &str,
    ) -> Result<Vec<&'c Contender<'s>>, Refusal> {
        let certain = candidates.iter().filter(|candidate| candidate.sure() == Sure::Yes);
        let Some(winner) = certain
            .clone()
            .max_by_key(|candidate| (candidate.strength(), candidate.order, candidate.rank()))
        else {
            return Ok(Vec::new());
        };
        if self.edit.scope == Some(Scope::Item) && !value.is_empty() {
            return match winner.declared.important {
                true => Err(important(winner)),
                false => Ok(Vec::new()),
            };
        }
        let targets = self.targets(candidates, winner)?;
        let rival = certain
            .clone()
            .find(|other| other.order != winner.order && other.beats(winner) != Some(false));
        let mut uncertain = candidates.iter().filter(|candidate| candidate.sure() == Sure::Maybe);
        let threat = uncertain.find(|other| other.beats(winner) != Some(false));
        let shared = targets
            .iter()
            .map(|target| target.source.shared(self.project, self.subject, target.found))
            .max()
            .unwrap_or(1);
        let doubt = match (rival, threat) {
            (Some(rival), _) => Some(format!(
                "{} also declares it, and which of them wins is not certain",
                rival.name()
            )),
            (_, Some(threat)) => Some(format!("{} might declare it too, and win", threat.name())),
            _ => None,
        };
        match (self.edit.scope, doubt) {
            (Some(Scope::All), _) => Ok(targets),
            (_, Some(doubt)) => Err(self.choose(
                winner,
                shared,
                &doubt,
                if rival.is_some() {
                    Code::SeveralRules
                } else {
                    Code::StyleUncertain
                },
            )),
            _ if shared > 1 => {
                Err(self.choose(winner, shared, "other elements have the same rule", Code::ChoiceNeeded))
            }
            _ => Ok(targets),
        }
    }

    /// The winner alone; or, where it holds on a condition and the change is to be seen always, everything that would win over it
    /// under another one.
    fn targets<'c, 's>(
        &self,
        candidates: &'c [Contender<'s>],
        winner: &'c Contender<'s>,
    ) -> Result<Vec<&'c Contender<'s>>, Refusal> {
        if winner.found.conditions.is_empty() {
            return Ok(vec![winner]);
        }
        let base = candidates
            .iter()
            .filter(|candidate| candidate.sure() == Sure::Yes && candidate.found.conditions.is_empty())
            .max_by_key(|candidate| (candidate.strength(), candidate.order, candidate.rank()));
        match (self.edit.when, base) {
            (Some(Whenever::Now), _) => Ok(vec![winner]),
            (Some(Whenever::Always), Some(base)) => Ok(everywhere(candidates, base)),
            (Some(Whenever::Always), None) if self.edit.value.is_some() && Base::of(winner).is_some() => {
                Ok(as_strong(candidates, winner))
            }
            (_, base) => self.choose_when(winner, base),
        }
    }

    /// Asks whether the change is for where the winner's condition holds, or for always.
    fn choose_when<'c, 's>(
        &self,
        winner: &'c Contender<'s>,
        base: Option<&Contender<'s>>,
    ) -> Result<Vec<&'c Contender<'s>>, Refusal> {
        let words = winner.condition().unwrap_or_default();
        let is_width = winner.found.conditions.iter().all(Condition::is_width);
        let mut choices = vec![Choice::when(Whenever::Now, format!("Only {words}"))];
        let always = if is_width { "At all widths" } else { "Always" };
        if base.is_some() {
            choices.push(Choice::when(Whenever::Always, always));
        } else if self.edit.value.is_some()
            && let Some(base) = Base::of(winner)
        {
            choices.push(Choice::when(Whenever::Always, format!("{always}: {}", base.words())));
        }
        if base.is_none() && self.edit.value.is_some() && !winner.declared.important && self.can_stand_on_element() {
            choices.push(Choice::scope(
                Scope::Item,
                "Always, only this element, in its own style",
            ));
        }
        if choices.len() == 1 {
            return Ok(vec![winner]);
        }
        let reason = format!(
            "{} is declared by {}, {words}: choose what the change is for",
            self.edit.property,
            winner.at()
        );
        Err(Refusal::choose(reason, choices))
    }

    fn choose(&self, winner: &Contender<'_>, shared: usize, why: &str, code: Code) -> Refusal {
        let places = match shared {
            1 => "for this element".to_owned(),
            2..1000 => format!("for all {shared} places of the source that it holds for"),
            _ => "for every element that it holds for".to_owned(),
        };
        let mut choices = vec![Choice::scope(Scope::All, format!("Change {} {places}", winner.name()))];
        if self.edit.value.is_some() && !winner.declared.important && self.can_stand_on_element() {
            choices.push(Choice::scope(Scope::Item, "Only this element, in its own style"));
        }
        let reason = format!(
            "{} is declared by {}, but {why}: choose what the change is for",
            self.edit.property,
            winner.name()
        );
        Refusal {
            code,
            ..Refusal::choose(reason, choices)
        }
    }

    fn can_stand_on_element(&self) -> bool {
        !self.owns.is_empty() || (self.subject.insert.is_some() && !self.subject.is_component)
    }
}

/// Of each block the declaration that holds on a condition and is as strong as the winner, which comes first: they would win over one
/// without a condition beside it.
fn as_strong<'c, 's>(candidates: &'c [Contender<'s>], winner: &'c Contender<'s>) -> Vec<&'c Contender<'s>> {
    let strong = |other: &&Contender<'_>| {
        other.found.selects == Sure::Yes
            && !other.found.conditions.is_empty()
            && other.strength() >= winner.strength()
            && (other.order, other.declared.index) != (winner.order, winner.declared.index)
    };
    std::iter::once(winner)
        .chain(candidates.iter().filter(strong))
        .collect()
}

/// A declaration without a condition, and those that win over it where their conditions hold: the last of each block.
fn everywhere<'c, 's>(candidates: &'c [Contender<'s>], base: &'c Contender<'s>) -> Vec<&'c Contender<'s>> {
    let mut targets = vec![base];
    let conditional = candidates
        .iter()
        .filter(|other| other.found.selects == Sure::Yes && !other.found.conditions.is_empty());
    for other in conditional.filter(|other| other.beats(base) != Some(false)) {
        let same = |target: &&mut &Contender<'_>| target.order == other.order && target.found.rule == other.found.rule;
        match targets.iter_mut().find(same) {
            Some(target) if other.rank() > target.rank() => *target = other,
            Some(_) => {}
            None => targets.push(other),
        }
    }
    targets
}

fn important(winner: &Contender<'_>) -> Refusal {
    let reason = format!(
        "{} declares it as !important, which wins over the element's own style: change it for all elements with that rule, or take the !important out in the code",
        winner.name()
    );
    Refusal::uncertain(Code::StyleUncertain, reason)
}
