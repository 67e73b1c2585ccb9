//! Groups whose elements can be added in affine coordinates, many at once.

use super::Endomorphic;
use crate::field::Field;

/// An element as a point of a curve y² = x³ + a·x + b, on which additions are by chords and
/// tangents: x₃ = λ² − x₁ − x₂, y₃ = λ·(x₁ − x₃) − y₁ for the slope λ.
/// y = 0 stands for the neutral element.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Chord<F> {
    pub x: F,
    pub y: F,
}

impl<F: Field> Chord<F> {
    /// The neutral element.
    pub const IDENTITY: Self = Self {
        x: F::ZERO,
        y: F::ZERO,
    };

    /// Whether it is the neutral element.
    #[inline(always)]
    pub fn is_identity(&self) -> bool {
        self.y.is_zero()
    }

    /// P, or −P: without a branch, since signs are random.
    #[inline(always)]
    #[must_use]
    pub fn negated_if(self, negative: bool) -> Self {
        Self {
            x: self.x,
            y: [self.y, -self.y][usize::from(negative)],
        }
    }
}

/// Memory that is lent to points of such a curve.
pub trait Places<F>: Copy + core::fmt::Debug + Send + Sync + 'static {
    /// How many it holds.
    const COUNT: usize;

    /// The point at a place.
    fn get(&self, place: usize) -> Chord<F>;
    /// Puts a point at a place.
    fn set(&mut self, place: usize, point: Chord<F>);
}

/// A group that can be brought to such a curve, on which an element is the neutral one if its y
/// is zero: other points of order two are not in the group.
///
/// The memory of an element, and of a precomputed one, is also lent to such points; an element
/// holds one and a further field element, or as many as it has [`Places`].
pub trait BatchAffine: Endomorphic<Precomputed: Places<Self::Base>> + Places<Self::Base> {
    /// The field of coordinates.
    type Base: Field;
    /// An element's memory with zeros only: neutral elements in all of its places.
    const EMPTY: Self;

    /// 3·x² + a: what 2·y times a tangent's slope is.
    fn tangent(x: Self::Base) -> Self::Base;

    /// The field element that stands beside the point at place 0.
    fn spare(&self) -> Self::Base;
    /// Puts a field element beside the point at place 0.
    fn set_spare(&mut self, value: Self::Base);

    /// Brings points to the curve, into the places of `cells` one after another; with `images`
    /// each is followed by φ of it. As many as there are points and places.
    fn to_chords<P: Copy + Into<Self::Affine>>(points: &[P], cells: &mut [Self], images: bool);
    /// Brings points to the curve, each into the place 0 of its own memory.
    fn to_chords_in_place(points: &mut [Self::Precomputed]);
    /// The element of a point.
    fn from_chord(point: &Chord<Self::Base>) -> Self;
}

/// The point at place `index` of `cells`, counted through.
#[inline(always)]
pub(crate) fn chord_at<F, S: Places<F>>(cells: &[S], index: usize) -> Chord<F> {
    cells[index / S::COUNT].get(index % S::COUNT)
}
