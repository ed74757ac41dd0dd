//! Translations that stand in the code, and which of several is meant.

use super::vue::component;
use super::{app, changes, choices, inspected, refusal};

#[test]
fn messages_in_the_code_are_changed_there() {
    for (path, setup) in [
        (
            "src/main.ts",
            "import { createI18n } from 'vue-i18n';\nexport const i18n = createI18n({ locale: 'en', messages: { en: { a: { b: 'Old' } }, de: { a: { b: 'Alt' } } } });\n",
        ),
        (
            "src/main.ts",
            "import { createI18n } from 'vue-i18n';\nconst en = { a: { b: 'Old' } };\nconst messages = { en };\ncreateI18n({ messages });\n",
        ),
        (
            "i18n.config.ts",
            "export default defineI18nConfig(() => ({ messages: { en: { 'a.b': 'Old' } } }));\n",
        ),
    ] {
        for script in ["const { t } = useI18n()", ""] {
            let code = component(
                script,
                if script.is_empty() {
                    "<p>{{ $t('a.b') }}</p>"
                } else {
                    "<p>{{ t('a.b') }}</p>"
                },
            );
            let project = [("src/App.vue", code.as_str()), (path, setup)];
            changes(&project, "<p", |_| {}, path, ("Old", "New"));
        }
    }
}

#[test]
fn a_message_is_shared_by_all_that_ask_for_it() {
    let messages =
        "{ \"action\": { \"sign_in\": \"Sign in\", \"leave\": \"Leave\" }, \"nav\": { \"sign_in\": \"Enter\" } }";
    let entry = component(
        "",
        "<div><p>{{ $t('action.sign_in') }}</p><b>{{ $t('action.leave') }}</b></div>",
    );
    let other = component(
        "",
        "<div><i :title=\"$t('action.sign_in')\">{{ $t('nav.sign_in') }}</i><i18n-t keypath=\"action.sign_in\" /></div>",
    );
    let project = [
        ("src/App.vue", entry.as_str()),
        ("src/Nav.vue", other.as_str()),
        ("src/locales/en.json", messages),
    ];
    assert_eq!(inspected(&project, "<p", None)[0].shared, 3);
    assert_eq!(inspected(&project, "<b", None)[0].shared, 1);
}

#[test]
fn resources_have_parts() {
    let setup = "import i18n from 'i18next';\ni18n.init({ lng: 'en', resources: { en: { translation: { a: 'One' }, home: { a: 'Two' } }, de: { home: { a: 'Zwei' } } } });\n";
    for (hook, call, old) in [
        ("", "t('a')", "One"),
        ("'home'", "t('a')", "Two"),
        ("", "t('home:a')", "Two"),
    ] {
        let code = format!(
            "import {{ useTranslation }} from 'react-i18next';\nexport default function App() {{\n  const {{ t }} = useTranslation({hook});\n  return <p>{{{call}}}</p>;\n}}\n"
        );
        let project = [("src/App.jsx", code.as_str()), ("src/i18n.js", setup)];
        changes(&project, "<p", |_| {}, "src/i18n.js", (old, "New"));
    }
    let code = app("<p><Trans i18nKey=\"a\" ns=\"home\" /></p>");
    let project = [("src/App.jsx", code.as_str()), ("src/i18n.js", setup)];
    changes(&project, "<p", |_| {}, "src/i18n.js", ("Two", "New"));
}

#[test]
fn objects_that_are_only_called_messages_are_none() {
    let code = app("<p>{t('a')}</p>");
    let chat = "export const chat = { messages: { en: { a: 'x' } } };\n";
    let project = [("src/App.jsx", code.as_str()), ("src/chat.js", chat)];
    assert_eq!(refusal(&project, "<p", |_| {}).code, "computed");
}

