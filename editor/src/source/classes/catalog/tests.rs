use super::*;

fn preview<'c>(catalog: &'c [CatalogEntry], name: &str) -> Option<&'c str> {
    let entry = catalog
        .iter()
        .find(|entry| entry.name == name)
        .unwrap_or_else(|| panic!("no {name}"));
    entry.preview.as_deref()
}

fn has(catalog: &[CatalogEntry], name: &str) -> bool {
    catalog.iter().any(|entry| entry.name == name)
}

#[test]
fn the_theme_of_tailwind_4_is_read() {
    let css = "@import \"tailwindcss\";\n:root { --background: oklch(1 0 0); --a: var(--a) }\n@theme inline { --color-background: \
               var(--background); --color-ring: var(--a); --radius-card: 10px; --text-hero: 4rem; --text-hero--line-height: 1; \
               --font-weight-heavy: 850; --spacing-gutter: 3rem }\n@utility tidy { color: red; margin: 0 }\n@utility tab-* { tab-size: 1 }";
    let project = [("src/index.css", css)];
    let catalog = catalog(&project);
    assert_eq!(preview(&catalog, "bg-background"), Some("oklch(1 0 0)"));
    assert_eq!(preview(&catalog, "text-background"), Some("oklch(1 0 0)"));
    assert_eq!(preview(&catalog, "text-ring"), Some("var(--a)"));
    assert_eq!(preview(&catalog, "rounded-card"), Some("border-radius: 10px"));
    assert_eq!(preview(&catalog, "text-hero"), Some("font-size: 4rem"));
    assert_eq!(preview(&catalog, "font-heavy"), Some("font-weight: 850"));
    assert_eq!(preview(&catalog, "p-gutter"), Some("padding: 3rem"));
    assert_eq!(preview(&catalog, "tidy"), Some("color: red; margin: 0"));
    assert!(
        !catalog
            .iter()
            .any(|entry| entry.name.contains('*') || entry.name.contains("--"))
    );
    assert_eq!(catalog[0].from, "src/index.css", "the project's own come first");
    assert_eq!(preview(&catalog, "p-4"), Some("padding: 1rem"));
    assert_eq!(preview(&catalog, "bg-red-500"), Some("#ef4444"));
    assert_eq!(preview(&catalog, "items-center"), Some("align-items: center"));
}

#[test]
fn breakpoints_are_tailwinds_own_and_those_of_the_theme() {
    let named = |files: &[(&str, &str)]| {
        let found = breakpoints(&files);
        let each = found.iter().map(|own| format!("{} {}", own.name, own.width));
        each.collect::<Vec<_>>().join(", ")
    };
    let package = ("package.json", r#"{ "devDependencies": { "tailwindcss": "4" } }"#);
    assert_eq!(named(&[("package.json", "{}")]), "");
    assert_eq!(named(&[package]), "sm 640, md 768, lg 1024, xl 1280, 2xl 1536");
    let theme = (
        "a.css",
        "@theme { --breakpoint-xs: 30rem; --breakpoint-2xl: initial; --breakpoint-md: 700px }",
    );
    assert_eq!(named(&[package, theme]), "xs 480, sm 640, md 700, lg 1024, xl 1280");
    let replaced = ("a.css", "@theme { --breakpoint-*: initial; --breakpoint-desk: 60rem }");
    assert_eq!(named(&[package, replaced]), "desk 960");
    let config = (
        "tailwind.config.js",
        "module.exports = { theme: { extend: { screens: { wide: '1600px' } } } }",
    );
    assert_eq!(
        named(&[package, config]),
        "sm 640, md 768, lg 1024, xl 1280, 2xl 1536, wide 1600"
    );
    let config = (
        "tailwind.config.js",
        "module.exports = { theme: { screens: { phone: '20rem', odd: { raw: 'print' } } } }",
    );
    assert_eq!(named(&[package, config]), "phone 320");
}

#[test]
fn a_theme_can_take_names_away() {
    let project = [(
        "a.css",
        "@theme { --color-*: initial; --color-ink: #111; --spacing: 5px }",
    )];
    let catalog = catalog(&project);
    assert!(has(&catalog, "bg-ink") && has(&catalog, "flex"));
    assert!(!has(&catalog, "bg-red-500") && !has(&catalog, "p-4"));
}

#[test]
fn the_configuration_of_tailwind_3_is_read_but_not_run() {
    let config = "const more = {};\nconst config = { content: [], theme: { extend: { colors: { brand: '#123456', primary: { DEFAULT: \
                  'hsl(var(--primary))', foreground: x }, ...more, deep: { a: { b: 'red' } } }, fontSize: { hero: ['4rem', '1'] }, \
                  borderRadius: { lg: `1px` }, spacing: { 18: '4.5rem' } } } } satisfies Config;\nexport default withThing(config);";
    let project = [
        ("tailwind.config.ts", config),
        ("a.css", ":root { --primary: 1 2% 3% }"),
    ];
    let catalog = catalog(&project);
    assert_eq!(preview(&catalog, "bg-brand"), Some("#123456"));
    assert_eq!(preview(&catalog, "text-primary"), Some("hsl(1 2% 3%)"));
    assert_eq!(preview(&catalog, "text-primary-foreground"), None);
    assert_eq!(preview(&catalog, "border-deep-a-b"), Some("red"));
    assert_eq!(preview(&catalog, "text-hero"), Some("font-size: 4rem"));
    assert_eq!(preview(&catalog, "rounded-lg"), Some("border-radius: 1px"));
    assert_eq!(preview(&catalog, "mt-18"), Some("margin-top: 4.5rem"));
    assert!(has(&catalog, "bg-red-500"));
    let common = [(
        "tailwind.config.cjs",
        "module.exports = { theme: { colors: { ink: '#111' } } }",
    )];
    let catalog = super::catalog(&common);
    assert!(has(&catalog, "bg-ink") && !has(&catalog, "bg-red-500"));
}

#[test]
fn classes_of_stylesheets_come_last() {
    let css = ".card { color: red; }\n.card .title, .wide\\:x:hover { margin: 0 }\n@media print { .page { top: 0 } }";
    let project = [
        ("src/a.css", css),
        ("src/b.module.css", ".hidden-away {}"),
        ("src/broken.css", ".x {"),
    ];
    let catalog = catalog(&project);
    let names: Vec<&str> = catalog.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(
        names,
        ["card", "title", "wide:x", "page"],
        "without Tailwind there is nothing else"
    );
    assert_eq!(preview(&catalog, "card"), Some("color: red;"));
    assert_eq!(preview(&catalog, "title"), None);
}

#[test]
fn hostile_files_end() {
    let sheet: String = (0..60_000)
        .map(|number| format!(".c{number}{{--a:var(--a)}}"))
        .collect();
    let nested = format!(
        "export default {{ theme: {{ colors: {}1{} }} }}",
        "{a:".repeat(200),
        "}".repeat(200)
    );
    let project = [
        ("a.css", sheet.as_str()),
        ("tailwind.config.js", nested.as_str()),
        ("b/tailwind.config.js", "export default ("),
    ];
    assert!(catalog(&project).len() <= MAX_CLASSES);
    let long = format!(".a {{ content: \"{}\" }}", "é".repeat(500));
    assert!(
        preview(&catalog(&[("a.css", long.as_str())]), "a")
            .unwrap()
            .ends_with('…')
    );
}
