use super::*;
use crate::source::script;

#[test]
fn words_signs_and_brackets_are_counted() {
    let need = |text| need(text) - GROUND;
    assert_eq!(need(""), 0);
    assert_eq!(need("ab_1 $b  c"), 3 * TOKEN, "words");
    assert_eq!(need("a.b"), 3 * TOKEN, "two words and a sign");
    assert_eq!(need("([{<"), 4 * (BRACKET + TOKEN));
    assert_eq!(
        need("a)\n]},;'\""),
        TOKEN,
        "closing, parting and quoting makes no level"
    );
    assert_eq!(
        need("new\u{a0}new\u{2003}new"),
        5 * TOKEN,
        "white space beyond ASCII parts words"
    );
}

#[test]
fn long_texts_are_counted_as_short_ones() {
    for (piece, each) in [("a ", TOKEN), ("(", BRACKET + TOKEN), ("a", 0), ("é", TOKEN)] {
        for count in [1, 127, 128, 129, 255, 256, 257, 1000] {
            let first = if each == 0 { TOKEN } else { 0 };
            assert_eq!(
                need(&piece.repeat(count)),
                GROUND + first + count * each,
                "{count} × {piece}"
            );
        }
    }
}

/// On a stack of exactly what was counted every construct that can nest is read and walked: more would end the program here.
#[test]
fn what_was_counted_is_enough_for_every_construct() {
    const DEPTH: usize = 600;
    for (around, all) in NESTING {
        for (open, close) in *all {
            let nested = format!("{}a{}", open.repeat(DEPTH), close.repeat(DEPTH));
            let text = around.replace('…', &nested);
            // On a stack of that size there is not quite as much left: it is read on one more, which has no byte to spare.
            let (pieces, names) = stacker::grow(need(&text), || {
                let pieces = script::pieces("a.tsx", &text).map_or(0, |pieces| pieces.len());
                (pieces, script::with_names("a.tsx", &text, |_| ()))
            });
            assert!(pieces > DEPTH, "{around} {open}{close} nests, and is read");
            assert!(names.is_ok(), "{around} {open}{close}");
        }
    }
}

/// What can stand around itself, by what stands around that.
const NESTING: &[(&str, &[(&str, &str)])] = &[
    (
        "x = (…); <p/>",
        &[
            ("(", ")"),
            ("[", "]"),
            ("<p>", "</p>"),
            ("<p a={", "}/>"),
            ("<>{", "}</>"),
            ("<p>{a&&", "}</p>"),
            ("a=>", ""),
            ("()=>{return ", "}"),
            ("({a:", "})"),
            ("`${", "}`"),
            ("a`${", "}`"),
            ("!", ""),
            ("- ", ""),
            ("typeof ", ""),
            ("new ", ""),
            ("await ", ""),
            ("a?b:", ""),
            ("a?", ":b"),
            ("a=", ""),
            ("a**", ""),
            ("a.", ""),
            ("a+", ""),
            ("a&&", ""),
            ("a??", ""),
            ("", "!"),
            ("", "()"),
            ("", "[0]"),
            ("", "``"),
            ("", "?.b"),
            ("", " as b"),
            ("", " satisfies b"),
            ("(a,", ")"),
            ("@a(", ")class{}"),
            ("async()=>", ""),
            ("import(", ")"),
            ("a.b(", ")"),
            ("new a(", ")"),
            ("<a.b>", "</a.b>"),
            ("<T,>(a:T)=>", ""),
            ("({a(){return ", "}})"),
            ("({get a(){return ", "}})"),
            ("({[", "]:1})"),
            ("(a=", ")=>b"),
            ("async(a=", ")=>b"),
            ("x<", ">(a)"),
            ("{...", "}"),
            ("a in ", ""),
        ],
    ),
    (
        "<p/>; …",
        &[
            ("if(a)", ""),
            ("if(a);else ", ""),
            ("do ", ";while(a)"),
            ("b:", ""),
            ("while(a)", ""),
            ("for(;;)", ""),
            ("with(a)", ""),
            ("try{", "}finally{}"),
            ("switch(a){case b:", "}"),
            ("class a{b(){", "}}"),
            ("class a{static{", "}}"),
            ("class a extends ", "{}"),
            ("namespace a{", "}"),
        ],
    ),
    (
        "<p/>; type X = …;",
        &[
            ("A<", ">"),
            ("(", ")"),
            ("[", "]"),
            ("{a:", "}"),
            ("keyof ", ""),
            ("", "[]"),
            ("", "['a']"),
            ("A.", ""),
            ("A extends B?C:", ""),
            ("()=>", ""),
            ("new()=>", ""),
            ("A|(", ")"),
            ("<T>()=>", ""),
            ("(a:", ")=>A"),
            ("{[a in ", "]:A}"),
            ("`${", "}`"),
            ("typeof a<", ">"),
        ],
    ),
    ("<p/>; var … = c", &[("[", "]=b"), ("{a:", "}=b"), ("[a=", "]")]),
    ("<p/>; function* f() { … }", &[("yield ", "")]),
];
