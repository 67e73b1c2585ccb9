//! ψ: Bandersnatch → the curve with a = −1, of degree 8, and its dual ψ̂.
//!
//! ψ is three isogenies of degree two. Each starts from a curve y² = x(x − e)(x + β) and has
//! the kernel {∞, (e, 0)} (J. Vélu 1971):
//!
//! - x ↦ x(x + β)/(x − e),
//! - y ↦ y·(1 − b/(x − e)²) with b = e(e + β),
//!
//! and lands on y² = x(x² − 2(2e + β)x + β²), the next one's curve. The first curve is
//! Bandersnatch as u ↦ (1 + y)/(1 − y), x = s·u, y = x/x_E with s = (a − d)/4; the last is the
//! a = −1 curve in the same way, with another s and a factor of y. T = (0, −1) is (0, 0) on
//! each of them, and goes to itself.
//!
//! The dual of a step (its own square roots cancel) is
//!
//! - x ↦ (x − β)²/(4x), so that x has numerator S² and denominator (P² − S²)/β for a point
//!   N/D with S = N − β·D and P = N + β·D,
//! - y ↦ y·S·P/(8N²).
//!
//! In both directions the product of the y takes x and y of the Edwards forms to fractions in
//! which no numerator and denominator vanish together for a point of order r or its sum with T:
//! a step's x − e, L, K, P or S is zero only at other points of even order.

use crate::curve::bandersnatch::Bandersnatch;
use crate::curve::edwards::{Extended, Params};
use crate::field::Ring;
use crate::field::bls12_381_scalar::Fq;

/// A step's curve y² = x(x − e)(x + β), with b = e(e + β).
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) e: Fq,
    pub(super) beta: Fq,
    pub(super) b: Fq,
}

const fn sum(a: Fq, b: Fq) -> Fq {
    a.sub_const(&Fq::ZERO.sub_const(&b))
}

const fn quotient(a: Fq, b: Fq) -> Fq {
    a.mul_const(&b.invert_const())
}

impl Step {
    /// The curve with the root e of the two, the sum of which is `roots`.
    const fn new(e: Fq, roots: Fq) -> Self {
        let beta = e.sub_const(&roots);
        let b = e.mul_const(&sum(e, beta));
        Self { e, beta, b }
    }

    /// The curve that this step lands on, with its root e.
    const fn next(&self, e: Fq) -> Self {
        // 2(2e + β)
        let half = sum(sum(self.e, self.e), self.beta);
        Self::new(e, sum(half, half))
    }
}

/// The three steps. Of the two roots e the one that goes to a curve whose other roots are
/// rational, or to the curve wanted.
pub(super) const STEPS: [Step; 3] = {
    // Bandersnatch's other roots have the sum −(a + d)/2.
    let roots = quotient(Fq::from_u64(5).sub_const(&Bandersnatch::D), Fq::from_u64(2));
    let first = Step::new(
        Fq::from_hex("0831f3167aed8abe3665ce07cedf1096442b9e48c40c8636264b0684f3b9538d"),
        roots,
    );
    let second = first.next(Fq::from_hex(
        "1cbac38f19756248fd62ebb4a84b19eb0c77c2e37d850bc7d28b60e5d9354bc8",
    ));
    let third = second.next(Fq::from_hex(
        "168475cff10dae37a40d9f07fbf0343ed04d00ae18898cca8dba97108b214318",
    ));
    [first, second, third]
};

/// s of Bandersnatch: (a − d)/4 for a = −5.
pub(super) const SCALE_FIRST: Fq = quotient(
    Fq::ZERO.sub_const(&sum(Fq::from_u64(5), Bandersnatch::D)),
    Fq::from_u64(4),
);
/// s of the a = −1 curve: −β of the last step, the root of order four's x.
pub(super) const SCALE_LAST: Fq = Fq::ZERO.sub_const(&STEPS[2].beta);
/// The y of the a = −1 curve's v = 1 on the last curve.
pub(super) const SCALE_Y: Fq =
    Fq::from_hex("5f7a24bb6c3c7ee5a257a3419392e08fddebba2f1f602b319b398a3c64adf04f");
/// What the products of the steps' fractions leave of x, for ψ.
const X_FACTOR: Fq = quotient(SCALE_Y, SCALE_LAST);
/// The same for ψ̂; the 8 is of the y.
const DUAL_X_FACTOR: Fq = quotient(Fq::from_u64(8), X_FACTOR);

/// ψ of a point of the group, (0, ±1) among them: about 36 products.
#[inline(always)]
pub(super) fn isogeny<R: Ring + From<Fq>>(p: &Extended<R>) -> Extended<R> {
    // x = n/d, and X is x_E times the product of l·m/k over the steps.
    let mut n = (p.z + p.y) * R::from(SCALE_FIRST);
    let mut d = p.z - p.y;
    let mut x = (p.x * R::from(X_FACTOR), p.z);
    for step in &STEPS {
        let l = n + d * R::from(step.beta);
        let m = n - d * R::from(step.e);
        let k = m.square() - d.square() * R::from(step.b);
        x = (x.0 * (l * m), x.1 * k);
        n = n * l;
        d = d * m;
    }
    let d = d * R::from(SCALE_LAST);
    from_fractions(x, (n - d, n + d))
}

/// ψ̂ of a point of the group, (0, ±1) among them: 18 products.
#[inline(always)]
pub(super) fn dual<R: Ring + From<Fq>>(p: &Extended<R>) -> Extended<R> {
    const RATIOS: [Fq; 2] = [
        quotient(STEPS[1].beta, STEPS[2].beta),
        quotient(STEPS[0].beta, STEPS[1].beta),
    ];
    const LAST: Fq = quotient(SCALE_FIRST, STEPS[0].beta);
    // S and P of the first step are multiples of Z and Y.
    let (mut minus, mut plus) = (p.z, p.y);
    // x_E is X times the product of S/P over the steps, and the first has Z/Y.
    let mut x = (p.x * R::from(DUAL_X_FACTOR), p.y);
    for ratio in RATIOS {
        let n = minus.square();
        // β·D for the next step's β.
        let d = (plus.square() - n) * R::from(ratio);
        (minus, plus) = (n - d, n + d);
        x = (x.0 * minus, x.1 * plus);
    }
    let n = minus.square();
    let d = (plus.square() - n) * R::from(LAST);
    from_fractions(x, (n - d, n + d))
}

/// The point of x and y as fractions.
#[inline(always)]
fn from_fractions<R: Ring>(x: (R, R), y: (R, R)) -> Extended<R> {
    Extended {
        x: x.0 * y.1,
        y: y.0 * x.1,
        t: x.0 * y.0,
        z: x.1 * y.1,
    }
}
