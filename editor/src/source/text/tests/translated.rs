//! Translations.

use super::{app, changes, choices, plan, refusal, request, stamp};

#[test]
fn a_key_leads_to_the_languages_file() {
    for (before, markup, path, messages) in [
        (
            "import { useTranslation } from 'react-i18next';",
            "const { t } = useTranslation();",
            "public/locales/en/translation.json",
            r#"{ "home": { "title": "Old" } }"#,
        ),
        (
            "",
            "const { t } = useTranslation('home');",
            "public/locales/en/home.json",
            r#"{ "home.title": "Old" }"#,
        ),
        (
            "",
            "const { t } = useTranslation('x', { keyPrefix: 'pages' });",
            "src/locales/en/x.json",
            r#"{ "pages": { "home": { "title": "Old" } } }"#,
        ),
        (
            "",
            "const t = useTranslations('pages');",
            "messages/en.json",
            r#"{ "pages": { "home": { "title": "Old" } } }"#,
        ),
        (
            "",
            "const t = await getTranslations({ namespace: 'pages' });",
            "messages/en.json",
            r#"{ "pages": { "home": { "title": "Old" } } }"#,
        ),
        (
            "import { t } from 'i18next';",
            "",
            "src/i18n/en.json",
            r#"{ "home.title": "Old" }"#,
        ),
        (
            "import i18n from './i18n';",
            "const t = i18n.t;",
            "src/i18n/locales/en/common.json",
            r#"{ "home": { "title": "Old" } }"#,
        ),
        (
            "",
            "const { t } = useI18n();",
            "src/locales/en.ts",
            "const home = { title: 'Old' };\nexport default { home };\n",
        ),
    ] {
        let code = format!(
            "{before}\nexport default async function App() {{\n  {markup}\n  return <p>{{t('home.title')}}</p>;\n}}\n"
        );
        let project = [("src/App.jsx", code.as_str()), (path, messages)];
        changes(&project, "<p>", |_| {}, path, ("Old", "New"));
    }
}

#[test]
fn other_ways_to_translate_are_known() {
    for markup in [
        "<p>{i18n.t('a.b')}</p>",
        "<p>{$t('a.b')}</p>",
        "<p>{intl.formatMessage({ id: 'a.b', defaultMessage: 'x' })}</p>",
        "<p><Trans i18nKey=\"a.b\" /></p>",
        "<p><FormattedMessage id=\"a.b\" /></p>",
        "<p>{['a.b'].map((key) => $t(key))}</p>",
    ] {
        let code = app(markup);
        let project = [
            ("src/App.jsx", code.as_str()),
            ("lang/de.json", r#"{ "a": { "b": "Alt" } }"#),
        ];
        changes(&project, "<p>", |_| {}, "lang/de.json", ("Alt", "New"));
    }
}

#[test]
fn a_message_that_stands_in_the_code_is_changed_there() {
    let code = app("<p>{formatMessage({ id: 'a', defaultMessage: 'Old' })}</p>");
    let project = [("src/App.jsx", code.as_str())];
    changes(&project, "<p>", |_| {}, "src/App.jsx", ("Old", "New"));
}

#[test]
fn the_default_language_is_taken_or_one_is_asked_for() {
    let code = app("<p>{t('a')}</p>");
    let (en, de) = (r#"{ "a": "Hello" }"#, r#"{ "a": "Hallo" }"#);
    let project = [
        ("src/App.jsx", code.as_str()),
        ("src/locales/en.json", en),
        ("src/locales/de.json", de),
    ];
    let asked = refusal(&project, "<p>", |_| {});
    assert_eq!(
        choices(&asked),
        [
            "at=src/locales/de.json:1:8: “Hallo” – de, src/locales/de.json:1",
            "at=src/locales/en.json:1:8: “Hello” – en, src/locales/en.json:1",
        ]
    );
    changes(
        &project,
        "<p>",
        |request| request.before = Some("Hallo".into()),
        "src/locales/de.json",
        ("Hallo", "New"),
    );
    let project = [
        ("src/App.jsx", code.as_str()),
        ("src/locales/en.json", en),
        ("src/locales/de.json", de),
        ("src/i18n.ts", "i18n.init({ fallbackLng: 'en', lng: 'de' });\n"),
    ];
    changes(&project, "<p>", |_| {}, "src/locales/de.json", ("Hallo", "New"));
}

#[test]
fn gaps_of_a_translation_stay() {
    let code = app("<p>{t('a', { name })}</p>");
    let project = [
        ("src/App.jsx", code.as_str()),
        ("messages/en.json", "{ \"a\": \"Hello {name}\" }"),
    ];
    let refused = refusal(&project, "<p>", |_| {});
    assert_eq!(refused.code, "placeholders");
    let with = request(stamp(&project, "src/App.jsx", "<p>"), "{name}, \"hello\"");
    let plan = plan(&project, &with).unwrap();
    let changed = plan.changes[0].apply(project[1].1).unwrap();
    assert_eq!(changed, "{ \"a\": \"{name}, \\\"hello\\\"\" }");
}

#[test]
fn signs_that_vue_reads_as_code_are_written_so_that_they_show() {
    let project = [
        ("src/App.vue", "<template>\n  <p>{{ $t('a') }}</p>\n</template>\n"),
        ("src/locales/en.json", "{ \"a\": \"Write to us\" }"),
    ];
    let with = request(stamp(&project, "src/App.vue", "<p>"), "Write to a@b.org");
    let plan = plan(&project, &with).unwrap();
    let changed = plan.changes[0].apply(project[1].1).unwrap();
    assert_eq!(changed, "{ \"a\": \"Write to a{'@'}b.org\" }");
}

#[test]
fn a_missing_translation_says_so() {
    let code = app("<p>{t('nothing')}</p>");
    let project = [("src/App.jsx", code.as_str()), ("messages/en.json", "{ \"a\": \"b\" }")];
    assert_eq!(refusal(&project, "<p>", |_| {}).code, "translation-missing");
}

#[test]
fn a_function_that_is_only_called_t_is_followed() {
    let code = format!("const t = (text) => text;\n{}", app("<p>{t('Old')}</p>"));
    let project = [("src/App.jsx", code.as_str())];
    changes(&project, "<p>", |_| {}, "src/App.jsx", ("Old", "New"));
}
