//! Our table of Tailwind's conflict groups against tailwind-merge.

use std::collections::BTreeSet;
use std::io::Write as _;

use galley_editor::source::classes::merge;
use galley_editor_tests::oracle;

const PACKAGES: [&str; 1] = ["tailwind-merge@3.7.0"];

/// tailwind-merge for Tailwind 3.
const OLDER: [&str; 1] = ["tailwind-merge@2.6.0"];

/// Names that take values of one kind, and values of that kind: every combination is one word.
const FAMILIES: &[(&str, &str)] = &[
    (
        "p px py ps pe pt pr pb pl m mx my mt ml gap gap-x gap-y space-x inset inset-x top start end scroll-m scroll-px indent basis",
        "4 px [3px] (--x)",
    ),
    ("w h size min-w max-w max-h", "4 1/2 full [3px] screen"),
    (
        "text",
        "sm base 2xl/7 left red-500 [3px] [#fff] [color:var(--x)] (--x) (length:--x) balance muted ellipsis",
    ),
    (
        "bg",
        "red-500 cover center no-repeat repeat-x [url(a.png)] [length:1px] (--x) (image:--x) linear-to-r none fixed",
    ),
    ("border border-x border-t border-s", "2 red-500 [3px] [#fff] (--x)"),
    ("border", "solid collapse"),
    ("font", "bold sans [weight:3] [family-name:x] [400] (--x)"),
    ("rounded rounded-t rounded-tl rounded-s", "md full [3px]"),
    (
        "shadow ring outline inset-shadow drop-shadow stroke decoration",
        "md 2 none red-500 [3px] [0_1px_2px_red]",
    ),
    ("grid-cols col-span col-start row z order", "2 auto [x]"),
    ("flex", "row wrap 1 auto [2_2_0%]"),
    ("overflow overflow-x overscroll overscroll-y", "auto hidden none"),
    ("items justify content self place-items", "center start normal baseline"),
    (
        "translate translate-x translate-z scale scale-x rotate skew-x",
        "4 1/2 none [x]",
    ),
    (
        "blur backdrop-blur brightness grayscale transition duration ease animate",
        "sm 50 none [x] in",
    ),
    (
        "mask mask-x-from mask-linear from via",
        "10% red-500 center none [position:x]",
    ),
    ("leading tracking line-clamp list", "4 tight none disc [x]"),
    ("touch snap select cursor fill accent", "auto none x pan-x"),
];

const WORDS: &str = "block flex grid hidden inline table static absolute visible collapse truncate underline italic uppercase \
    antialiased sr-only isolate container normal-nums ordinal tabular-nums touch-pan-y touch-pinch-zoom rounded border shadow ring \
    outline grow shrink blur filter transition resize -mt-4 -inset-1 [color:red] [color:blue] [--x:1] @container @container/main \
    @container-size divide-x divide-x-reverse btn card p- p-x foo-4 w-auto/2 bg-red-500/50 text-sm/6 translate-none mask-no-clip \
    tab-4 zoom-50 wrap-anywhere scheme-dark font-stretch-50% inset-s-4 inset-bs-2 pbs-4 min-h-lh max-w-screen-md bg-blend-color";

/// Variants that are the same or not.
const VARIANTS: [&str; 14] = [
    "",
    "md:",
    "hover:",
    "md:hover:",
    "hover:md:",
    "[&>p]:",
    "md:[&>p]:",
    "[&>p]:md:",
    "!",
    "*:",
    "before:hover:",
    "hover:before:",
    "group-[.x:y]:",
    "data-[a/b]:",
];

fn vocabulary() -> Vec<String> {
    let families = FAMILIES.iter().flat_map(|(names, values)| {
        let pairs = names
            .split(' ')
            .flat_map(|name| values.split(' ').map(move |value| format!("{name}-{value}")));
        pairs.collect::<Vec<_>>()
    });
    families.chain(WORDS.split_whitespace().map(str::to_owned)).collect()
}

/// What tailwind-merge leaves of each list, as sets of words.
fn ask(packages: &str, names: &[&str], lists: &[String]) -> Vec<BTreeSet<String>> {
    let folder = oracle::packages(packages, names);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(lists.join("\n").as_bytes()).unwrap();
    let answers = oracle::ask("classes.mjs", &folder, &[file.path().to_owned()]);
    assert_eq!(answers.len(), lists.len());
    answers.iter().map(|answer| set(answer.as_str().unwrap())).collect()
}

