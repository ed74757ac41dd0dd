//! What bad models really send, made of what a good one would: each kind spoils a right proposal in one way.

mod case;
mod file;
mod new;
mod old;
mod page;

pub use case::{Case, Kind};

/// What needs no page to be refused.
pub const FOR_THE_GATE: [Kind; 21] = [
    Kind::new("`old` with another indentation", old::indented),
    Kind::new("`old` with the numbers of its lines", old::numbered),
    Kind::new("`old` and `new` with the signs of a diff", old::with_signs),
    Kind::new("`old` escaped twice", old::escaped),
    Kind::new("`old` escaped as HTML is", old::as_html),
    Kind::new("`old` with a gap", old::with_a_gap),
    Kind::new("`old` that is too short", old::short),
    Kind::new("`old` with one letter in the other case", old::in_the_other_case),
    Kind::new("`old` with line ends of another system", old::with_other_ends),
    Kind::new("no `old`", old::missing),
    Kind::new("the same place twice", old::twice),
    Kind::new("arguments of another tool", file::other_arguments),
    Kind::anywhere("another file than it stands in", file::another),
    Kind::new("one more file of the project", file::one_more),
    Kind::anywhere("a file that installs, configures or keeps secrets", file::closed),
    Kind::anywhere("a path that leads out", file::outside),
    Kind::new("something new that it does", new::capable),
    Kind::new("a mistake of syntax", new::broken),
    Kind::new("too much at once", new::long),
    Kind::new("nothing that differs", new::nothing),
    Kind::new("a character that nobody sees", new::unseen),
];

/// What is in order in the source: only the page shows that it is not what was asked for.
pub const FOR_THE_PAGE: [Kind; 4] = [
    Kind::new("another element instead", page::instead),
    Kind::new("another element as well", page::as_well),
    Kind::new("`new` cut off in the middle", page::cut_off),
    Kind::new("`new` with its rest left out", page::left_out),
];