#[test]
fn a_components_own_messages_go_before_those_of_all() {
    let block = "<i18n>\n{ \"en\": { \"a\": \"Own <b>\" } }\n</i18n>\n";
    let script = "const { t } = useI18n()";
    let own = component(script, "<p>{{ t('a') }}</p>") + block;
    let shared = r#"{ "a": "Shared", "b": "Both" }"#;
    let project = [("src/App.vue", own.as_str()), ("src/locales/en.json", shared)];
    let with = |request: &mut crate::source::model::Request| {
        let text = "New <b>".to_owned();
        request.operation = crate::source::model::Operation::Text { text, run: None };
    };
    changes(&project, "<p", with, "src/App.vue", ("Own", "New"));
    // Another file does not see them, and what they do not have is taken from those of all.
    let other = component(script, "<p>{{ t('a') }}</p>");
    let project = [
        ("src/Other.vue", other.as_str()),
        ("src/App.vue", own.as_str()),
        ("src/locales/en.json", shared),
    ];
    changes(&project, "<p", |_| {}, "src/locales/en.json", ("Shared", "New"));
    let both = component(script, "<p>{{ t('b') }}</p>") + block;
    let project = [("src/App.vue", both.as_str()), ("src/locales/en.json", shared)];
    changes(&project, "<p", |_| {}, "src/locales/en.json", ("Both", "New"));
    // Which of them `$t` means depends on how the library is set up.
    let global = component("", "<p>{{ $t('a') }}</p>") + block;
    let project = [("src/App.vue", global.as_str()), ("src/locales/en.json", shared)];
    assert_eq!(refusal(&project, "<p", |_| {}).choices.len(), 2);
}

#[test]
fn a_block_that_is_not_json_is_refused() {
    let code =
        component("const { t } = useI18n()", "<p>{{ t('a') }}</p>") + "<i18n lang=\"yaml\">\nen:\n  a: x\n</i18n>\n";
    let project = [
        ("src/App.vue", code.as_str()),
        ("src/locales/en.json", r#"{ "a": "Shared" }"#),
    ];
    let refused = refusal(&project, "<p", |_| {});
    assert!(refused.reason.contains("<i18n>"), "{}", refused.reason);
}

#[test]
fn files_of_a_language_may_be_parts_of_the_keys() {
    let code = component("", "<p>{{ $t('page.auth.title') }}</p>");
    for (path, text) in [
        ("src/locales/langs/en-US/page.json", r#"{ "auth": { "title": "Old" } }"#),
        (
            "packages/locales/src/langs/en-US/page.json",
            r#"{ "auth": { "title": "Old" } }"#,
        ),
        (
            "src/locales/langs/en-US/page/auth.ts",
            "export default { title: 'Old' };\n",
        ),
    ] {
        let project = [("src/App.vue", code.as_str()), (path, text)];
        changes(&project, "<p", |_| {}, path, ("Old", "New"));
    }
}

#[test]
fn the_callers_own_package_has_its_text() {
    let code = app("<p>{t('a')}</p>");
    let (one, two) = (r#"{ "a": "One" }"#, r#"{ "a": "Two" }"#);
    let project = [
        ("apps/two/src/App.jsx", code.as_str()),
        ("apps/one/package.json", "{}"),
        ("apps/two/package.json", "{}"),
        ("apps/one/locales/en.json", one),
        ("apps/two/locales/en.json", two),
    ];
    changes(&project, "<p", |_| {}, "apps/two/locales/en.json", ("Two", "New"));
    let project = [
        ("packages/ui/App.jsx", code.as_str()),
        ("packages/ui/package.json", "{}"),
        ("apps/one/package.json", "{}"),
        ("apps/one/locales/en.json", one),
        ("apps/two/package.json", "{}"),
        ("apps/two/locales/en.json", two),
    ];
    assert_eq!(choices(&refusal(&project, "<p", |_| {})).len(), 2);
}

#[test]
fn a_language_without_its_country_is_the_next_best() {
    let code = app("<p>{t('a')}</p>");
    let project = [
        ("src/App.jsx", code.as_str()),
        ("locales/en.json", r#"{ "a": "Hello" }"#),
        ("locales/de.json", r#"{ "a": "Hallo" }"#),
        ("locales/en-US.json", "{}"),
        (
            "nuxt.config.ts",
            "export default { i18n: { defaultLocale: 'en-US' } };\n",
        ),
    ];
    changes(&project, "<p", |_| {}, "locales/en.json", ("Hello", "New"));
}