fn set(list: &str) -> BTreeSet<String> {
    list.split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The list after adding its last word to the others.
fn ours(list: &str) -> String {
    let words: Vec<&str> = list.split(' ').collect();
    let (last, before) = words.split_last().unwrap();
    merge(before, &[last], &[] as &[&str]).join(" ")
}

fn compare(packages: &str, names: &[&str], lists: &[String]) {
    let theirs = ask(packages, names, lists);
    let pairs = lists.iter().zip(theirs);
    let wrong: Vec<String> = pairs
        .filter(|(list, theirs)| set(&ours(list)) != *theirs)
        .map(|(list, theirs)| format!("{list}: ours {:?}, theirs {theirs:?}", ours(list)))
        .collect();
    println!("{} lists compared with {}", lists.len(), names[0]);
    let shown = wrong.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {} differ\n{shown}", wrong.len(), lists.len());
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

#[test]
fn every_pair_of_utilities_conflicts_as_tailwind_merge_says() {
    let words = vocabulary();
    let mut pairs = Vec::new();
    // Half of all pairs, always those that stand close to each other: most conflicts are between neighbours.
    for (at, one) in words.iter().enumerate() {
        for (other, two) in words.iter().enumerate() {
            if at.abs_diff(other) < 40 || (at + other) % 4 == 0 {
                pairs.push(format!("{one} {two}"));
            }
        }
    }
    assert!(pairs.len() > 10_000);
    compare("classes", &PACKAGES, &pairs);
}

#[test]
fn variants_are_compared_as_tailwind_merge_says() {
    let mut lists = Vec::new();
    for one in VARIANTS {
        for two in VARIANTS {
            for word in ["p-4", "px-2", "text-red-500", "[color:red]", "p-4!", "unknown"] {
                lists.push(format!("{one}{word} {two}p-2"));
                lists.push(format!("{one}{word} {two}{word}"));
                lists.push(format!("{one}{word} {two}text-[#fff]"));
            }
        }
    }
    compare("classes", &PACKAGES, &lists);
}

#[test]
fn adding_to_a_list_means_what_tailwind_merge_makes_of_both() {
    let words = vocabulary();
    let mut dice = Dice(7);
    let mut lists = Vec::new();
    for _ in 0..4000 {
        // Close neighbours, so that there is something to resolve.
        let around = dice.roll(words.len());
        let list: Vec<String> = (0..2 + dice.roll(6))
            .map(|_| {
                let word = &words[(around + dice.roll(30)) % words.len()];
                let variant = if dice.roll(4) == 0 {
                    VARIANTS[dice.roll(VARIANTS.len())]
                } else {
                    ""
                };
                format!("{variant}{word}")
            })
            .collect();
        lists.push(list.join(" "));
    }
    let merged: Vec<String> = lists.iter().map(|list| ours(list)).collect();
    let (wanted, found) = (ask("classes", &PACKAGES, &lists), ask("classes", &PACKAGES, &merged));
    for ((list, wanted), found) in lists.iter().zip(wanted).zip(found) {
        assert_eq!(found, wanted, "{list}: ours {:?}", ours(list));
    }
}

#[test]
fn the_cases_of_its_documentation_hold() {
    let lists = [
        "p-5 p-2 p-4",
        "p-3 px-5",
        "inset-x-4 right-4",
        "p-2 hover:p-4",
        "hover:p-2 hover:p-4",
        "hover:focus:p-2 focus:hover:p-4",
        "bg-black bg-(--my-color)",
        "bg-(--my-color) bg-[color:var(--other)]",
        "[mask-type:luminance] [mask-type:alpha]",
        "[--scroll-offset:56px] lg:[--scroll-offset:44px]",
        "[padding:1rem] p-8",
        "[&:nth-child(3)]:py-0 [&:nth-child(3)]:py-4",
        "dark:hover:[&:nth-child(3)]:py-0 hover:dark:[&:nth-child(3)]:py-4",
        "[&:hover]:py-0 hover:py-4",
        "!p-3 !p-4 p-5",
        "!right-2 !-inset-x-1",
        "text-sm leading-6 text-lg/7",
        "p-5 p-2 my-non-tailwind-class p-4",
        "text-red text-secret-sauce",
        "line-clamp-1 overflow-auto inline",
        "overflow-auto inline line-clamp-1",
        "stroke-black stroke-1",
        "grow [flex-grow:1]",
        "[--my-var:1px] [--my-var:2px]",
        "flex-1 basis-2 grow flex-auto",
        "w-3 h-3 size-5",
        "px-3 ps-3 p-4",
        "hover:block hover:inline",
    ];
    let lists: Vec<String> = lists.iter().map(|list| (*list).to_owned()).collect();
    let merged: Vec<String> = lists.iter().map(|list| ours(list)).collect();
    assert_eq!(ask("classes", &PACKAGES, &lists), ask("classes", &PACKAGES, &merged));
}

#[test]
fn names_of_tailwind_3_conflict_as_its_tailwind_merge_says() {
    let words = "bg-opacity-50 bg-opacity-75 text-opacity-50 border-opacity-10 divide-opacity-5 ring-opacity-20 placeholder-opacity-20 \
        bg-gradient-to-r bg-gradient-to-t bg-none bg-red-500 text-red-500 border-red-500 ring-red-500 ring-2 placeholder-red-500 p-4 \
        px-2 transform filter blur-sm shadow-md break-words text-ellipsis overflow-hidden rounded-lg flex-1 grow space-x-2 divide-x-2";
    let words: Vec<&str> = words.split_whitespace().collect();
    let pairs = words
        .iter()
        .flat_map(|one| words.iter().map(move |two| format!("{one} {two}")));
    compare("classes-3", &OLDER, &pairs.collect::<Vec<_>>());
}
