//! Inverse and Legendre symbol by a binary greatest common divisor, for public input.
//!
//! Both follow the optimized binary GCD of T. Pornin (eprint 2020/972): a block of
//! `STEPS` halvings is decided on one word for each number (its top 33 bits glued to its
//! exact low 31 bits) and then applied to the full numbers as a matrix. A wrong guess of
//! the top bits costs a sign, never the result, because the halvings are decided by low
//! bits that are exact.
//!
//! Here the block is variable-time: all zero bits that a subtraction leaves are skipped at
//! once. Two more things make it short. The matrix of a block is
//! `±(f0, −g0; −f1, g1)` with `f, g ≥ 0`, so the entries are kept as magnitudes, two in a
//! word. And the cofactors are updated once for two blocks, by a product of two matrices
//! and one Montgomery row that divides by 2^64 where the blocks divided by 2^62.

use super::{limbs, montgomery};
use crate::Modulus;

/// Halvings in a block: the entries of its matrix are at most 2^31 and two fill a word.
const STEPS: u32 = 31;
/// Halvings in a block of the symbol: the last one still needs three exact bits.
const SYMBOL_STEPS: u32 = 29;
const LOW: u64 = (1 << STEPS) - 1;

/// What a block does to a pair: `a ← ±(f0·a − g0·b) / 2^k`, `b ← ±(g1·b − f1·a) / 2^k`
/// (the same sign for both), with `f0 + g0` and `f1 + g1` at most 2^k.
#[derive(Clone, Copy)]
struct Matrix {
    f0: u64,
    g0: u64,
    f1: u64,
    g1: u64,
}

impl Matrix {
    /// From rows f + 2^32·g.
    #[inline(always)]
    const fn unpack(a: u64, b: u64) -> Self {
        const HALF: u64 = 0xffff_ffff;
        Self {
            f0: a & HALF,
            g0: a >> 32,
            f1: b & HALF,
            g1: b >> 32,
        }
    }
}

/// Two numbers of which `b` is odd.
#[derive(Clone, Copy)]
struct Pair<const N: usize> {
    a: [u64; N],
    b: [u64; N],
}

impl<const N: usize> Pair<N> {
    /// One word for each number: itself if both fit, or its bits from the top bit of the
    /// longer one (33 bits) over its low 31 bits.
    #[inline(always)]
    const fn approximate(&self) -> (u64, u64) {
        let mut i = N - 1;
        while i > 0 && (self.a[i] | self.b[i]) == 0 {
            i -= 1;
        }
        if i == 0 {
            return (self.a[0], self.b[0]);
        }
        let shift = (self.a[i] | self.b[i]).leading_zeros();
        (window(&self.a, i, shift), window(&self.b, i, shift))
    }

    /// The block's matrix applied; whether `f0·a − g0·b` and `g1·b − f1·a` were negative.
    #[inline(always)]
    const fn apply(&mut self, m: &Matrix, steps: u32) -> (bool, bool) {
        let (a, negative_a) = difference(&self.a, m.f0, &self.b, m.g0, steps);
        let (b, negative_b) = difference(&self.b, m.g1, &self.a, m.f1, steps);
        *self = Self { a, b };
        (negative_a, negative_b)
    }
}

/// Bits of `x` from `shift` bits below the top of limb `i`, `i > 0`, over its low 31 bits.
#[inline(always)]
const fn window<const N: usize>(x: &[u64; N], i: usize, shift: u32) -> u64 {
    let two = ((x[i] as u128) << 64) | x[i - 1] as u128;
    let top = ((two << shift) >> 64) as u64;
    (top & !LOW) | (x[0] & LOW)
}

