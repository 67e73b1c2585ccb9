//! Additions in affine coordinates: these curves have the form for them already.

use super::{A, Affine, Params, Point, Projective, triple};
use crate::curve::{BatchAffine, Chord, Places};
use crate::field::{Field, Ring};

impl<C: Params> Places<C::Base> for Point<C> {
    const COUNT: usize = 1;

    #[inline(always)]
    fn get(&self, _: usize) -> Chord<C::Base> {
        Chord {
            x: self.0.x,
            y: self.0.y,
        }
    }

    #[inline(always)]
    fn set(&mut self, _: usize, point: Chord<C::Base>) {
        (self.0.x, self.0.y) = (point.x, point.y);
    }
}

impl<C: Params> Places<C::Base> for Affine<C> {
    const COUNT: usize = 1;

    #[inline(always)]
    fn get(&self, _: usize) -> Chord<C::Base> {
        Chord {
            x: self.x,
            y: self.y,
        }
    }

    #[inline(always)]
    fn set(&mut self, _: usize, point: Chord<C::Base>) {
        (self.x, self.y) = (point.x, point.y);
    }
}

impl<C: Params> BatchAffine for Point<C> {
    type Base = C::Base;
    const EMPTY: Self = Self(Projective {
        x: C::Base::ZERO,
        y: C::Base::ZERO,
        z: C::Base::ZERO,
    });

    #[inline(always)]
    fn tangent(x: C::Base) -> C::Base {
        match C::A {
            A::Zero => triple(x.square()),
            A::MinusThree => triple(x.square() - C::Base::ONE),
        }
    }

    #[inline(always)]
    fn spare(&self) -> C::Base {
        self.0.z
    }

    #[inline(always)]
    fn set_spare(&mut self, value: C::Base) {
        self.0.z = value;
    }

    /// Affine points are of this form already.
    fn to_chords<P: Copy + Into<Affine<C>>>(points: &[P], cells: &mut [Self], _: bool) {
        for (cell, point) in cells.iter_mut().zip(points) {
            let Affine { x, y } = (*point).into();
            cell.set(0, Chord { x, y });
        }
    }

    fn to_chords_in_place(_: &mut [Affine<C>]) {}

    #[inline]
    fn from_chord(point: &Chord<C::Base>) -> Self {
        Affine {
            x: point.x,
            y: point.y,
        }
        .into()
    }
}
