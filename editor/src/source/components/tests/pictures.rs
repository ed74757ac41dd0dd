//! Pictures, by their address or as their neighbours are named.

use serde_json::json;

use super::edited;

const LOGO: (&str, &str) = ("src/assets/team-photo.png", "");
const HERO: (&str, &str) = ("src/assets/hero.png", "");
const ALIAS: (&str, &str) = (
    "tsconfig.json",
    r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#,
);

fn picture(path: &str) -> serde_json::Value {
    json!({ "kind": "picture", "name": "src", "path": path })
}

#[track_caller]
fn becomes(files: &[(&str, &str)], path: &str, wanted: &str) {
    match edited(files, picture(path)) {
        Ok(text) => assert_eq!(text, wanted),
        Err(refusal) => panic!("refused: {refusal:?}"),
    }
}

#[test]
fn react_imports_a_picture_as_its_neighbours_are() {
    for (source, wanted) in [
        (
            "import hero from './assets/hero.png'\nexport const A = () => ‹img src=\"/old.png\" alt=\"\" />",
            "import hero from './assets/hero.png'\nimport teamPhoto from './assets/team-photo.png'\nexport const A = () => <img src={teamPhoto} alt=\"\" />",
        ),
        (
            "import hero from \"@/assets/hero.png\";\nexport const A = () => ‹img src={hero} />",
            "import hero from \"@/assets/hero.png\";\nimport teamPhoto from \"@/assets/team-photo.png\";\nexport const A = () => <img src={teamPhoto} />",
        ),
        (
            "import us from './assets/team-photo.png';\nexport const A = () => ‹img alt=\"\" />",
            "import us from './assets/team-photo.png';\nexport const A = () => <img alt=\"\" src={us} />",
        ),
        (
            "import Us from './assets/team-photo.png?react';\nconst teamPhoto = 1;\nexport const A = () => ‹img />",
            "import Us from './assets/team-photo.png?react';\nimport teamPhotoImage from './assets/team-photo.png';\nconst teamPhoto = 1;\nexport const A = () => <img src={teamPhotoImage} />",
        ),
    ] {
        becomes(&[("src/App.tsx", source), LOGO, HERO, ALIAS], LOGO.0, wanted);
    }
}

#[test]
fn a_picture_in_public_has_an_address() {
    let public = ("public/img/a.png", "");
    let source = "import hero from './assets/hero.png'\nexport const A = () => ‹img src={hero} />";
    let wanted = "import hero from './assets/hero.png'\nexport const A = () => <img src=\"/img/a.png\" />";
    becomes(&[("src/App.tsx", source), public, HERO], public.0, wanted);
    let vue = "<template>\n  ‹img :src=\"`x${y}`\" /><img />\n</template>";
    let refusal = edited(&[("src/App.vue", vue), public], picture(public.0)).unwrap_err();
    assert_eq!(refusal.code, "expression");
}

#[test]
fn vue_names_a_picture_by_a_path_or_an_import_as_its_neighbours_do() {
    for (source, neighbour, wanted) in [
        (
            "<template>\n  <p>‹img src=\"/old.png\" /><img src=\"@/assets/hero.png\" /></p>\n</template>",
            "",
            "<template>\n  <p><img src=\"@/assets/team-photo.png\" /><img src=\"@/assets/hero.png\" /></p>\n</template>",
        ),
        (
            "<template>\n  <p>‹img alt=\"\" /></p>\n</template>",
            "<template><img src=\"@/assets/hero.png\" /></template>",
            "<template>\n  <p><img alt=\"\" src=\"@/assets/team-photo.png\" /></p>\n</template>",
        ),
        (
            "<template>\n  <p>‹img alt=\"\" /></p>\n</template>",
            "",
            "<template>\n  <p><img alt=\"\" src=\"./assets/team-photo.png\" /></p>\n</template>",
        ),
        (
            "<script setup>\nimport hero from './assets/hero.png'\n</script>\n<template>\n  <p>‹img :src=\"hero\" /></p>\n</template>",
            "",
            "<script setup>\nimport hero from './assets/hero.png'\nimport teamPhoto from './assets/team-photo.png'\n</script>\n<template>\n  <p><img :src=\"teamPhoto\" /></p>\n</template>",
        ),
    ] {
        let files = [("src/App.vue", source), LOGO, HERO, ALIAS, ("src/Other.vue", neighbour)];
        becomes(&files, LOGO.0, wanted);
    }
}

#[test]
fn a_picture_that_cannot_be_named_is_refused() {
    let next = ("package.json", "{ \"dependencies\": { \"next\": \"16\" } }");
    let app = ("src/App.tsx", "export const A = () => ‹img />");
    for (files, path, code) in [
        (vec![app, LOGO], "src/assets/none.png", "import-missing"),
        (vec![app, LOGO], "../secret.png", "import-missing"),
        (vec![app, ("src/a.ts", "")], "src/a.ts", "import-missing"),
        (vec![app, LOGO, next], LOGO.0, "attribute-kind"),
        (
            vec![
                ("src/App.tsx", "export const A = (b) => ‹img {...b} src={b.src} />"),
                LOGO,
            ],
            LOGO.0,
            "expression",
        ),
        (
            vec![("src/App.tsx", "export const A = (b) => ‹img src=\"\" {...b} />"), LOGO],
            LOGO.0,
            "spread-after",
        ),
        (
            vec![
                (
                    "src/App.vue",
                    "<template>\n  <p>‹NuxtImg src=\"/a.png\" /></p>\n</template>",
                ),
                LOGO,
            ],
            LOGO.0,
            "attribute-kind",
        ),
    ] {
        let refusal = edited(&files, picture(path)).unwrap_err();
        assert_eq!(refusal.code, code, "{refusal:?}");
    }
}