/// |x·f − y·g| / 2^steps and whether the difference was negative; the division is exact.
/// With `f + g ≤ 2^steps` the result is not above the greater of `x` and `y`.
#[inline(always)]
const fn difference<const N: usize>(
    x: &[u64; N],
    f: u64,
    y: &[u64; N],
    g: u64,
    steps: u32,
) -> ([u64; N], bool) {
    let mut out = [0; N];
    let mut below = 0;
    let mut carry = 0i64;
    let mut i = 0;
    while i < N {
        // Each product is below 2^(64 + 31), and the carry below 2^32 in absolute value.
        let t =
            (x[i] as u128 * f as u128) as i128 - (y[i] as u128 * g as u128) as i128 + carry as i128;
        if i > 0 {
            out[i - 1] = (below >> steps) | ((t as u64) << (64 - steps));
        }
        below = t as u64;
        carry = (t >> 64) as i64;
        i += 1;
    }
    out[N - 1] = (below >> steps) | ((carry as u64) << (64 - steps));
    if carry >= 0 {
        return (out, false);
    }
    (limbs::sub(&[0; N], &out).0, true)
}

/// The block of [`STEPS`] halvings on one word for each number, `b` odd.
#[inline(always)]
const fn block(mut a: u64, mut b: u64) -> Matrix {
    // A row is f + 2^32·g. Sums stay in their half: f + g ≤ 2^(halvings done) ≤ 2^31.
    let mut row_a = 1u64;
    let mut row_b = 1u64 << 32;
    // The bit that stops the count of zeros at the halvings that are left.
    let mut stop = 1u64 << STEPS;
    loop {
        let zeros = (a | stop).trailing_zeros();
        a >>= zeros;
        row_b <<= zeros;
        stop >>= zeros;
        if stop == 1 {
            break;
        }
        let swap = a < b;
        let diff = a.wrapping_sub(b);
        b = if swap { a } else { b };
        a = if swap { diff.wrapping_neg() } else { diff };
        let old = row_a;
        row_a = row_a.wrapping_add(row_b);
        row_b = if swap { old } else { row_b };
    }
    Matrix::unpack(row_a, row_b)
}

/// (x·u + y·w)/2^64 mod m for `|x| + |y| ≤ 2^62` and `u`, `w` below m.
#[inline(always)]
const fn fold<M: Modulus<N>, const N: usize>(
    u: &[u64; N],
    x: i64,
    w: &[u64; N],
    y: i64,
) -> [u64; N] {
    // A negative factor is rare (a wrong guess of the top bits): a branch is the cheap way.
    let u = if x < 0 {
        montgomery::neg::<M, N>(u)
    } else {
        *u
    };
    let w = if y < 0 {
        montgomery::neg::<M, N>(w)
    } else {
        *w
    };
    let (x, y) = (x.unsigned_abs(), y.unsigned_abs());
    let mut out = [0; N];
    // u·x + w·y + q·m < 2^62·m + 2^64·m: the sum by 2^64 is below 2m. The sum of two
    // products and a carry is below 2^127 as x + y ≤ 2^62.
    let t = u[0] as u128 * x as u128 + w[0] as u128 * y as u128;
    let q = (t as u64).wrapping_mul(M::NEG_INV);
    let mut c1 = (t >> 64) as u64;
    let (_, mut c2) = limbs::mac(t as u64, q, M::MODULUS[0], 0);
    let mut i = 1;
    while i < N {
        let t = u[i] as u128 * x as u128 + w[i] as u128 * y as u128 + c1 as u128;
        c1 = (t >> 64) as u64;
        (out[i - 1], c2) = limbs::mac(t as u64, q, M::MODULUS[i], c2);
        i += 1;
    }
    let (top, carry) = limbs::adc(c1, c2, 0);
    out[N - 1] = top;
    montgomery::reduce_once::<M, N>(&out, carry)
}

/// `+x` or `−x`.
#[inline(always)]
const fn signed(x: u64, negative: bool) -> i64 {
    if negative { -(x as i64) } else { x as i64 }
}

