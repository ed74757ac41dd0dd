//! PNG images that are large enough to stay files of their own: Vite puts small ones into the script.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

const SIDE: u32 = 64;

/// A picture of noise, another one for each `seed`.
pub fn png(seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut noise = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    let mut rows = Vec::new();
    for _ in 0..SIDE {
        rows.push(0);
        rows.extend(std::iter::repeat_with(&mut noise).take(SIDE as usize * 3));
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&rows).unwrap();

    let mut header = Vec::new();
    header.extend(SIDE.to_be_bytes());
    header.extend(SIDE.to_be_bytes());
    // Eight bits for each of three colours; the only compression and filter there are; not interlaced.
    header.extend([8, 2, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut png, b"IHDR", &header);
    chunk(&mut png, b"IDAT", &packed.finish().unwrap());
    chunk(&mut png, b"IEND", &[]);
    png
}

fn chunk(png: &mut Vec<u8>, kind: &[u8; 4], data: &[u8]) {
    let mut checksum = flate2::Crc::new();
    checksum.update(kind);
    checksum.update(data);
    png.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
    png.extend(kind);
    png.extend(data);
    png.extend(checksum.sum().to_be_bytes());
}
