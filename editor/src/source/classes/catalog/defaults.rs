//! The names that Tailwind has without any configuration.

use super::super::tailwind::{literals, named};
use super::entry::CatalogEntry;

/// What a project's own theme has replaced.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Replaced {
    pub colors: bool,
    pub spacing: bool,
}

/// The utilities that stand for a place on the spacing scale, and what they set.
pub(super) const SPACED: &[(&str, &str)] = &[
    ("p", "padding"),
    ("px", "padding-inline"),
    ("py", "padding-block"),
    ("pt", "padding-top"),
    ("pr", "padding-right"),
    ("pb", "padding-bottom"),
    ("pl", "padding-left"),
    ("m", "margin"),
    ("mx", "margin-inline"),
    ("my", "margin-block"),
    ("mt", "margin-top"),
    ("mr", "margin-right"),
    ("mb", "margin-bottom"),
    ("ml", "margin-left"),
    ("gap", "gap"),
    ("gap-x", "column-gap"),
    ("gap-y", "row-gap"),
    ("w", "width"),
    ("h", "height"),
    ("size", "width and height"),
    ("top", "top"),
    ("right", "right"),
    ("bottom", "bottom"),
    ("left", "left"),
    ("inset", "inset"),
];

/// The utilities that take a colour.
pub(super) const COLORED: &[&str] = &[
    "bg", "text", "border", "ring", "outline", "fill", "stroke", "from", "via", "to",
];

/// Steps of the spacing scale, in quarters of a rem.
const STEPS: &str = "0 0.5 1 1.5 2 2.5 3 3.5 4 5 6 7 8 9 10 11 12 14 16 20 24 28 32 36 40 44 48 52 56 60 64 72 80 96";

const SHADES: [&str; 11] = [
    "50", "100", "200", "300", "400", "500", "600", "700", "800", "900", "950",
];

/// Tailwind's palette (<https://tailwindcss.com/docs/colors>): a hexadecimal colour for each of [`SHADES`].
const PALETTE: &[(&str, &str)] = &[
    (
        "slate",
        "f8fafc f1f5f9 e2e8f0 cbd5e1 94a3b8 64748b 475569 334155 1e293b 0f172a 020617",
    ),
    (
        "gray",
        "f9fafb f3f4f6 e5e7eb d1d5db 9ca3af 6b7280 4b5563 374151 1f2937 111827 030712",
    ),
    (
        "zinc",
        "fafafa f4f4f5 e4e4e7 d4d4d8 a1a1aa 71717a 52525b 3f3f46 27272a 18181b 09090b",
    ),
    (
        "neutral",
        "fafafa f5f5f5 e5e5e5 d4d4d4 a3a3a3 737373 525252 404040 262626 171717 0a0a0a",
    ),
    (
        "stone",
        "fafaf9 f5f5f4 e7e5e4 d6d3d1 a8a29e 78716c 57534e 44403c 292524 1c1917 0c0a09",
    ),
    (
        "red",
        "fef2f2 fee2e2 fecaca fca5a5 f87171 ef4444 dc2626 b91c1c 991b1b 7f1d1d 450a0a",
    ),
    (
        "orange",
        "fff7ed ffedd5 fed7aa fdba74 fb923c f97316 ea580c c2410c 9a3412 7c2d12 431407",
    ),
    (
        "amber",
        "fffbeb fef3c7 fde68a fcd34d fbbf24 f59e0b d97706 b45309 92400e 78350f 451a03",
    ),
    (
        "yellow",
        "fefce8 fef9c3 fef08a fde047 facc15 eab308 ca8a04 a16207 854d0e 713f12 422006",
    ),
    (
        "lime",
        "f7fee7 ecfccb d9f99d bef264 a3e635 84cc16 65a30d 4d7c0f 3f6212 365314 1a2e05",
    ),
    (
        "green",
        "f0fdf4 dcfce7 bbf7d0 86efac 4ade80 22c55e 16a34a 15803d 166534 14532d 052e16",
    ),
    (
        "emerald",
        "ecfdf5 d1fae5 a7f3d0 6ee7b7 34d399 10b981 059669 047857 065f46 064e3b 022c22",
    ),
    (
        "teal",
        "f0fdfa ccfbf1 99f6e4 5eead4 2dd4bf 14b8a6 0d9488 0f766e 115e59 134e4a 042f2e",
    ),
    (
        "cyan",
        "ecfeff cffafe a5f3fc 67e8f9 22d3ee 06b6d4 0891b2 0e7490 155e75 164e63 083344",
    ),
    (
        "sky",
        "f0f9ff e0f2fe bae6fd 7dd3fc 38bdf8 0ea5e9 0284c7 0369a1 075985 0c4a6e 082f49",
    ),
    (
        "blue",
        "eff6ff dbeafe bfdbfe 93c5fd 60a5fa 3b82f6 2563eb 1d4ed8 1e40af 1e3a8a 172554",
    ),
    (
        "indigo",
        "eef2ff e0e7ff c7d2fe a5b4fc 818cf8 6366f1 4f46e5 4338ca 3730a3 312e81 1e1b4b",
    ),
    (
        "violet",
        "f5f3ff ede9fe ddd6fe c4b5fd a78bfa 8b5cf6 7c3aed 6d28d9 5b21b6 4c1d95 2e1065",
    ),
    (
        "purple",
        "faf5ff f3e8ff e9d5ff d8b4fe c084fc a855f7 9333ea 7e22ce 6b21a8 581c87 3b0764",
    ),
    (
        "fuchsia",
        "fdf4ff fae8ff f5d0fe f0abfc e879f9 d946ef c026d3 a21caf 86198f 701a75 4a044e",
    ),
    (
        "pink",
        "fdf2f8 fce7f3 fbcfe8 f9a8d4 f472b6 ec4899 db2777 be185d 9d174d 831843 500724",
    ),
    (
        "rose",
        "fff1f2 ffe4e6 fecdd3 fda4af fb7185 f43f5e e11d48 be123c 9f1239 881337 4c0519",
    ),
];