/// The inverse of `a`, `None` for zero. Montgomery form in and out, `a` below m.
///
/// Time depends on `a`: for public input only. About 1.41·n halvings on average for n bits,
/// 2·n at most.
pub const fn invert_vartime<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> Option<[u64; N]> {
    if limbs::is_zero(a) {
        return None;
    }
    let mut pair = Pair {
        a: *a,
        b: M::MODULUS,
    };
    // Modulo m, up to the power of two below: pair.a = input·u and pair.b = −input·w. The
    // signs make every factor of the two cofactors positive while the guesses are right.
    let mut u = const { limbs::pow2_mod(&M::MODULUS, 128 * N + 64) };
    let mut w = [0; N];
    let mut rounds = 0;
    while !limbs::is_zero(&pair.a) {
        if rounds == max_rounds(N) {
            // Not reached: 2·n − 1 halvings suffice (eprint 2020/972, section 3).
            return Some(fermat::<M, N>(a));
        }
        rounds += 1;
        let (x, y) = pair.approximate();
        let m = block(x, y);
        let (neg_a, neg_b) = pair.apply(&m, STEPS);
        let (f0, g0) = (signed(m.f0, neg_a), signed(m.g0, neg_a));
        let (f1, g1) = (signed(m.f1, neg_b), signed(m.g1, neg_b));
        let (x, y) = pair.approximate();
        let m = block(x, y);
        let (neg_a, neg_b) = pair.apply(&m, STEPS);
        let (p0, q0) = (signed(m.f0, neg_a), signed(m.g0, neg_a));
        let (p1, q1) = (signed(m.f1, neg_b), signed(m.g1, neg_b));
        let next = fold::<M, N>(&u, p0 * f0 + q0 * f1, &w, p0 * g0 + q0 * g1);
        w = fold::<M, N>(&u, p1 * f0 + q1 * f1, &w, p1 * g0 + q1 * g1);
        u = next;
    }
    // pair.b is 1, the divisor of a prime and a number below it. A round took out 2^62 from
    // the pair and 2^64 from the cofactors: 1 = input·(−w/C)·2^(2·rounds), C = R²·2^64 the
    // first u. The input is a·R, so the wanted a⁻¹·R is −w·2^(2·rounds)/2^64: one more row.
    let v = fold::<M, N>(&w, 1 << (2 * rounds), &[0; N], 0);
    Some(montgomery::neg::<M, N>(&v))
}

/// The Legendre symbol of `a` modulo the prime m: 1 for a square that is not zero, −1 for
/// no square, 0 for zero. `a` in Montgomery form, below m.
///
/// The form needs no undoing: it is `a` times R = 2^(64·N) = (2^(32·N))², a square that is
/// not zero modulo the odd m, and the symbol is multiplicative, so both have the same.
///
/// Time depends on `a`: for public input only. As many halvings as the inverse, no cofactors.
pub const fn legendre_vartime<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> i8 {
    if limbs::is_zero(a) {
        return 0;
    }
    let mut pair = Pair {
        a: *a,
        b: M::MODULUS,
    };
    // Bit 1: whether the symbol sought is −(a/b) for the pair at hand.
    let mut flips = 0;
    let mut rounds = 0;
    while !limbs::is_zero(&pair.a) {
        if rounds == 128 * N / SYMBOL_STEPS as usize + 2 {
            // Not reached, as in the inverse.
            return euler::<M, N>(a);
        }
        rounds += 1;
        let (x, y) = pair.approximate();
        let block = symbol_block(x, y);
        let (negative, _) = pair.apply(&block.matrix, SYMBOL_STEPS);
        flips ^= block.flips;
        // The symbol is of the signed a over |b|; the pair holds |a|. (−1/b) = −1 for b = 3
        // mod 4. If b is the negative one, a is not, and |b| has the same symbols.
        if negative != block.swapped {
            flips ^= pair.b[0];
        }
    }
    // (0/1) = 1.
    1 - (flips & 2) as i8
}

/// A block with what it does to the symbol.
#[derive(Clone, Copy)]
struct SymbolBlock {
    matrix: Matrix,
    /// Bit 1: whether the symbol changed its sign. The other bits mean nothing.
    flips: u64,
    /// Whether the sign in front of the matrix is minus (an odd number of exchanges).
    swapped: bool,
}

