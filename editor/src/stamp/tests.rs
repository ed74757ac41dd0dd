use super::{Stamped, Unstamped, stamp};
use crate::source::module;

fn stamped(code: &str) -> Stamped {
    stamp("src/App.tsx", code).unwrap()
}

/// The code with `@line:column` for each stamp.
fn short(code: &str) -> String {
    let stamped = stamped(code).code;
    let mut parts = stamped.split(" data-desde-src=\"src/App.tsx:");
    let mut short = parts.next().unwrap().to_owned();
    for part in parts {
        let (at, rest) = part.split_once('"').unwrap();
        short.push_str(&format!("@{at}{rest}"));
    }
    short
}

#[test]
fn elements_of_the_page_are_stamped_and_others_are_not() {
    for (code, wanted) in [
        ("<p>a<b/></p>", "<p@1:0>a<b@1:4/></p>"),
        ("<><p/></>", "<><p@1:2/></>"),
        ("<Card><p/></Card>", "<Card><p@1:6/></Card>"),
        ("<a.b><motion.div/></a.b>", "<a.b><motion.div/></a.b>"),
        ("<mesh><group/></mesh>", "<mesh><group/></mesh>"),
        ("<svg:rect/>", "<svg:rect/>"),
        ("<my-card<T>\n  x={<i/>}/>", "<my-card<T>@1:0\n  x={<i@2:5/>}/>"),
        (
            "<p title=\"a\" data-desde-src=\"x:1:1\"/>",
            "<p title=\"a\" data-desde-src=\"x:1:1\"/>",
        ),
        ("<p/* c */>a</p/* d */>", "<p@1:0/* c */>a</p/* d */>"),
        ("<p // c\n>a</p>", "<p@1:0 // c\n>a</p>"),
        ("x = '😀' + <p/>", "x = '😀' + <p@1:11/>"),
        ("a\r\n+ <p/>\r+ <b/>", "a\r\n+ <p@2:2/>\r+ <b@3:2/>"),
        (
            "f<T>(<T,>(x: T) => <p>{x as Array<string>}</p>)",
            "f<T>(<T,>(x: T) => <p@1:19>{x as Array<string>}</p>)",
        ),
        ("@d class A { @e f = <p/>; }", "@d class A { @e f = <p@1:20/>; }"),
        (
            "<p>{'</p>'}{/<b>/}{`<i>${<u/>}`}</p>",
            "<p@1:0>{'</p>'}{/<b>/}{`<i>${<u@1:25/>}`}</p>",
        ),
        ("const a = 1 < 2;", "const a = 1 < 2;"),
        ("<Card><a.b/><C.d/></Card>", "<Card><a.b/><C.d/></Card>"),
        ("< p/>", "< p@1:0/>"),
        ("<\n// c\np/>", "<\n// c\np@1:0/>"),
        ("</* c */p/>", "</* c */p@1:0/>"),
        ("<// c\np/>", "<// c\np@1:0/>"),
        ("<\u{a0}p/>", "<\u{a0}p@1:0/>"),
        ("", ""),
    ] {
        assert_eq!(short(code), wanted);
    }
}

#[test]
fn what_is_not_understood_stays_without_stamps() {
    for code in [
        "<p></b>",
        "// @flow\ntype A = {| a: 1 |}; const a = <p/>;",
        "<p a=></p>",
    ] {
        let Err(Unstamped::Broken { path, why }) = stamp("a.js", code) else {
            panic!("{code} was stamped")
        };
        assert_eq!(path, "a.js");
        assert!(!why.is_empty());
    }
    assert_eq!(stamp("a.css", ""), Err(Unstamped::NoLanguage("a.css".to_owned())));
}

#[test]
fn javascript_files_may_hold_jsx() {
    assert_eq!(stamp("a.js", "const a = <p/>;").unwrap().elements, 1);
    assert_eq!(
        stamp("a.mjs", "const a = b < c; export default a;").unwrap().elements,
        0
    );
}

#[test]
fn paths_are_written_as_attributes_take_them() {
    let stamped = stamp("a \"b\" & <c>/d.jsx", "<p/>").unwrap();
    assert_eq!(
        stamped.code,
        "<p data-desde-src=\"a &quot;b&quot; &amp; &lt;c>/d.jsx:1:0\"/>"
    );
}

#[test]
fn deep_nesting_is_refused_or_read_and_never_the_end() {
    for (open, close) in [
        ("(", ")"),
        ("<p>", "</p>"),
        ("[", "]"),
        ("{", "}"),
        ("!", ""),
        ("a=>", ""),
        ("a?b:", ""),
        ("a.", ""),
        ("if(a)", ""),
    ] {
        let depth = 10_000;
        let code = format!("x = <p/>;\n{}a{}", open.repeat(depth), close.repeat(depth));
        let _ = stamp("a.jsx", &code);
        let _ = crate::source::engine::outline("a.jsx", &code);
    }
    let huge = format!("<p/>{}", "(".repeat(2_000_000));
    assert!(matches!(stamp("a.jsx", &huge), Err(Unstamped::Broken { .. })));
}

