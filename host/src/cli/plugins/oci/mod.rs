//! Plugins in a registry for containers, as `wkg` pushes them: a manifest with one layer of the type `application/wasm`.
//! Digests are checked, and sizes are bounded before anything is downloaded.
//!
//! This is the part of the registries' protocol that fetching one artifact takes. The crates for it (oci-client, oci-wasm) bring
//! two dozen more, and a second `wit-component`.

mod access;
mod body;
mod reference;

use http::HeaderMap;
use serde::Deserialize;

use self::access::Registry;
use self::body::{bad, bounded};
pub use self::reference::{Reference, SCHEME, is_loopback};
use self::reference::{Version, is_digest};
use super::fetched::Fetched;
use crate::plugins::artifacts::MAX_ARTIFACT_BYTES;
use crate::plugins::cache::sha256;
use crate::plugins::operations::{Kind, Refused};
use crate::plugins::signature::MAX_SIGNATURE_BYTES;

/// The type of a layer that is a component.
const WASM: &str = "application/wasm";
/// The type of a layer that is the component's signature.
const SIGNATURE: &str = "application/vnd.minisign.signature";
/// The manifests that are understood.
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";
/// The largest manifest, in bytes: what registries accept at most.
const MAX_MANIFEST_BYTES: u64 = 4 << 20;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    #[serde(default)]
    media_type: Option<String>,
    #[serde(default)]
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Layer {
    media_type: String,
    digest: String,
    size: u64,
}

/// Downloads the artifact of an address.
pub fn fetch(from: &str, plain_http: bool) -> Result<Fetched, Refused> {
    let reference = Reference::parse(from).map_err(|error| {
        let shown = from.rsplit_once('@').map_or(from, |(_, rest)| rest);
        let message = format!("`{shown}` is no address of a registry (oci://HOST/REPOSITORY:TAG): {error}");
        Refused::new(Kind::Failed, message)
    })?;
    let mut registry = Registry::new(&reference, plain_http)?;
    let version = match &reference.version {
        Version::Tag(tag) => tag,
        Version::Digest(digest) => digest,
    };
    let answer = registry.get(&format!("manifests/{version}"), &format!("{MANIFEST}, {INDEX}"))?;
    let announced = announced(answer.headers(), &reference.version);
    let body = bounded(answer, MAX_MANIFEST_BYTES, &reference)?;
    check_digest("manifest", &body, announced.as_deref(), &reference)?;
    let manifest: Manifest = serde_json::from_slice(&body)
        .map_err(|error| bad(&reference, &format!("its manifest is not valid: {error}")))?;
    let layer = wasm_layer(&manifest).map_err(|error| bad(&reference, &error))?;
    let wasm = blob(&mut registry, &reference, layer, MAX_ARTIFACT_BYTES as u64)?;
    let mut layers = manifest.layers.iter();
    let signature = match layers.find(|layer| layer.media_type == SIGNATURE) {
        None => None,
        Some(layer) => {
            let text = blob(&mut registry, &reference, layer, MAX_SIGNATURE_BYTES as u64)?;
            let text = String::from_utf8(text);
            Some(text.map_err(|_| bad(&reference, &"its signature is not one of minisign"))?)
        }
    };
    Ok(Fetched {
        name: reference.to_string(),
        wasm,
        signature,
    })
}

/// The digest that the manifest has to have: the one that was asked for, else the one the registry names.
fn announced(headers: &HeaderMap, version: &Version) -> Option<String> {
    match version {
        Version::Digest(digest) => Some(digest.clone()),
        Version::Tag(_) => {
            let named = headers.get("docker-content-digest")?.to_str().ok()?;
            Some(named.to_owned()).filter(|named| is_digest(named))
        }
    }
}

/// The one layer that is a component.
fn wasm_layer(manifest: &Manifest) -> Result<&Layer, String> {
    if manifest.media_type.as_deref() == Some(INDEX) {
        return Err("it is an index of several artifacts: name one of them by its digest".to_owned());
    }
    let mut components = manifest.layers.iter().filter(|layer| layer.media_type == WASM);
    match (components.next(), components.next()) {
        (Some(layer), None) if is_digest(&layer.digest) => Ok(layer),
        (Some(layer), None) => Err(format!(
            "its layer has the digest `{}`, and sha256 is checked here",
            layer.digest
        )),
        (Some(_), Some(_)) => Err(format!("it has several layers of the type {WASM}, and a plugin is one")),
        (None, _) => {
            let types: Vec<&str> = manifest.layers.iter().map(|layer| layer.media_type.as_str()).collect();
            let types = if types.is_empty() {
                "none".to_owned()
            } else {
                types.join(", ")
            };
            Err(format!(
                "it has no layer of the type {WASM} (its layers: {types}): push the plugin with `wkg oci push`"
            ))
        }
    }
}

fn blob(registry: &mut Registry<'_>, reference: &Reference, layer: &Layer, most: u64) -> Result<Vec<u8>, Refused> {
    let Layer { digest, size, .. } = layer;
    if *size > most {
        let message = format!("a layer has {size} bytes, and at most {most} are taken");
        return Err(bad(reference, &message));
    }
    if !is_digest(digest) {
        return Err(bad(
            reference,
            &format!("a layer has the digest `{digest}`, and sha256 is checked here"),
        ));
    }
    let body = bounded(registry.get(&format!("blobs/{digest}"), "*/*")?, *size, reference)?;
    check_digest("layer", &body, Some(digest), reference)?;
    Ok(body)
}

fn check_digest(what: &str, bytes: &[u8], announced: Option<&str>, reference: &Reference) -> Result<(), Refused> {
    let found = format!("sha256:{}", sha256(bytes));
    match announced {
        Some(announced) if announced != found => {
            let message = format!("its {what} has the digest {found}, and {announced} was announced");
            Err(bad(reference, &message))
        }
        _ => Ok(()),
    }
}
