//! An archive of files. The same files give the same bytes everywhere: sorted, of one date, not compressed, with the bits that
//! say what can be started.

use crate::place::Item;

/// The first day that the format can name, the same for every file.
const DATE: u16 = (1 << 5) | 1;
/// Names are UTF-8.
const NAMES: u16 = 1 << 11;
const VERSION: u16 = 20;
/// Made on Unix, so that modes count.
const MADE_BY: u16 = (3 << 8) | VERSION;
const REGULAR: u32 = 0o100_000;

/// The bytes of an archive, or nothing if it would be larger than the format's plain form can say.
pub(super) fn zip(items: &[Item]) -> Option<Vec<u8>> {
    let mut items: Vec<&Item> = items.iter().collect();
    items.sort_by(|one, other| one.path.cmp(&other.path));
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for item in &items {
        let at = u32::try_from(bytes.len()).ok()?;
        let about = about(item)?;
        bytes.extend(b"PK\x03\x04");
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(&about);
        bytes.extend(item.path.as_str().as_bytes());
        bytes.extend(&item.content);
        directory.extend(b"PK\x01\x02");
        directory.extend(MADE_BY.to_le_bytes());
        directory.extend(VERSION.to_le_bytes());
        directory.extend(&about);
        // No comment, the first disk, no attribute of its own.
        directory.extend([0; 6]);
        let mode = REGULAR | if item.executable { 0o755 } else { 0o644 };
        directory.extend((mode << 16).to_le_bytes());
        directory.extend(at.to_le_bytes());
        directory.extend(item.path.as_str().as_bytes());
    }
    let (start, size) = (u32::try_from(bytes.len()).ok()?, u32::try_from(directory.len()).ok()?);
    let number = u16::try_from(items.len()).ok()?;
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([number.to_le_bytes(), number.to_le_bytes()].concat());
    bytes.extend([size.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend([0, 0]);
    Some(bytes)
}

/// What both headers of a file say: how it is stored, when it was made, its checksum and its sizes.
fn about(item: &Item) -> Option<Vec<u8>> {
    let size = u32::try_from(item.content.len()).ok()?;
    let name = u16::try_from(item.path.as_str().len()).ok()?;
    let words = [NAMES, 0, 0, DATE].map(u16::to_le_bytes).concat();
    let sizes = [crc(&item.content), size, size].map(u32::to_le_bytes).concat();
    Some([words, sizes, [name, 0].map(u16::to_le_bytes).concat()].concat())
}

/// The checksum of the format, eight bits at a time: programs are large.
fn crc(bytes: &[u8]) -> u32 {
    let mut table = [0; 256];
    for (value, entry) in (0..).zip(&mut table) {
        let step = |crc: u32, _| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
        *entry = (0..8).fold(value, step);
    }
    let step = |crc: u32, byte: &u8| table[usize::from(crc.to_le_bytes()[0] ^ *byte)] ^ (crc >> 8);
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_format() {
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn the_same_files_give_the_same_bytes_in_any_order() {
        let one = [Item::new("b", "text"), Item::program("a", "program")];
        let other = [Item::program("a", "program"), Item::new("b", "text")];
        assert_eq!(zip(&one), zip(&other));
        assert_ne!(zip(&one), zip(&[Item::new("b", "text"), Item::new("a", "program")]), "modes are in it");
    }
}
