//! The pieces that documents are read from: strings, numbers, lists, objects. Each knows its place.
//!
//! A typed error cannot travel through `serde`, so it is left in the [`Context`] and picked up at the end.

use alloc::vec::Vec;
use core::cell::Cell;
use core::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;

use super::Leniency;
use super::error::{JsonError, Place, Rule};

/// The reader of a document in memory.
pub(super) type Document<'de> = serde_json::Deserializer<serde_json::de::SliceRead<'de>>;

/// Where the reader is, and what it found wrong.
pub(super) struct Context {
    place: Cell<Place>,
    rule: Cell<Option<Rule>>,
    lenient: bool,
}

impl Context {
    /// Reads the whole document; nothing may follow.
    pub(super) fn read<'de, T>(
        json: &'de [u8],
        leniency: Leniency,
        read: impl FnOnce(&Self, &mut Document<'de>) -> serde_json::Result<T>,
    ) -> Result<T, JsonError> {
        let context = Self {
            place: Cell::new(Place::Document),
            rule: Cell::new(None),
            lenient: leniency == Leniency::Lenient,
        };
        let mut document = serde_json::Deserializer::from_slice(json);
        let value = read(&context, &mut document);
        value
            .and_then(|value| document.end().map(|()| value))
            .map_err(|error| JsonError {
                rule: match error.classify() {
                    Category::Data => context.rule.get().unwrap_or(Rule::Type),
                    _ => Rule::Malformed,
                },
                place: context.place.get(),
                line: error.line(),
                column: error.column(),
            })
    }

    pub(super) const fn lenient(&self) -> bool {
        self.lenient
    }

    /// The error to return from within `serde`.
    pub(super) fn fail<E: Error>(&self, place: Place, rule: Rule) -> E {
        self.place.set(place);
        self.rule.set(Some(rule));
        E::custom("")
    }

    /// A member that must be there.
    pub(super) fn required<T, E: Error>(&self, slot: Option<T>, place: Place) -> Result<T, E> {
        slot.ok_or_else(|| self.fail(place, Rule::Missing))
    }

    /// Reads a member's value into its slot, unless it stood there before.
    pub(super) fn fill<'de, A: MapAccess<'de>, S: DeserializeSeed<'de>>(
        &self,
        map: &mut A,
        slot: &mut Option<S::Value>,
        place: Place,
        seed: S,
    ) -> Result<(), A::Error> {
        if slot.is_some() {
            return Err(self.fail(place, Rule::Duplicate));
        }
        *slot = Some(map.next_value_seed(seed)?);
        Ok(())
    }

    /// Whether a member has this name: as it stands, or, leniently, in snake case.
    fn is_named(&self, name: &str, key: &str) -> bool {
        let snake = || {
            let letters = name.bytes().flat_map(|letter| {
                let capital = letter.is_ascii_uppercase();
                capital
                    .then_some(b'_')
                    .into_iter()
                    .chain([letter.to_ascii_lowercase()])
            });
            letters.eq(key.bytes())
        };
        name == key || (self.lenient && snake())
    }
}

/// The value of one hexadecimal digit.
fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// Fills `out` from a hexadecimal string, which must have exactly the digits needed.
fn read_hex(text: &str, out: &mut [u8]) -> Result<(), Rule> {
    let digits = text.strip_prefix("0x").ok_or(Rule::Prefix)?.as_bytes();
    if digits.len() != 2 * out.len() {
        return Err(Rule::Length {
            digits: digits.len(),
            expected: 2 * out.len(),
        });
    }
    for (byte, pair) in out.iter_mut().zip(digits.as_chunks::<2>().0) {
        let (high, low) = digit(pair[0]).zip(digit(pair[1])).ok_or(Rule::Digit)?;
        *byte = high << 4 | low;
    }
    Ok(())
}

/// What stands where a string, a number or null may stand.
#[derive(Clone, Copy)]
pub(super) enum Token<'t> {
    Null,
    Number(u64),
    /// A negative number: never in range.
    Negative,
    Text(&'t str),
}

/// Reads one token with a function of the token and of whether lenient forms are read.
#[derive(Clone, Copy)]
pub(super) struct Scalar<'c, T> {
    pub(super) context: &'c Context,
    pub(super) place: Place,
    pub(super) read: fn(Token<'_>, bool) -> Result<T, Rule>,
}

impl<T> Scalar<'_, T> {
    fn token<E: Error>(self, token: Token<'_>) -> Result<T, E> {
        (self.read)(token, self.context.lenient).map_err(|rule| self.context.fail(self.place, rule))
    }
}

impl<'de, T> DeserializeSeed<'de> for Scalar<'_, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, document: D) -> Result<T, D::Error> {
        self.context.place.set(self.place);
        document.deserialize_any(self)
    }
}

impl<'de, T> Visitor<'de> for Scalar<'_, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or number")
    }

    fn visit_unit<E: Error>(self) -> Result<T, E> {
        self.token(Token::Null)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        self.token(Token::Number(number))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<T, E> {
        self.token(Token::Negative)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        self.token(Token::Text(text))
    }
}

/// Exactly `N` bytes in hexadecimal.
pub(super) fn bytes<const N: usize>(token: Token<'_>, _: bool) -> Result<[u8; N], Rule> {
    let Token::Text(text) = token else {
        return Err(Rule::Type);
    };
    let mut out = [0; N];
    read_hex(text, &mut out).map(|()| out)
}

