//! Where components are used.

use std::collections::HashMap;

use super::value::{ElementAt, FunctionAt};
use crate::source::model::Stamp;
use crate::source::module::FunctionId;

/// All uses of the project's components.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub by_path: HashMap<String, HashMap<FunctionId, Vec<(ElementAt, Stamp)>>>,
}

impl Uses {
    /// The uses of one component, in the order of the files and their text.
    pub fn of(&self, component: &FunctionAt) -> &[(ElementAt, Stamp)] {
        let (path, id) = component.key();
        let of_file = self.by_path.get(path);
        of_file.and_then(|of_file| of_file.get(&id)).map_or(&[], Vec::as_slice)
    }
}