/// The segments of mappings by line: column in the result, line and column in the file.
fn segments(mappings: &str) -> Vec<Vec<(usize, usize, usize)>> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut line, mut column) = (0i64, 0i64);
    let lines = mappings.split(';');
    lines
        .map(|text| {
            let mut result = 0i64;
            text.split(',')
                .filter(|segment| !segment.is_empty())
                .map(|segment| {
                    let mut numbers = Vec::new();
                    let (mut number, mut shift) = (0i64, 0);
                    for digit in segment.chars() {
                        let digit = DIGITS.find(digit).unwrap() as i64;
                        number |= (digit & 31) << shift;
                        shift += 5;
                        if digit & 32 == 0 {
                            numbers.push(if number & 1 == 1 { -(number >> 1) } else { number >> 1 });
                            (number, shift) = (0, 0);
                        }
                    }
                    let [by_result, source, by_line, by_column] = numbers[..] else {
                        panic!("{segment}")
                    };
                    assert_eq!(source, 0);
                    result += by_result;
                    line += by_line;
                    column += by_column;
                    (result as usize, line as usize, column as usize)
                })
                .collect()
        })
        .collect()
}

#[test]
fn the_map_leads_every_word_to_its_exact_place() {
    let code = "import a from 'b';\r\n\r\nexport const A = () => (\r\n\t<p title=\"😀\" id={a.b}>\r\n\t\ttext <b>{'é'}</b>\r\n\t</p>\r\n);\r\n";
    let stamped = stamped(code);
    let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
    let lines: Vec<Vec<u16>> = code.split('\n').map(units).collect();
    let results: Vec<Vec<u16>> = stamped.code.split('\n').map(units).collect();
    let map = segments(&stamped.mappings);
    assert_eq!(map.len(), lines.len());
    for (number, segments) in map.iter().enumerate() {
        let stamp = units("data-desde-src");
        for (result, line, column) in segments {
            assert_eq!(*line, number);
            // A stamp leads to the place behind the tag's name.
            let is_stamp = results[number][result + 1..].starts_with(&stamp);
            assert!(
                is_stamp || results[number][*result] == lines[number][*column],
                "{number}: {result} → {column}"
            );
        }
        let words =
            lines[number].split(|unit| char::from_u32(u32::from(*unit)).is_some_and(|unit| !unit.is_alphanumeric()));
        assert!(segments.len() >= words.filter(|word| !word.is_empty()).count());
    }
}

#[test]
fn names_that_three_shares_with_the_page_are_stamped_on_the_page_only() {
    let canvas = "import { Canvas } from '@react-three/fiber';\nimport { Html } from '@react-three/drei';\n";
    for (before, markup, names) in [
        ("", "<svg><path/><g><line/></g></svg>", vec!["svg", "path", "g", "line"]),
        ("", "<Icon><path/></Icon>", vec!["path"]),
        ("", "<mesh><line/></mesh>", vec![]),
        (
            canvas,
            "<div><Canvas><line/><path/><audio/></Canvas></div>",
            vec!["div"],
        ),
        (
            canvas,
            "<Canvas><Html><audio/><svg><path/></svg></Html></Canvas>",
            vec!["audio", "svg", "path"],
        ),
        (canvas, "<Canvas><Scene fallback={<path/>}/></Canvas>", vec![]),
        (canvas, "<main><Canvas/><audio/></main>", vec!["main", "audio"]),
        ("import * as THREE from 'three';\n", "<line/>", vec![]),
        ("import { line } from './lines';\n", "<line/>", vec!["line"]),
    ] {
        let text = format!("{before}export const App = () => {markup};\n");
        let stamped = stamp("src/App.tsx", &text).unwrap().code;
        let found: Vec<&str> = stamped
            .split(" data-desde-src=")
            .map(|part| part.rsplit('<').next().unwrap_or_default())
            .take(stamped.matches(" data-desde-src=").count())
            .collect();
        assert_eq!(found, names, "{text}");
        let module = module::read("src/App.tsx", &text.as_str().into()).unwrap();
        let hosts = module
            .elements
            .iter()
            .filter(|element| element.kind == module::ElementKind::Host);
        assert_eq!(
            hosts.map(|element| element.tag.as_str()).collect::<Vec<_>>(),
            names,
            "{text}"
        );
    }
}

#[test]
fn custom_elements_that_vue_is_told_of_are_stamped() {
    let code = "<template><my-card><p/></my-card><your-card/><TresMesh/></template>";
    let custom = ["my-card".to_owned(), "TresMesh".to_owned()];
    let told = super::stamp_with("src/App.vue", code, &custom).unwrap();
    assert_eq!(told.elements, 2, "{}", told.code);
    assert!(told.code.contains("<my-card data-desde-src="), "{}", told.code);
    assert_eq!(stamp("src/App.vue", code).unwrap().elements, 1);
}

#[test]
fn jsx_in_the_script_of_a_component_is_stamped() {
    let code = "<template>\n  <p/>\n</template>\n<script setup lang=\"tsx\">\nconst a = 'é' + <b><Card/><my-card/></b>\n</script>\n";
    let stamped = stamp("src/App.vue", code).unwrap();
    assert_eq!(stamped.elements, 2);
    let wanted = code
        .replace("<p", "<p data-desde-src=\"src/App.vue:2:2\"")
        .replace("<b>", "<b data-desde-src=\"src/App.vue:5:16\">");
    assert_eq!(stamped.code, wanted);
    let broken = stamp("src/App.vue", "<script lang=\"tsx\">\nconst a = <b>\n</script>");
    assert!(matches!(broken, Err(Unstamped::Broken { .. })), "{broken:?}");
}
