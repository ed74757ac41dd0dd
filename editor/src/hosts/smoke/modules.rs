//! Finding the modules a page loads, and those a compiled module imports. Dev servers write them plainly, so strings are
//! looked at and nothing is parsed: one too many is asked for in vain.

use std::cell::RefCell;

use lol_html::{HtmlRewriter, Settings, element};

/// The addresses of a page's scripts.
pub fn of_page(page: &str) -> Vec<String> {
    let found = RefCell::new(Vec::new());
    let take = |element: &lol_html::html_content::Element<'_, '_>, name: &str| {
        found.borrow_mut().extend(element.get_attribute(name));
    };
    let settings = Settings::new()
        .with_strict(false)
        .append_element_content_handler(element!("script[src]", |script| {
            take(script, "src");
            Ok(())
        }))
        .append_element_content_handler(element!("link[rel=modulepreload][href]", |link| {
            take(link, "href");
            Ok(())
        }))
        // Islands name their module in an attribute of their own.
        .append_element_content_handler(element!("[component-url]", |island| {
            take(island, "component-url");
            Ok(())
        }));
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    let _ = rewriter.write(page.as_bytes()).and_then(|()| rewriter.end());
    let mut found = found.into_inner();
    found.extend(of_script(page));
    found
}

/// The addresses in the `import` and `export … from` of a compiled module: strings after `from`, `import` or `import(`.
pub fn of_script(script: &str) -> Vec<String> {
    let mut found = Vec::new();
    for word in ["from", "import"] {
        for (at, _) in script.match_indices(word) {
            let after = script[at + word.len()..].trim_start();
            let after = after.strip_prefix('(').unwrap_or(after).trim_start();
            let Some(quote) = after.chars().next().filter(|char| matches!(char, '"' | '\'')) else {
                continue;
            };
            let Some((address, _)) = after[1..].split_once(quote) else {
                continue;
            };
            if address.starts_with(['/', '.']) && address.len() < 1_000 {
                found.push(address.to_owned());
            }
        }
    }
    found
}

/// Whether a path is a library's, or the dev server's own.
pub fn is_library(path: &str) -> bool {
    path.contains("/node_modules/") || path.contains("/@vite/") || path.contains("/@react-refresh")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_of_a_page_are_found() {
        let page = r#"<script type="module">import "/@react-refresh"; import('./x.js')</script><script src=/src/main.tsx></script>
            <link rel="modulepreload" href="/app/root.tsx"/><astro-island component-url="/src/I.tsx"></astro-island>"#;
        assert_eq!(
            of_page(page),
            [
                "/src/main.tsx",
                "/app/root.tsx",
                "/src/I.tsx",
                "/@react-refresh",
                "./x.js"
            ]
        );
    }

    #[test]
    fn imports_of_a_module_are_found() {
        let script = "import A from\"/src/A.tsx\";\nimport '/src/a.css';\nexport * from './b.js'; const l = import( \"../c.js\"); import r from 'react';";
        assert_eq!(of_script(script), ["/src/A.tsx", "./b.js", "/src/a.css", "../c.js"]);
    }
}
