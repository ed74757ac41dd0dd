//! How a picture of the project is named in an attribute: by its address below `public/`, else as its neighbours are.

use super::import::{Origin, Script, Wanted, examples, import, of_file};
use super::properties::Types;
use super::site::{Setup, Site, setup};
use super::specifier::{Examples, specifier};
use crate::source::imports::{Target, document, folder, join};
use crate::source::model::plan::{Refusal, Replacement};
use crate::source::model::{Code, Project};
use crate::source::sfc;

/// What dev servers serve at the root.
const PUBLIC: &str = "public/";

const ENDINGS: [&str; 7] = ["png", "jpg", "jpeg", "gif", "webp", "avif", "svg"];

/// Elements whose addresses Vue's compiler makes imports of, with the attributes:
/// <https://vuejs.org/guide/scaling-up/tooling.html>, `transformAssetUrls` of `@vitejs/plugin-vue`.
const TRANSFORMED: [(&str, &str); 7] = [
    ("img", "src"),
    ("source", "src"),
    ("video", "src"),
    ("video", "poster"),
    ("image", "href"),
    ("image", "xlink:href"),
    ("use", "href"),
];

/// How many other files are looked at for the way in which pictures are named.
const MAX_NEIGHBOURS: usize = 200;

/// What an attribute holds.
#[derive(Debug, PartialEq, Eq)]
pub enum Named {
    /// A text: an address, or a path that the compiler follows.
    Text(String),
    /// A name of the file that is imported.
    Local(String),
}

/// A picture, as a file names it.
#[derive(Debug)]
pub struct Picture {
    /// What the attribute holds.
    pub named: Named,
    /// The import, where there is none yet.
    pub import: Option<Replacement>,
}

/// Whether a file is a picture, by its name.
#[must_use]
pub fn is_picture(path: &str) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

/// The name of a picture in an attribute of an element.
///
/// # Errors
/// When it is no picture of the project, or how it would have to be named there is not certain.
pub fn picture(
    project: &dyn Project,
    site: &Site<'_>,
    (tag, attribute): (&str, &str),
    path: &str,
) -> Result<Picture, Refusal> {
    if !is_picture(path) || !project.files().iter().any(|file| file == path) {
        let reason = format!("{path} is no picture of this project: pick one from the list, or add it first");
        return Err(Refusal::uncertain(Code::ImportMissing, reason));
    }
    if let Some(rest) = path.strip_prefix(PUBLIC) {
        let named = Named::Text(format!("/{rest}"));
        return Ok(Picture { named, import: None });
    }
    let refuse = |reason: String| Err(Refusal::uncertain(Code::AttributeKind, reason));
    let types = Types::new(project);
    let mut script = Script {
        path: site.path,
        text: site.text,
        block: None,
    };
    if site.is_vue {
        let is_transformed = TRANSFORMED.contains(&(tag, attribute));
        if matches!(tag, "NuxtImg" | "nuxt-img" | "NuxtPicture" | "nuxt-picture") {
            return refuse(format!(
                "<{tag}> takes the addresses of pictures in public/: put {path} there"
            ));
        }
        let style = style(project, &types, site);
        if is_transformed && !matches!(style, Some(Style::Import)) {
            let examples = match style {
                Some(Style::Path(examples)) => examples,
                _ => examples(&types, site.path, &of_file(site.path, site.text)),
            };
            let Some(text) = specifier(&types, site.path, path, &examples) else {
                return refuse(format!(
                    "No path in {} would lead to {path} for certain: name it in the code",
                    site.path
                ));
            };
            return Ok(Picture {
                named: Named::Text(text),
                import: None,
            });
        }
        match setup(site)? {
            Setup::In(range, language) => script.block = Some((range, language)),
            Setup::None => {}
            Setup::Options => {
                return refuse(format!(
                    "{} has no <script setup>, so that an import alone does not make {path} known to its template: put the picture in public/",
                    site.path
                ));
            }
        }
    } else {
        if tag != "Image" && uses_next(project, site.path) {
            return refuse(format!(
                "In Next.js an imported picture is an object and no address, which <{tag}> does not take: put {path} in public/"
            ));
        }
        script.block = Some((0..site.text.len(), site.path));
    }
    let mut taken = None;
    for local in locals(path) {
        match import(
            project,
            &types,
            &script,
            &Wanted {
                origin: Origin::File(path),
                export: "default",
                local: &local,
            },
        ) {
            Ok(imported) => {
                return Ok(Picture {
                    named: Named::Local(imported.local),
                    import: imported.replacement,
                });
            }
            Err(refusal) if refusal.code == Code::NameTaken => taken = Some(refusal),
            Err(refusal) => return Err(refusal),
        }
    }
    Err(taken.unwrap_or_else(|| Refusal::no_source(path)))
}

