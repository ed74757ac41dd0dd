//! Calls: those that give back what they are given, and words for the others.

use super::evaluate::{Resolver, computed};
use super::list::WRAPPERS;
use super::value::{At, Candidate, Decision, FunctionAt, Provenance, Reason, Value, and};
use crate::source::model::Code;
use crate::source::model::plan::short;
use crate::source::module::{Imported, Key, Module, NodeId, Origin, Shape, Take};

/// Calls that give back their first argument.
const SAME: [&str; 12] = [
    "ref",
    "shallowRef",
    "reactive",
    "shallowReactive",
    "readonly",
    "toRef",
    "unref",
    "toValue",
    "Object.freeze",
    "useRef",
    "String",
    "markRaw",
];

/// Calls that give back what their function gives back.
const RESULT: [&str; 4] = ["useMemo", "computed", "React.useMemo", "useComputed"];

/// Calls whose function imports a component.
const LAZY: [&str; 4] = ["lazy", "React.lazy", "defineAsyncComponent", "dynamic"];

/// Calls whose result has the value in `.value`.
const REFERENCES: [&str; 5] = ["ref", "shallowRef", "computed", "toRef", "useComputed"];

impl Resolver<'_> {
    /// How a callee is written: `t`, `i18n.t`, `React.memo`; empty when it is nothing of this kind.
    pub(super) fn callee_name(&self, callee: &At) -> String {
        match &callee.node().shape {
            Shape::Name(_, name) => name.clone(),
            Shape::Member(object, Key::Named(name)) => match self.callee_name(&callee.with(*object)) {
                object if object.is_empty() => format!(".{name}"),
                object => format!("{object}.{name}"),
            },
            Shape::This => "this".to_owned(),
            Shape::Import(_) => "import".to_owned(),
            _ => String::new(),
        }
    }

    pub(super) fn call(
        &self,
        at: &At,
        callee: NodeId,
        arguments: &[NodeId],
        provenance: &Provenance,
    ) -> Vec<Candidate> {
        let callee = at.with(callee);
        let name = self.callee_name(&callee);
        let first = arguments.first().map(|argument| at.with(*argument));
        let last = name.rsplit('.').next().unwrap_or_default();
        if let Some(candidates) = self.translation(at, &callee, arguments, provenance) {
            return candidates;
        }
        match first {
            Some(first) if WRAPPERS.contains(&last) || SAME.contains(&name.as_str()) => {
                return self.follow(&first, provenance);
            }
            Some(first) if RESULT.contains(&name.as_str()) => {
                let candidates = self.follow(&first, provenance);
                return self.results(candidates, at);
            }
            Some(first) if LAZY.contains(&name.as_str()) => {
                let candidates = self.follow(&first, provenance);
                let candidates = self.results(candidates, at);
                return self.members(candidates, "default");
            }
            _ => {}
        }
        if matches!(name.as_str(), "defineProps" | "withDefaults")
            && let Some(component) = at.module.component()
        {
            let module = at.module.clone();
            return vec![Candidate::new(
                provenance,
                Value::Props(FunctionAt { module, id: component }),
            )];
        }
        if let (Shape::Member(list, Key::Named(method)), Some(first)) = (&callee.node().shape, arguments.first()) {
            let list = at.with(*list);
            match (method.as_str(), &at.module[*first].shape) {
                ("find", Shape::Function(id)) => {
                    let (module, id) = (at.module.clone(), *id);
                    return self.found(&list, &FunctionAt { module, id }, provenance);
                }
                ("at", Shape::Number(index)) => {
                    let candidates = self.follow(&list, provenance);
                    return self.members(candidates, index);
                }
                _ => {}
            }
        }
        // A function of the project: what it gives back.
        if matches!(callee.node().shape, Shape::Name(Some(_), _)) {
            let candidates = self.follow(&callee, provenance);
            if candidates
                .iter()
                .all(|candidate| matches!(candidate.value, Value::Function(_)))
                && !candidates.is_empty()
            {
                return self.results(candidates, at);
            }
        }
        vec![Candidate::new(provenance, Value::Node(at.clone()))]
    }

    /// What functions give back when they are called at `call`.
    pub(super) fn results(&self, candidates: Vec<Candidate>, call: &At) -> Vec<Candidate> {
        let mut results = Vec::new();
        for candidate in candidates {
            let Value::Function(function) = &candidate.value else {
                results.push(candidate);
                continue;
            };
            let provenance = and(&candidate.provenance, Decision::Call(function.clone(), call.clone()));
            for id in &function.module[function.id].returns {
                let module = function.module.clone();
                results.extend(self.follow(&At { module, id: *id }, &provenance));
            }
        }
        results
    }

    /// A property of what a call gives.
    pub(super) fn call_member(
        &self,
        at: &At,
        callee: NodeId,
        arguments: &[NodeId],
        key: &str,
        provenance: &Provenance,
    ) -> Vec<Candidate> {
        let callee = at.with(callee);
        let name = self.callee_name(&callee);
        let is_state = matches!(
            name.as_str(),
            "useState" | "React.useState" | "useReducer" | "React.useReducer"
        );
        if is_state && key == "0" {
            let Some(first) = arguments.first().map(|argument| at.with(*argument)) else {
                return vec![Candidate::new(provenance, Value::Nothing)];
            };
            if !name.ends_with("useReducer") && !is_set(&at.module, at.id) {
                let candidates = self.follow(&first, provenance);
                return self.results(candidates, at);
            }
            let reason = format!(
                "It is state: it begins as {} ({}) and changes while the prototype runs. Change its beginning in the code \
                 there",
                short(first.excerpt()),
                first.place()
            );
            return Candidate::unknown(provenance, Code::State, reason);
        }
        let why = self.call_why(at, &callee);
        Candidate::unknown(provenance, why.code, why.reason)
    }

    /// Whether an expression is a name of one of Vue's references.
    pub(super) fn is_reference(&self, at: &At) -> bool {
        let Shape::Name(Some(symbol), _) = at.node().shape else {
            return false;
        };
        let Origin::Value(path) = &at.module[symbol].origin else {
            return false;
        };
        let Shape::Call(callee, _) = at.module[path.of].shape else {
            return false;
        };
        path.takes.is_empty() && REFERENCES.contains(&self.callee_name(&at.with(callee)).as_str())
    }

    /// The component an expression is, if it is one.
    pub(super) fn component(&self, at: &At) -> Option<FunctionAt> {
        let mut candidates = self.apart(|| self.follow(at, &Vec::new()));
        match (candidates.pop(), candidates.is_empty()) {
            (
                Some(Candidate {
                    value: Value::Function(function),
                    ..
                }),
                true,
            ) => Some(function),
            _ => None,
        }
    }

    /// Why the result of a call is no text of the source.
    pub(super) fn call_why(&self, at: &At, callee: &At) -> Reason {
        let name = self.callee_name(callee);
        let last = name.rsplit('.').next().unwrap_or_default();
        let place = at.place();
        match last {
            "fetch" | "useQuery" | "useSWR" | "useLoaderData" | "useFetch" | "useAsyncData" | "axios" | "json"
            | "useLazyQuery" | "useSuspenseQuery" | "useInfiniteQuery" | "useMutation" => Reason::new(
                Code::FromNetwork,
                format!("It is loaded from a server ({name} at {place}): change it where that data is kept"),
            ),
            "useState"
            | "useReducer"
            | "useStore"
            | "useSelector"
            | "useContext"
            | "useAtom"
            | "inject"
            | "useRef"
            | "useImmer"
            | "useSyncExternalStore" => Reason::new(
                Code::State,
                format!(
                    "It is state of the prototype ({name} at {place}) and changes while it runs; change in the code what it begins with"
                ),
            ),
            "toFixed" | "toLocaleString" | "toLocaleDateString" | "toLocaleTimeString" | "format" | "formatNumber"
            | "formatDate" | "toISOString" | "Intl.NumberFormat" | "toString" | "toPrecision" => Reason::new(
                Code::Formatted,
                format!(
                    "It is a number or a date that {last} writes out at {place}: change the value or its format in the code"
                ),
            ),
            "toUpperCase" | "toLowerCase" | "trim" | "slice" | "substring" | "replace" | "replaceAll" | "join"
            | "split" | "padStart" | "padEnd" | "concat" | "charAt" | "repeat" => Reason::new(
                Code::Computed,
                format!("It is made from other texts by {last} at {place}: change those, or the code"),
            ),
            "useParams" | "useSearchParams" | "usePathname" | "useRoute" | "useRouter" | "useLocation" => Reason::new(
                Code::FromAddress,
                format!(
                    "It is a part of the page's address ({name} at {place}): open the page under another address to see another"
                ),
            ),
            _ => self
                .imported_why(callee)
                .unwrap_or_else(|| Reason::new(Code::Computed, computed(at, "the result of a function"))),
        }
    }

    /// For functions of libraries, which library.
    fn imported_why(&self, callee: &At) -> Option<Reason> {
        let mut root = callee.clone();
        while let Shape::Member(object, _) = &root.node().shape {
            root = root.with(*object);
        }
        let Shape::Name(Some(symbol), name) = &root.node().shape else {
            return None;
        };
        let Origin::Import(specifier, imported) = &root.module[*symbol].origin else {
            return None;
        };
        let candidates = self.import(&root.module, specifier, imported, &Vec::new());
        let [
            Candidate {
                value: Value::Unknown(why),
                ..
            },
        ] = &candidates[..]
        else {
            return None;
        };
        let all = matches!(imported, Imported::All);
        (why.code == Code::Library && !all).then(|| {
            let reason = format!(
                "{name}, a function of the library “{specifier}”, makes it at {}: change in the code what it is given there",
                callee.place()
            );
            Reason::new(Code::Library, reason)
        })
    }
}

/// Whether the setter of a state is used anywhere.
fn is_set(module: &Module, state: NodeId) -> bool {
    module.symbols.iter().any(|symbol| match &symbol.origin {
        Origin::Value(path) => {
            let rest = !matches!(path.takes.first(), Some(Take::Index(0)));
            path.of == state && rest && symbol.reads > 0
        }
        _ => false,
    })
}