/// Scales whose steps have names: the utilities, and the steps with their values.
const SCALES: &[(&str, &str, &str)] = &[
    (
        "text",
        "font-size",
        "xs=0.75rem sm=0.875rem base=1rem lg=1.125rem xl=1.25rem 2xl=1.5rem 3xl=1.875rem 4xl=2.25rem 5xl=3rem 6xl=3.75rem 7xl=4.5rem 8xl=6rem 9xl=8rem",
    ),
    (
        "font",
        "font-weight",
        "thin=100 extralight=200 light=300 normal=400 medium=500 semibold=600 bold=700 extrabold=800 black=900",
    ),
    ("font", "font-family", "sans serif mono"),
    ("rounded", "border-radius", "none=0 sm md lg xl 2xl 3xl full=9999px"),
    ("shadow", "box-shadow", "none sm md lg xl 2xl"),
    (
        "opacity",
        "opacity",
        "0=0 5=0.05 10=0.1 20=0.2 25=0.25 30=0.3 40=0.4 50=0.5 60=0.6 70=0.7 75=0.75 80=0.8 90=0.9 95=0.95 100=1",
    ),
    (
        "max-w",
        "max-width",
        "xs=20rem sm=24rem md=28rem lg=32rem xl=36rem 2xl=42rem 3xl=48rem 4xl=56rem 5xl=64rem 6xl=72rem 7xl=80rem prose=65ch full=100% none",
    ),
    (
        "leading",
        "line-height",
        "none=1 tight=1.25 snug=1.375 normal=1.5 relaxed=1.625 loose=2",
    ),
    (
        "tracking",
        "letter-spacing",
        "tighter=-0.05em tight=-0.025em normal=0 wide=0.025em wider=0.05em widest=0.1em",
    ),
    ("z", "z-index", "0=0 10=10 20=20 30=30 40=40 50=50 auto"),
    ("border", "border-width", "0=0 2=2px 4=4px 8=8px"),
    ("grid-cols", "grid-template-columns", "1 2 3 4 5 6 7 8 9 10 11 12 none"),
    ("col-span", "grid-column", "1 2 3 4 5 6 7 8 9 10 11 12 full"),
];

/// All of them: colours, spacing, scales, and the utilities without values.
pub(super) fn entries(replaced: Replaced) -> Vec<CatalogEntry> {
    let mut entries = Vec::new();
    let mut add = |name: String, preview: Option<String>| {
        entries.push(CatalogEntry {
            name,
            from: "Tailwind".to_owned(),
            preview,
        })
    };
    if !replaced.colors {
        for utility in COLORED {
            for (color, hexes) in PALETTE {
                for (shade, hex) in SHADES.iter().zip(hexes.split(' ')) {
                    add(format!("{utility}-{color}-{shade}"), Some(format!("#{hex}")));
                }
            }
            for (color, value) in [
                ("white", "#fff"),
                ("black", "#000"),
                ("transparent", "transparent"),
                ("current", "currentColor"),
            ] {
                add(format!("{utility}-{color}"), Some(value.to_owned()));
            }
        }
    }
    if !replaced.spacing {
        for (utility, property) in SPACED {
            for step in STEPS.split(' ') {
                let rem = step.parse::<f64>().unwrap_or_default() / 4.0;
                add(format!("{utility}-{step}"), Some(format!("{property}: {rem}rem")));
            }
            add(format!("{utility}-px"), Some(format!("{property}: 1px")));
        }
    }
    for (utility, property, steps) in SCALES {
        for step in steps.split(' ') {
            match step.split_once('=') {
                Some((step, value)) => add(format!("{utility}-{step}"), Some(format!("{property}: {value}"))),
                None => add(format!("{utility}-{step}"), None),
            }
        }
    }
    for class in literals() {
        let preview = named(class).map(|(property, value)| format!("{property}: {value}"));
        add(class.to_owned(), preview);
    }
    entries
}
