//! Whether a plugin would serve in this server, without running it: its links, its routes beside those of the others, its
//! migrations on the data that is there.

use std::path::{Path, PathBuf};

use wasmtime::Engine;
use wasmtime::component::Linker;

use super::claims::{ClaimError, Claims};
use super::inspect::{self, InspectError, Inspected};
use super::lock::Bundle;
use super::places::Places;
use crate::capabilities::{self, State};
use crate::storage::slot_data::{self, DataChoice, DataError, Plan};

/// Checks plugins as [`Loader`](super::loader::Loader) would.
pub struct Verifier {
    linker: Linker<State>,
    claims: Claims,
    places: Places,
    data_dir: PathBuf,
}

/// Why a plugin would not serve.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// It does not fit this host.
    #[error(transparent)]
    Inspect(#[from] InspectError),
    /// Its routes are another's.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// It cannot use the data that are there.
    #[error(transparent)]
    Data(#[from] DataError),
}

impl Verifier {
    /// Nothing has routes but the host. `bundle` came with the program.
    pub fn new(
        engine: &Engine,
        own_paths: &'static [&'static str],
        data_dir: &Path,
        bundle: &Bundle,
    ) -> wasmtime::Result<Self> {
        let mut linker = Linker::new(engine);
        capabilities::link(&mut linker)?;
        Ok(Self {
            linker,
            claims: Claims::new(own_paths),
            places: Places::of(bundle),
            data_dir: data_dir.to_owned(),
        })
    }

    /// Checks one plugin, and gives it its routes: the next one cannot have them. `in_use` and `choice` are those of
    /// [`slot_data::Of`]. What its data need.
    pub fn check(
        &mut self,
        inspected: &Inspected,
        in_use: Option<&str>,
        choice: Option<DataChoice>,
    ) -> Result<Plan, VerifyError> {
        let manifest = &inspected.built.manifest;
        inspect::link(&self.linker, &inspected.component)?;
        self.claims.take(&manifest.slot, manifest)?;
        self.places.check(inspected)?;
        let of = slot_data::Of {
            folder: &slot_data::folder(&self.data_dir),
            slot: &manifest.slot,
            in_use,
            choice,
        };
        Ok(slot_data::plan(of, &super::manifest::schema(manifest))?)
    }
}
