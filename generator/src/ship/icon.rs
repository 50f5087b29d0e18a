//! A plugin's icon: a pattern of its own, made from its name, so that lists of plugins can be told apart at a glance.

use hookgen_runtime::library::digest;

/// Pixels on each side; marketplaces ask for at least 512.
const SIDE: usize = 512;

/// Cells on each side, the right half mirroring the left, and the margin around them in cells.
const CELLS: usize = 6;
const MARGIN: usize = 1;

/// The icon as a PNG file.
pub(super) fn icon(name: &str) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let side = u32::try_from(SIDE).unwrap_or_default().to_be_bytes();
    // One bit per pixel, each an index into a palette of two colours.
    chunk(&mut png, *b"IHDR", &[&side[..], &side[..], &[1, 3, 0, 0, 0]].concat());
    chunk(&mut png, *b"PLTE", &[&[0xf4, 0xf1, 0xea][..], &colour(name)].concat());
    chunk(&mut png, *b"IDAT", &zlib(&rows(name)));
    chunk(&mut png, *b"IEND", &[]);
    png
}

/// A colour that is dark enough to stand out.
fn colour(name: &str) -> [u8; 3] {
    let code = digest(name);
    [0, 2, 4].map(|at| code.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or_default() / 2)
}

/// Whether a cell is filled: one hexadecimal digit of the name's digest for each cell of the left half.
fn filled(code: &str, row: usize, column: usize) -> bool {
    let column = column.min(CELLS - 1 - column);
    let digit = code.as_bytes().get(6 + row * CELLS / 2 + column).copied().unwrap_or_default();
    digit % 2 == 0
}

/// The picture, row by row, each behind a zero: no filter.
fn rows(name: &str) -> Vec<u8> {
    let code = digest(name);
    let cell = SIDE / (CELLS + 2 * MARGIN);
    let inside = |pixel: usize| (pixel / cell).checked_sub(MARGIN).filter(|cell| *cell < CELLS);
    let dark = |row: usize, column: usize| match (inside(row), inside(column)) {
        (Some(row), Some(column)) => filled(&code, row, column),
        _ => false,
    };
    let mut bytes = Vec::with_capacity(SIDE * (SIDE / 8 + 1));
    for row in 0..SIDE {
        bytes.push(0);
        for start in (0..SIDE).step_by(8) {
            bytes.push((0..8).fold(0, |byte, bit| byte << 1 | u8::from(dark(row, start + bit))));
        }
    }
    bytes
}

/// The bytes as a zlib stream of stored blocks: no compression, and nothing to depend on.
fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut blocks = bytes.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).unwrap_or_default();
        stream.push(u8::from(blocks.peek().is_none()));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    let (low, high) = bytes.iter().fold((1_u32, 0_u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    stream.extend((high << 16 | low).to_be_bytes());
    stream
}

fn chunk(png: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    png.extend(u32::try_from(data.len()).unwrap_or_default().to_be_bytes());
    let body = [&kind[..], data].concat();
    png.extend(&body);
    png.extend(crc(&body).to_be_bytes());
}

/// The checksum that PNG asks for.
fn crc(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 })
    };
    !bytes.iter().fold(u32::MAX, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_standard_one() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc(b"IEND"), 0xae42_6082);
    }

    #[test]
    fn an_icon_is_a_png_that_mirrors_itself_and_is_its_own() {
        let png = icon("demo");
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n") && png.ends_with(b"IEND\xae\x42\x60\x82"));
        assert_ne!(png, icon("other"));
        assert_eq!(png, icon("demo"));
        let code = digest("demo");
        for row in 0..CELLS {
            assert!((0..CELLS).all(|column| filled(&code, row, column) == filled(&code, row, CELLS - 1 - column)));
        }
    }
}