/// The block of [`SYMBOL_STEPS`] halvings on one word for each number, `b` odd.
///
/// When s halvings are done the low 31 − s bits of both words are those of the true signed
/// numbers, so a halving (which asks for b mod 8) or an exchange (a and b mod 4) sees at
/// least the three bits it needs as long as s ≤ 28. The rules hold for signed numbers, with
/// (a/b) read as (a/|b|), as long as a and b are not both negative. They never are: with
/// one of them negative, a subtraction (exchanged or not) leaves exactly one negative, and
/// with none it leaves b positive.
#[inline(always)]
const fn symbol_block(mut a: u64, mut b: u64) -> SymbolBlock {
    let mut row_a = 1u64;
    let mut row_b = 1u64 << 32;
    let mut stop = 1u64 << SYMBOL_STEPS;
    let mut flips = 0;
    let mut swapped = false;
    loop {
        let zeros = (a | stop).trailing_zeros();
        a >>= zeros;
        row_b <<= zeros;
        stop >>= zeros;
        // (2/b) = −1 for b = 3, 5 mod 8: bits 1 and 2 differ.
        flips ^= ((zeros as u64) << 1) & (b ^ (b >> 1));
        if stop == 1 {
            break;
        }
        let swap = a < b;
        // (a/b) = −(b/a) for both 3 mod 4.
        flips ^= if swap { a & b } else { 0 };
        swapped ^= swap;
        let diff = a.wrapping_sub(b);
        b = if swap { a } else { b };
        a = if swap { diff.wrapping_neg() } else { diff };
        let old = row_a;
        row_a = row_a.wrapping_add(row_b);
        row_b = if swap { old } else { row_b };
    }
    SymbolBlock {
        matrix: Matrix::unpack(row_a, row_b),
        flips,
        swapped,
    }
}

/// Rounds of 62 halvings that a number of `n` limbs may take, at most (and one to spare).
/// The factor 2^(2·rounds) of the end must be below 2^62, which it is up to 14 limbs.
const fn max_rounds(n: usize) -> u32 {
    let rounds = 128 * n as u32 / 62 + 2;
    if rounds > 30 { 30 } else { rounds }
}

/// a^(m − 2).
#[cold]
const fn fermat<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> [u64; N] {
    let mut two = [0; N];
    two[0] = 2;
    montgomery::pow::<M, N>(a, &limbs::sub(&M::MODULUS, &two).0)
}

