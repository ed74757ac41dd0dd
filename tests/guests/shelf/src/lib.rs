//! A slot with one table of texts. Its name, its manifest and its statements come from a recipe, a JSON text in the component's file: tests
//! write other ones there, and have as many versions of the plugin as they need without compiling any.
//!
//! `GET /api/v1/x/shelf` lists the texts, `POST` adds one, `GET /api/v1/x/shelf/about` names the version.

use galley_sdk::prelude::*;
use serde::Deserialize;
use serde_json::Value;

galley_sdk::export!(plugin);

/// Where tests find the recipe in the file.
const MARK: &str = "shelf-recipe:";
/// The bytes of mark and recipe.
const LENGTH: usize = 4096;

static RECIPE: [u8; LENGTH] = *include_bytes!("recipe.txt");

/// What the plugin is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recipe {
    /// `shelf` without; its routes are below `/api/v1/SLOT`.
    slot: Option<&'static str>,
    version: &'static str,
    id: Option<&'static str>,
    /// Name, and what it is compatible with.
    schema: Option<(&'static str, u32)>,
    /// Statements, and those that undo them.
    steps: Vec<(String, Option<String>)>,
    /// Schemas that are taken over, and the statements for it.
    #[serde(default)]
    adopts: Vec<(String, Option<String>)>,
    insert: &'static str,
    list: &'static str,
    /// What the start does, and whether it fails then.
    start: Option<&'static str>,
    #[serde(default)]
    fails: bool,
    /// One more route, at any path.
    path: Option<&'static str>,
    /// Jobs with their times, and how many of them there are.
    #[serde(default)]
    jobs: Vec<(&'static str, &'static str)>,
    #[serde(default)]
    many_jobs: usize,
    #[serde(default)]
    hosts: Vec<&'static str>,
    /// Whether its statements are for PostgreSQL, too.
    #[serde(default)]
    postgres: bool,
}

/// The recipe as it stands in the file. The compiler must not know it, so it is read like memory that changes.
fn recipe() -> Recipe {
    let bytes: &'static [u8; LENGTH] = std::hint::black_box(&RECIPE);
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let json = text.strip_prefix(MARK).unwrap_or_default();
    serde_json::from_str(json).expect("the file holds a recipe")
}

fn leak(text: String) -> &'static str {
    text.leak()
}

/// The plugin of the slot `shelf`.
pub fn plugin() -> Plugin {
    let recipe = recipe();
    let slot = recipe.slot.unwrap_or("shelf");
    let path = leak(format!("/api/v1/x/{slot}"));
    let mut plugin = Plugin::new(slot, recipe.version)
        .route(get(path, list).guard(Guard::public()))
        .route(post(path, add).guard(Guard::public()))
        .route(get(leak(format!("{path}/about")), about).guard(Guard::public()))
        .on_start(start);
    if let Some(path) = recipe.path {
        plugin = plugin.route(get(path, about).guard(Guard::public()));
    }
    if let Some(id) = recipe.id {
        plugin = plugin.id(id);
    }
    if let Some((name, compatible)) = recipe.schema {
        plugin = plugin.schema(name, compatible);
    }
    for (version, (sql, down)) in (1..).zip(recipe.steps) {
        plugin = match down {
            None => plugin.migration(version, leak(sql)),
            Some(down) => plugin.migration_with_down(version, leak(sql), leak(down)),
        };
    }
    if recipe.postgres {
        plugin = plugin.postgres();
    }
    for host in recipe.hosts {
        plugin = plugin.host(host);
    }
    for (name, when) in recipe.jobs {
        plugin = plugin.job(name, when, || Ok(()));
    }
    for number in 0..recipe.many_jobs {
        plugin = plugin.job(leak(format!("job-{number}")), "1h", || Ok(()));
    }
    for (schema, sql) in recipe.adopts {
        plugin = match sql {
            None => plugin.adopts(leak(schema)),
            Some(sql) => plugin.adopts_by(leak(schema), leak(sql)),
        };
    }
    plugin
}

fn start() -> Result<()> {
    let recipe = recipe();
    if let Some(sql) = recipe.start {
        sql::execute(sql, params![])?;
    }
    match recipe.fails {
        true => Err(Error::conflict("the shelf fails on purpose")),
        false => Ok(()),
    }
}

/// GET `/api/v1/x/shelf`: the texts in the order they came.
fn list() -> Result<Json<Vec<String>>> {
    let rows = sql::query(recipe().list, params![])?;
    let rows: Vec<(String,)> = rows.all()?;
    Ok(Json(rows.into_iter().map(|(text,)| text).collect()))
}

/// The body of a POST.
#[derive(Debug, Deserialize)]
pub struct New {
    text: String,
}

/// POST `/api/v1/x/shelf`: adds a text.
fn add(Json(new): Json<New>) -> Result<NoContent> {
    sql::execute(recipe().insert, params![new.text])?;
    Ok(NoContent)
}

/// GET `/api/v1/x/shelf/about`: the version.
fn about() -> Json<Value> {
    Json(serde_json::json!({ "version": recipe().version }))
}
