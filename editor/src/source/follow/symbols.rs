//! What names stand for: where they are declared, and what destructuring takes of that.

use std::sync::Arc;

use super::evaluate::Resolver;
use super::value::{At, Candidate, FunctionAt, Provenance, Reason, Value};
use crate::source::model::Code;
use crate::source::module::{Module, Origin, SymbolId, Take, Touch};

impl Resolver<'_> {
    /// What a name stands for.
    pub(super) fn symbol(&self, module: &Arc<Module>, id: SymbolId, provenance: &Provenance) -> Vec<Candidate> {
        self.symbol_for(module, id, None, provenance)
    }

    /// What a name stands for, where its property `key` is wanted: changes of its other properties do not matter to that.
    pub(super) fn symbol_for(
        &self,
        module: &Arc<Module>,
        id: SymbolId,
        key: Option<&str>,
        provenance: &Provenance,
    ) -> Vec<Candidate> {
        let symbol = &module[id];
        let changed = |at: usize, what: &str| {
            let reason = format!(
                "“{}” {what} at {}, so the text that is shown is not the one that is written; change it in the code",
                symbol.name,
                module.place(at)
            );
            Candidate::unknown(provenance, Code::MutableVariable, reason)
        };
        if let Some(at) = symbol.write {
            return changed(at, "is given another value");
        }
        let candidates = self.origin(module, id, provenance);
        let matters = |touch: &&Touch| touch.key.is_none() || key.is_none() || touch.key.as_deref() == key;
        match symbol.touched.iter().find(matters) {
            Some(touch)
                if candidates
                    .iter()
                    .any(|candidate| matches!(candidate.value, Value::Node(_))) =>
            {
                changed(touch.at, "is changed")
            }
            _ => candidates,
        }
    }

    fn origin(&self, module: &Arc<Module>, id: SymbolId, provenance: &Provenance) -> Vec<Candidate> {
        let symbol = &module[id];
        match &symbol.origin {
            Origin::Value(path) => {
                let of = At {
                    module: module.clone(),
                    id: path.of,
                };
                let candidates = self.follow(&of, provenance);
                self.take(module, candidates, &path.takes)
            }
            Origin::Parameter(function, index, takes) => {
                let function = FunctionAt {
                    module: module.clone(),
                    id: *function,
                };
                let candidates = self.parameter(&function, *index, &symbol.name, provenance);
                self.take(module, candidates, takes)
            }
            Origin::Import(specifier, imported) => self.import(module, specifier, imported, provenance),
            Origin::Function(id) => {
                let (module, id) = (module.clone(), *id);
                vec![Candidate::new(provenance, Value::Function(FunctionAt { module, id }))]
            }
            Origin::Other(words) => {
                let place = module.place(symbol.range.start);
                let reason = format!(
                    "“{}” ({place}) is {words}: its text is not written in the source; change it in the code",
                    symbol.name
                );
                Candidate::unknown(provenance, Code::Computed, reason)
            }
        }
    }

    /// Takes values apart as destructuring does.
    fn take(&self, module: &Arc<Module>, mut candidates: Vec<Candidate>, takes: &[Take]) -> Vec<Candidate> {
        for take in takes {
            candidates = match take {
                Take::Key(key) => self.members(candidates, key),
                Take::Index(index) => self.members(candidates, &index.to_string()),
                Take::Rest(without) => {
                    let rest = |candidate: Candidate| match candidate.value {
                        value @ (Value::Unknown(_) | Value::Nothing) => Candidate::new(&candidate.provenance, value),
                        value => Candidate::new(&candidate.provenance, Value::Rest(Box::new(value), without.clone())),
                    };
                    candidates.into_iter().map(rest).collect()
                }
                Take::Default(id) => {
                    let (module, id) = (module.clone(), *id);
                    let default = At { module, id };
                    let mut filled = Vec::new();
                    for candidate in candidates {
                        let missing = matches!(candidate.value, Value::Nothing | Value::Unknown(_));
                        if missing {
                            filled.extend(self.follow(&default, &candidate.provenance));
                        }
                        if !matches!(candidate.value, Value::Nothing) {
                            filled.push(candidate);
                        }
                    }
                    filled
                }
                Take::Lost => {
                    let why = || {
                        Reason::new(
                            Code::Computed,
                            "What this name stands for is only known when the code runs; change it in the code",
                        )
                    };
                    let lost = |candidate: Candidate| Candidate::new(&candidate.provenance, Value::Unknown(why()));
                    candidates.into_iter().map(lost).collect()
                }
            };
        }
        candidates
    }
}
