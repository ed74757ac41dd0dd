use super::{ImportResolver, Target};

fn check<const N: usize>(project: &[(&str, &str); N], cases: &[(&str, &str, &str)]) {
    let resolver = ImportResolver::new(project);
    for (from, specifier, wanted) in cases {
        let wanted = match wanted.strip_prefix("library ") {
            Some(name) => Target::Library(name.to_owned()),
            None if wanted.is_empty() => Target::Missing,
            None => Target::File((*wanted).to_owned()),
        };
        assert_eq!(resolver.resolve(from, specifier), wanted, "{specifier} in {from}");
    }
}

#[test]
fn relative_paths_leave_out_endings_and_index_files() {
    let project = [
        ("src/App.tsx", ""),
        ("src/data.ts", ""),
        ("src/data.json", ""),
        ("src/ui/index.ts", ""),
        ("src/ui/Card.vue", ""),
        ("src/logo.svg", ""),
    ];
    check(
        &project,
        &[
            ("src/App.tsx", "./data", "src/data.ts"),
            ("src/App.tsx", "./data.js", "src/data.ts"),
            ("src/App.tsx", "./data.json", "src/data.json"),
            ("src/App.tsx", "./ui", "src/ui/index.ts"),
            ("src/App.tsx", "./ui/", "src/ui/index.ts"),
            ("src/ui/index.ts", ".", "src/ui/index.ts"),
            ("src/ui/index.ts", "../data", "src/data.ts"),
            ("src/ui/index.ts", "./Card.vue", "src/ui/Card.vue"),
            ("src/App.tsx", "./logo.svg?url", "src/logo.svg"),
            ("src/App.tsx", "/src/data", "src/data.ts"),
            ("src/App.tsx", "./nothing", ""),
            ("src/App.tsx", "../../../etc/passwd", ""),
            ("src/App.tsx", "react", "library react"),
            ("src/App.tsx", "@scope/ui/button", "library @scope/ui"),
        ],
    );
}

#[test]
fn aliases_of_the_type_configuration_hold() {
    let tsconfig = r#"{
        // written by people
        "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./tsconfig.node.json" }],
    }"#;
    let app = r#"{
        "extends": "./config/base",
        "compilerOptions": { "paths": { "@/*": ["./src/*"], "@/special/*": ["./other/*"], "~lib": ["./src/lib/index.ts"] } }
    }"#;
    let project = [
        ("tsconfig.json", tsconfig),
        ("tsconfig.app.json", app),
        ("config/base.json", r#"{ "compilerOptions": { "baseUrl": ".." } }"#),
        ("src/ui/Card.tsx", ""),
        ("src/lib/index.ts", ""),
        ("other/a.ts", ""),
        ("src/App.tsx", ""),
    ];
    check(
        &project,
        &[
            ("src/App.tsx", "@/ui/Card", "src/ui/Card.tsx"),
            ("src/App.tsx", "@/special/a", "other/a.ts"),
            ("src/App.tsx", "~lib", "src/lib/index.ts"),
            ("src/App.tsx", "src/ui/Card", "src/ui/Card.tsx"),
            ("src/App.tsx", "@/missing", ""),
            ("src/App.tsx", "react", "library react"),
        ],
    );
}

#[test]
fn the_nearest_configuration_counts() {
    let project = [
        (
            "tsconfig.json",
            r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#,
        ),
        (
            "apps/web/tsconfig.json",
            r#"{ "extends": ["../../shared.json"], "compilerOptions": {} }"#,
        ),
        (
            "shared.json",
            r#"{ "compilerOptions": { "paths": { "@/*": ["${configDir}/source/*"] } } }"#,
        ),
        ("apps/web/source/a.ts", ""),
        ("src/a.ts", ""),
        ("jsconfig.json", "{ broken"),
    ];
    check(
        &project,
        &[
            ("apps/web/source/b.ts", "@/a", "apps/web/source/a.ts"),
            ("src/b.ts", "@/a", "src/a.ts"),
        ],
    );
}

#[test]
fn configurations_that_extend_themselves_end() {
    let project = [
        (
            "tsconfig.json",
            r#"{ "extends": ["./tsconfig.json", "./tsconfig.json"], "references": [{ "path": "./tsconfig.json" }] }"#,
        ),
        ("src/a.ts", ""),
    ];
    check(
        &project,
        &[("src/b.ts", "@/a", "library @/a"), ("src/b.ts", "./a", "src/a.ts")],
    );
}

#[test]
fn package_imports_are_followed() {
    let package =
        r##"{ "imports": { "#ui/*": "./src/ui/*.tsx", "#data": { "node": "./no.ts", "default": "./src/data.ts" } } }"##;
    let project = [("package.json", package), ("src/ui/Card.tsx", ""), ("src/data.ts", "")];
    check(
        &project,
        &[
            ("src/App.tsx", "#ui/Card", "src/ui/Card.tsx"),
            ("src/App.tsx", "#data", "src/data.ts"),
            ("src/App.tsx", "#nothing", ""),
        ],
    );
}

#[test]
fn nuxts_own_names_are_known() {
    let project = [
        ("nuxt.config.ts", ""),
        ("app/components/Card.vue", ""),
        ("shared/a.ts", ""),
    ];
    check(
        &project,
        &[
            ("app/app.vue", "~/components/Card.vue", "app/components/Card.vue"),
            ("app/app.vue", "@@/shared/a", "shared/a.ts"),
        ],
    );
}
