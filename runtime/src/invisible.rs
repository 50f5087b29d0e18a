//! Characters that no reader sees, but that move a cursor, reorder a line or hide an instruction.

/// Whether the character is one of them. Line feeds and tabs are; what belongs to a script or an emoji is not.
pub fn steers(character: char) -> bool {
    character.is_control()
        || matches!(character,
            // Marks and overrides of the writing direction, separators, joiners that join nothing.
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}' | '\u{feff}'
            // Invisible twins of the ASCII letters: models read them, people do not.
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_told_from_what_a_script_needs() {
        for hidden in ['\u{1b}', '\0', '\u{9b}', '\u{202e}', '\u{2067}', '\u{feff}', '\u{e0041}', '\u{200b}'] {
            assert!(steers(hidden), "{hidden:?}");
        }
        for needed in ['a', 'ß', ' ', '\u{a0}', '\u{200d}', '\u{200c}', '🦀', '\u{fe0f}', '…'] {
            assert!(!steers(needed), "{needed:?}");
        }
    }
}
