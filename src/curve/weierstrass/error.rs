//! Why bytes are refused.

/// Why bytes are no point of a Weierstrass curve's group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DecodeError {
    /// The input has another length than the encoding.
    Length {
        /// Bytes of the encoding.
        expected: usize,
        /// Bytes given.
        actual: usize,
    },
    /// The flag bits contradict each other or the rest of the bytes.
    Flags,
    /// A coordinate is not below the field's modulus.
    NotCanonical,
    /// No point of the curve has these coordinates.
    NotOnCurve,
    /// The point is on the curve, but not in the group of prime order.
    NotInSubgroup,
}

impl core::fmt::Display for DecodeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Length { expected, actual } => {
                write!(f, "an encoded point has {expected} bytes, not {actual}")
            }
            Self::Flags => f.write_str("the flag bits are no legal combination for these bytes"),
            Self::NotCanonical => f.write_str("a coordinate is not below the field's modulus"),
            Self::NotOnCurve => f.write_str("no point of the curve has these coordinates"),
            Self::NotInSubgroup => f.write_str("the point is not in the prime-order group"),
        }
    }
}

impl core::error::Error for DecodeError {}