/// Any whole number of bytes in hexadecimal, up to `LIMIT`.
pub(super) fn byte_list<const LIMIT: usize>(token: Token<'_>, _: bool) -> Result<Vec<u8>, Rule> {
    let Token::Text(text) = token else {
        return Err(Rule::Type);
    };
    let digits = text.len().saturating_sub(2);
    if digits / 2 > LIMIT {
        return Err(Rule::TooMany);
    }
    let mut out = alloc::vec![0; digits / 2];
    match read_hex(text, &mut out) {
        Err(Rule::Length { digits, .. }) => Err(Rule::Length {
            digits,
            expected: 0,
        }),
        done => done.map(|()| out),
    }
}

/// 32 bytes in hexadecimal, or null.
pub(super) fn value(token: Token<'_>, lenient: bool) -> Result<Option<[u8; 32]>, Rule> {
    match token {
        Token::Null => Ok(None),
        Token::Text("" | "0x") if lenient => Ok(None),
        _ => bytes(token, lenient).map(Some),
    }
}

/// A suffix: 0..=255.
pub(super) fn suffix(token: Token<'_>, lenient: bool) -> Result<u8, Rule> {
    match token {
        Token::Number(number) => u8::try_from(number).map_err(|_| Rule::Range),
        Token::Negative => Err(Rule::Range),
        Token::Text(text) if lenient => decimal(text)?.try_into().map_err(|_| Rule::Range),
        Token::Text(_) | Token::Null => Err(Rule::Type),
    }
}

/// A block number: an integer, or hexadecimal digits after `0x`.
pub(super) fn number(token: Token<'_>, lenient: bool) -> Result<u64, Rule> {
    match token {
        Token::Number(number) => Ok(number),
        Token::Negative => Err(Rule::Range),
        Token::Text(text) => match text.strip_prefix("0x") {
            Some("") => Err(Rule::Length {
                digits: 0,
                expected: 1,
            }),
            Some(digits) if !digits.bytes().all(|byte| digit(byte).is_some()) => Err(Rule::Digit),
            Some(digits) => u64::from_str_radix(digits, 16).map_err(|_| Rule::Range),
            None if lenient => decimal(text),
            None => Err(Rule::Prefix),
        },
        Token::Null => Err(Rule::Type),
    }
}

fn decimal(text: &str) -> Result<u64, Rule> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Rule::Digit);
    }
    text.parse().map_err(|_| Rule::Range)
}

/// A list of at most `limit` elements, each read by what `each` makes of its index.
pub(super) struct List<'c, F> {
    pub(super) context: &'c Context,
    pub(super) place: Place,
    pub(super) limit: usize,
    pub(super) each: F,
}

impl<'de, S: DeserializeSeed<'de>, F: Fn(usize) -> S> DeserializeSeed<'de> for List<'_, F> {
    type Value = Vec<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, document: D) -> Result<Self::Value, D::Error> {
        self.context.place.set(self.place);
        document.deserialize_seq(self)
    }
}

impl<'de, S: DeserializeSeed<'de>, F: Fn(usize) -> S> Visitor<'de> for List<'_, F> {
    type Value = Vec<S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut out = Vec::new();
        while let Some(element) = list.next_element_seed((self.each)(out.len()))? {
            if out.len() >= self.limit {
                return Err(self.context.fail(self.place, Rule::TooMany));
            }
            out.push(element);
        }
        Ok(out)
    }
}

/// An object that is gathered member by member.
pub(super) trait Object: Sized {
    /// What it becomes.
    type Value;
    /// The members known; all others are passed over.
    const NAMES: &'static [&'static str];

    /// Reads the value of member `which` of `NAMES`.
    fn member<'de, A: MapAccess<'de>>(
        &mut self,
        context: &Context,
        which: usize,
        map: &mut A,
    ) -> Result<(), A::Error>;

    /// Says what is missing, at the end.
    fn finish<E: Error>(self, context: &Context) -> Result<Self::Value, E>;
}

/// Reads an object.
pub(super) struct Members<'c, T> {
    pub(super) context: &'c Context,
    pub(super) place: Place,
    pub(super) object: T,
}

impl<'de, T: Object> DeserializeSeed<'de> for Members<'_, T> {
    type Value = T::Value;

    fn deserialize<D: Deserializer<'de>>(self, document: D) -> Result<T::Value, D::Error> {
        self.context.place.set(self.place);
        document.deserialize_map(self)
    }
}

impl<'de, T: Object> Visitor<'de> for Members<'_, T> {
    type Value = T::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<T::Value, A::Error> {
        while let Some(which) = map.next_key_seed(Name {
            context: self.context,
            names: T::NAMES,
        })? {
            match which {
                Some(which) => self.object.member(self.context, which, &mut map)?,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        self.object.finish(self.context)
    }
}

/// Reads the name of a member: its place among those known.
struct Name<'c> {
    context: &'c Context,
    names: &'static [&'static str],
}

impl<'de> DeserializeSeed<'de> for Name<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, document: D) -> Result<Self::Value, D::Error> {
        document.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self
            .names
            .iter()
            .position(|name| self.context.is_named(name, key)))
    }
}
