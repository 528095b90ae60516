//! How texts from outside are read, alike in every game: the twin of `visavis.rules.spelling`.
//!
//! Blanks around the text of a move are taken off and runs of them inside count as one space; ASCII letters may
//! be of either case where that tells nothing. Nothing else is folded: no other blanks, letters or digits.

use std::str::FromStr;

/// Texts of moves with more characters are not looked at.
pub const LONGEST_MOVE: usize = 100;

/// The text of a move without blanks (spaces and tabs) around it, and with single spaces inside; `None` if it is
/// too long to be one.
///
/// ```
/// use visavis_core::spelling::tidy;
///
/// assert_eq!(tidy(" \tkeep  17i ").as_deref(), Some("keep 17i"));
/// assert_eq!(tidy("skip\u{a0}").as_deref(), Some("skip\u{a0}"), "that is no blank");
/// ```
#[must_use]
pub fn tidy(text: &str) -> Option<String> {
    if text.chars().nth(LONGEST_MOVE).is_some() {
        return None;
    }
    let words: Vec<&str> = text.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
    Some(words.join(" "))
}

/// The whole number that canonical decimal digits stand for: no sign, no leading zeros.
///
/// ```
/// use visavis_core::spelling::whole;
///
/// assert_eq!(whole::<u16>("40"), Some(40));
/// assert_eq!(["+5", "-0", "05", " 5", "٤", "", "99999"].map(whole::<u16>), [None; 7]);
/// ```
#[must_use]
pub fn whole<T: FromStr>(text: &str) -> Option<T> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits && (text == "0" || !text.starts_with('0')) { text.parse().ok() } else { None }
}
