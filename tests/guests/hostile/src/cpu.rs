//! Time and memory.

use std::hint::black_box;

/// Never ends.
pub(crate) fn spin() -> ! {
    let mut number = 0u64;
    loop {
        number = black_box(number.wrapping_add(1));
    }
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
