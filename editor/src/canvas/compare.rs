//! In how many pixels two pictures differ, and where. They are read row by row: two pages as high as they may be would fill
//! hundreds of megabytes at once.

use std::io::{BufRead, Seek};

use png::{ColorType, Decoder, Reader, Transformations};
use serde::{Deserialize, Serialize};

/// In what two pictures differ.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// How much of the larger picture is another, from 0 to 1.
    pub share: f64,
    /// Where; none when nothing differs.
    pub area: Option<Area>,
}

/// A part of a picture, from its top left corner, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// From the left.
    pub x: u32,
    /// From the top.
    pub y: u32,
    /// To the right.
    pub width: u32,
    /// Downwards.
    pub height: u32,
}

/// The smallest part that holds all pixels that differ.
#[derive(Default)]
struct Found {
    pixels: u64,
    /// Left, top, and behind the right and the lower edge.
    edges: Option<(u32, u32, u32, u32)>,
}

impl Found {
    fn add(&mut self, x: u32, y: u32) {
        self.pixels += 1;
        let (left, top, right, bottom) = self.edges.unwrap_or((x, y, x + 1, y + 1));
        self.edges = Some((left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)));
    }
}

/// Compares two PNGs. Where only one of them has pixels, they differ.
///
/// # Errors
/// When one is no PNG.
pub fn compare(before: impl BufRead + Seek, after: impl BufRead + Seek) -> Result<Difference, String> {
    let (mut before, mut after) = (Rows::new(before)?, Rows::new(after)?);
    let (width, height) = (before.width.max(after.width), before.height.max(after.height));
    let mut found = Found::default();
    for y in 0..height {
        let (one, other) = (before.next()?, after.next()?);
        if one == other {
            continue;
        }
        for x in 0..width {
            let at = x as usize;
            if one.get(at) != other.get(at) {
                found.add(x, y);
            }
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a picture has fewer than 2^53 pixels")]
    let share = found.pixels as f64 / (f64::from(width) * f64::from(height));
    let area = found.edges.map(|(x, y, right, bottom)| Area {
        x,
        y,
        width: right - x,
        height: bottom - y,
    });
    Ok(Difference { share, area })
}

/// The rows of a picture, in red, green, blue and alpha.
struct Rows<R: BufRead + Seek> {
    reader: Reader<R>,
    kind: ColorType,
    width: u32,
    height: u32,
}

impl<R: BufRead + Seek> Rows<R> {
    fn new(from: R) -> Result<Self, String> {
        let mut decoder = Decoder::new(from);
        decoder.set_transformations(Transformations::normalize_to_color8());
        let reader = decoder.read_info().map_err(|error| error.to_string())?;
        let info = reader.info();
        let (width, height) = (info.width, info.height);
        let (kind, _) = reader.output_color_type();
        // Interlaced rows are not those of the picture; no browser writes them.
        if info.interlaced {
            return Err("the picture is interlaced".to_owned());
        }
        Ok(Self {
            reader,
            kind,
            width,
            height,
        })
    }

    /// The next row; none of it behind the last one.
    fn next(&mut self) -> Result<Vec<[u8; 4]>, String> {
        let Some(row) = self.reader.next_row().map_err(|error| error.to_string())? else {
            return Ok(Vec::new());
        };
        let pixels = row.data().chunks_exact(self.kind.samples());
        Ok(pixels.map(|pixel| whole(self.kind, pixel)).collect())
    }
}

fn whole(kind: ColorType, pixel: &[u8]) -> [u8; 4] {
    match (kind, pixel) {
        (ColorType::Rgba, &[red, green, blue, alpha]) => [red, green, blue, alpha],
        (ColorType::Rgb, &[red, green, blue]) => [red, green, blue, u8::MAX],
        (ColorType::GrayscaleAlpha, &[gray, alpha]) => [gray, gray, gray, alpha],
        (_, &[gray, ..]) => [gray, gray, gray, u8::MAX],
        (_, []) => [0; 4],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn picture(width: u32, height: u32, kind: ColorType, colour: impl Fn(u32, u32) -> [u8; 4]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(kind);
        encoder.set_depth(png::BitDepth::Eight);
        let mut data = Vec::new();
        for y in 0..height {
            for x in 0..width {
                data.extend_from_slice(&colour(x, y)[..kind.samples()]);
            }
        }
        encoder.write_header().unwrap().write_image_data(&data).unwrap();
        bytes
    }

    fn compared(before: &[u8], after: &[u8]) -> Result<Difference, String> {
        compare(Cursor::new(before), Cursor::new(after))
    }

    const WHITE: [u8; 4] = [255; 4];
    const RED: [u8; 4] = [255, 0, 0, 255];

    #[test]
    fn equal_pictures_do_not_differ_whatever_their_form() {
        let one = picture(30, 20, ColorType::Rgba, |_, _| WHITE);
        for kind in [
            ColorType::Rgba,
            ColorType::Rgb,
            ColorType::Grayscale,
            ColorType::GrayscaleAlpha,
        ] {
            let other = picture(30, 20, kind, |_, _| WHITE);
            let same = Difference { share: 0.0, area: None };
            assert_eq!(compared(&one, &other), Ok(same), "{kind:?}");
        }
    }

    #[test]
    fn pixels_that_differ_are_counted_and_surrounded() {
        let white = picture(10, 10, ColorType::Rgba, |_, _| WHITE);
        let spotted = picture(10, 10, ColorType::Rgba, |x, y| {
            if (x, y) == (2, 3) || (x, y) == (5, 7) {
                RED
            } else {
                WHITE
            }
        });
        let area = Area {
            x: 2,
            y: 3,
            width: 4,
            height: 5,
        };
        let difference = compared(&white, &spotted).unwrap();
        assert_eq!(difference.area, Some(area));
        assert!((difference.share - 0.02).abs() < 1e-9, "{}", difference.share);
    }

    #[test]
    fn a_page_that_grew_differs_where_it_is_new() {
        let short = picture(10, 10, ColorType::Rgba, |_, _| WHITE);
        let long = picture(10, 40, ColorType::Rgba, |_, _| WHITE);
        let area = Area {
            x: 0,
            y: 10,
            width: 10,
            height: 30,
        };
        for difference in [compared(&short, &long).unwrap(), compared(&long, &short).unwrap()] {
            assert_eq!(difference.area, Some(area));
            assert!((difference.share - 0.75).abs() < 1e-9, "{}", difference.share);
        }
    }

    #[test]
    fn what_is_no_picture_is_an_error() {
        let whole = picture(10, 10, ColorType::Rgba, |_, _| WHITE);
        for bytes in [&b""[..], b"GIF89a", &whole[..20], &whole[..whole.len() / 2]] {
            assert!(compared(&whole, bytes).is_err(), "{} bytes", bytes.len());
        }
    }
}
