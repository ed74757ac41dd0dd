//! Time and memory.

use std::hint::black_box;

use galley_sdk::clock;

/// Never ends.
pub(crate) fn spin() -> ! {
    let mut number = 0u64;
    loop {
        number = black_box(number.wrapping_add(1));
    }
}

/// So many million rounds of arithmetic.
pub(crate) fn compute(millions: u32) -> u64 {
    (0..u64::from(millions) * 1_000_000).fold(0, |number, round| black_box(number ^ round))
}

/// Computes for so many milliseconds.
pub(crate) fn sleepless(milliseconds: u32) -> u64 {
    let end = clock::now_ms() + u64::from(milliseconds);
    let mut rounds = 0;
    while clock::now_ms() < end {
        rounds += compute(1).min(1);
    }
    rounds
}

/// Takes memory, and touches it, until there is no more.
pub(crate) fn allocate() -> ! {
    let mut taken: Vec<Vec<u8>> = Vec::new();
    loop {
        taken.push(vec![1; 1 << 20]);
        black_box(&taken);
    }
}

/// Uses up the stack.
pub(crate) fn recurse(depth: u64) -> u64 {
    let frame = black_box([depth; 64]);
    if black_box(true) {
        recurse(depth + 1).wrapping_add(frame[7])
    } else {
        frame[0]
    }
}