/// Names for a picture: `team-photo.png` is `teamPhoto`, where that is taken `teamPhotoImage`.
fn locals(path: &str) -> [String; 3] {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    let mut name = String::new();
    for word in stem
        .split(|sign: char| !sign.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
    {
        let mut letters = word.chars();
        let first = letters.next().into_iter();
        match name.is_empty() {
            true => name.extend(first.map(|first| first.to_ascii_lowercase())),
            false => name.extend(first.map(|first| first.to_ascii_uppercase())),
        }
        name.extend(letters);
    }
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) || RESERVED.contains(&name.as_str()) {
        name = format!("picture{}", name.to_ascii_uppercase());
    }
    [name.clone(), format!("{name}Image"), format!("{name}Picture")]
}

/// Words that no import can be called by, as far as pictures are.
const RESERVED: [&str; 14] = [
    "new", "delete", "default", "import", "export", "class", "function", "switch", "case", "return", "this", "void",
    "in", "with",
];

/// How pictures are named in templates of Vue.
enum Style {
    /// By a path in the attribute, as these.
    Path(Examples),
    Import,
}

/// The way of the file itself, else of the first other file that names pictures.
fn style(project: &dyn Project, types: &Types<'_>, site: &Site<'_>) -> Option<Style> {
    let own = style_of(types, site.path, site.text);
    if own.is_some() {
        return own;
    }
    let files = project.files();
    let others = files.iter().filter(|path| path.ends_with(".vue") && *path != site.path);
    let mut found = others
        .take(MAX_NEIGHBOURS)
        .filter_map(|path| style_of(types, path, &project.read(path)?));
    found.next()
}

fn style_of(types: &Types<'_>, path: &str, text: &str) -> Option<Style> {
    let leads = |specifier: &str| match types.resolve(path, specifier) {
        Target::File(file) if is_picture(&file) && !specifier.starts_with('/') && !specifier.contains('?') => {
            Some(file)
        }
        _ => None,
    };
    let sfc = sfc::read(text).ok()?;
    let mut examples = Examples::new();
    for (_, element) in sfc.elements() {
        for (tag, attribute) in TRANSFORMED {
            if sfc.tag(element) == tag
                && let Some(value) = sfc.plain(element, attribute)
                && let Some(file) = leads(value)
            {
                examples.push((value.to_owned(), file));
            }
        }
    }
    if !examples.is_empty() {
        return Some(Style::Path(examples));
    }
    let own = of_file(path, text);
    own.specifiers()
        .any(|specifier| leads(specifier).is_some())
        .then_some(Style::Import)
}

/// Whether a name of a Vue file's scripts is that of a picture that is imported.
#[must_use]
pub fn imports_picture(path: &str, text: &str, name: &str) -> bool {
    of_file(path, text).default_of(name).is_some_and(is_picture)
}

/// Whether the nearest package of a file depends on Next.js.
fn uses_next(project: &dyn Project, path: &str) -> bool {
    let mut at = folder(path);
    loop {
        let package = join(at, "package.json").and_then(|path| project.read(&path));
        if let Some(text) = package {
            let package = document(&text);
            return ["dependencies", "devDependencies"]
                .iter()
                .any(|key| package[key].get("next").is_some());
        }
        if at.is_empty() {
            return false;
        }
        at = folder(at);
    }
}