/// The symbol by Euler's criterion: a^((m − 1)/2).
#[cold]
const fn euler<M: Modulus<N>, const N: usize>(a: &[u64; N]) -> i8 {
    // m is odd: its half rounded down is (m − 1)/2.
    let power = montgomery::pow::<M, N>(a, &limbs::half(&M::MODULUS));
    if limbs::is_zero(&power) {
        0
    } else if limbs::is_zero(&limbs::sub(&power, &M::R).0) {
        1
    } else {
        -1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use montgomery::{from_limbs, mul, to_canonical};

    macro_rules! modulus {
        ($name:ident, $n:literal, $hex:literal) => {
            #[derive(Clone, Copy, Debug)]
            struct $name;
            impl Modulus<$n> for $name {
                const MODULUS: [u64; $n] = crate::hex_limbs!($hex);
            }
        };
    }

    modulus!(
        Q,
        4,
        "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"
    );
    modulus!(
        R,
        4,
        "1cfb69d4ca675f520cce760202687600ff8f87007419047174fd06b52876e7e1"
    );
    modulus!(
        Ed,
        4,
        "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed"
    );
    modulus!(
        Helios,
        4,
        "7fffffffffffffffffffffffffffffffbf7f782cb7656b586eb6d2727927c79f"
    );
    // Every bit of the limbs in use: secp256k1.
    modulus!(
        K1,
        4,
        "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"
    );
    modulus!(
        P,
        6,
        "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab"
    );
    modulus!(Small, 4, "0d");

    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// `a` any number of limbs, reduced; taken as the Montgomery form itself.
    fn check<M: Modulus<N>, const N: usize>(a: &[u64; N]) {
        let a = to_canonical::<M, N>(&from_limbs::<M, N>(a));
        let symbol = legendre_vartime::<M, N>(&a);
        assert_eq!(symbol, euler::<M, N>(&a), "symbol of {a:x?}");
        match invert_vartime::<M, N>(&a) {
            None => assert!(limbs::is_zero(&a)),
            Some(inverse) => {
                assert!(limbs::less(&inverse, &M::MODULUS));
                assert_eq!(inverse, fermat::<M, N>(&a), "inverse of {a:x?}");
                assert_eq!(mul::<M, N>(&inverse, &a), M::R);
            }
        }
    }

    fn edges<M: Modulus<N>, const N: usize>() {
        let m = M::MODULUS;
        let mut one = [0; N];
        one[0] = 1;
        let half = limbs::half(&m);
        let r_inverse = to_canonical::<M, N>(&one);
        let less_one = limbs::sub(&m, &one).0;
        let half_up = limbs::add(&half, &one).0;
        for a in [
            [0; N],
            one,
            less_one,
            half,
            half_up,
            M::R,
            M::R2,
            M::R3,
            r_inverse,
        ] {
            // As a Montgomery form, and as the number that a form stands for.
            check::<M, N>(&a);
            check::<M, N>(&from_limbs::<M, N>(&a));
        }
        for k in 0..64 * N {
            let mut a = [0; N];
            a[k / 64] = 1 << (k % 64);
            for b in [a, limbs::sub(&a, &one).0, limbs::sub(&m, &a).0] {
                check::<M, N>(&b);
                check::<M, N>(&from_limbs::<M, N>(&b));
            }
        }
        for zeros in 0..1u32 << N {
            let mut a = [u64::MAX; N];
            for i in 0..N {
                if zeros >> i & 1 == 1 {
                    a[i] = 0;
                }
            }
            check::<M, N>(&a);
            check::<M, N>(&from_limbs::<M, N>(&a));
        }
    }

    fn many<M: Modulus<N>, const N: usize>(count: usize) {
        let mut state = 1;
        for i in 0..count {
            let mut a = [0; N];
            for limb in &mut a {
                // One number in four has runs of ones and zeros for limbs.
                *limb = match i % 4 {
                    0 => ((random(&mut state) as i64) >> (random(&mut state) % 64)) as u64,
                    _ => random(&mut state),
                };
            }
            check::<M, N>(&a);
            // Close to m, and to m/2: the guesses of the top bits are wrong most there.
            let mut small = [0; N];
            small[i % N] = a[0];
            check::<M, N>(&limbs::sub(&M::MODULUS, &small).0);
            check::<M, N>(&limbs::sub(&limbs::half(&M::MODULUS), &small).0);
        }
    }

    #[test]
    fn edge_values_agree_with_powers() {
        edges::<Q, 4>();
        edges::<R, 4>();
        edges::<Ed, 4>();
        edges::<Helios, 4>();
        edges::<K1, 4>();
        edges::<P, 6>();
    }

    #[test]
    fn random_values_agree_with_powers() {
        many::<Q, 4>(700);
        many::<R, 4>(700);
        many::<Ed, 4>(700);
        many::<Helios, 4>(700);
        many::<K1, 4>(700);
        many::<P, 6>(150);
    }

    #[test]
    fn every_value_of_a_small_modulus() {
        for k in 0..13 {
            check::<Small, 4>(&[k, 0, 0, 0]);
        }
    }

    /// A form equal to one is R⁻¹, whose inverse is R: a shortcut that takes the form for
    /// the number answers one (found in a peer library).
    #[test]
    fn form_equal_to_one() {
        fn one<M: Modulus<4>>(hex: &str) {
            let a = from_limbs::<M, 4>(&limbs::from_hex(hex).unwrap());
            assert_eq!(a, [1, 0, 0, 0]);
            let inverse = invert_vartime::<M, 4>(&a).map(|x| to_canonical::<M, 4>(&x));
            assert_eq!(inverse, Some(M::R));
            assert_eq!(legendre_vartime::<M, 4>(&a), 1);
        }
        one::<Q>("1bbe869330009d577204078a4f77266aab6fca8f09dc705f13f75b69fe75c040");
        one::<R>("1ba1957175f1d132598fb2877f713be043f39be2ffd050c66246f8b90f7c4aad");
        one::<Helios>("4a870bd554b44431e6a4bcaa7cd29f9b56a5a55c20c00c00ec1a759ab52a9ca6");
        let r: [u64; 4] =
            crate::hex_limbs!("1824b159acc5056f998c4fefecbc4ff55884b7fa0003480200000001fffffffe");
        assert_eq!(Q::R, r);
    }
}
