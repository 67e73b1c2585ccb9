//! A batch of numbers computed side by side, and the choice of who computes it.
//!
//! A hot loop is written once, as a [`Kernel`] generic over a [`Backend`]; [`dispatch`]
//! chooses the backend once for the whole operation. Backends differ in the number of
//! lanes and in how a lane keeps its limbs; what is loaded and stored are always Montgomery
//! forms with R = 2^(64·N).

use crate::Modulus;
use crate::portable::montgomery;

/// A vector of [`WIDTH`](Self::WIDTH) numbers modulo `M`.
pub trait Lanes<M: Modulus<N>, const N: usize>: Copy {
    /// How many numbers stand side by side.
    const WIDTH: usize;
    /// A sum whose reduction is left out: below 2m, a factor of [`mul_loose`](Self::mul_loose)
    /// and of nothing else.
    type Loose: Copy;

    /// Fills lane i with `f(i)`, each below the modulus.
    fn load(f: impl FnMut(usize) -> [u64; N]) -> Self;
    /// Gives lane i, fully reduced, to `f(i, ·)`.
    fn store(&self, f: impl FnMut(usize, [u64; N]));
    /// The same number in every lane.
    fn splat(a: &[u64; N]) -> Self;
    /// Lane by lane a + b.
    fn add(&self, b: &Self) -> Self;
    /// Lane by lane a − b.
    fn sub(&self, b: &Self) -> Self;
    /// Lane by lane a·b.
    fn mul(&self, b: &Self) -> Self;
    /// Lane by lane a².
    fn square(&self) -> Self;
    /// Lane by lane a + b, not reduced.
    fn add_loose(&self, b: &Self) -> Self::Loose;
    /// Lane by lane a − b + m, not reduced.
    fn sub_loose(&self, b: &Self) -> Self::Loose;
    /// Lane by lane a·b, reduced.
    fn mul_loose(&self, b: &Self::Loose) -> Self;
}

/// A way to compute: a zero-sized type with its vectors.
pub trait Backend: Copy + core::fmt::Debug + Send + Sync + 'static {
    /// Its name, as users meet it in benches and in `lightproof cpu`.
    const NAME: &'static str;
    /// The vector of numbers modulo `M`.
    type Lanes<M: Modulus<N>, const N: usize>: Lanes<M, N>;
}

/// An operation that any backend can run.
pub trait Kernel {
    /// What it gives.
    type Output;
    /// Runs it on `B`. Implementations are `#[inline(always)]`, and so is all they call with lane values.
    fn run<B: Backend>(self) -> Self::Output;
}

/// Runs `kernel` on the best backend of this machine.
#[inline]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Portable>()
}

/// The portable backend: one lane of 64-bit limbs.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// The portable backend's vector: one number.
#[derive(Clone, Copy, Debug)]
pub struct One<M, const N: usize>([u64; N], core::marker::PhantomData<M>);

/// The portable backend's sum that is not reduced.
#[derive(Clone, Copy, Debug)]
pub struct LooseOne<M, const N: usize>([u64; N], core::marker::PhantomData<M>);

impl<M: Modulus<N>, const N: usize> LooseOne<M, N> {
    #[inline(always)]
    const fn new(a: [u64; N]) -> Self {
        Self(a, core::marker::PhantomData)
    }
}

impl Backend for Portable {
    const NAME: &'static str = "portable";
    type Lanes<M: Modulus<N>, const N: usize> = One<M, N>;
}

impl<M: Modulus<N>, const N: usize> One<M, N> {
    #[inline(always)]
    const fn new(a: [u64; N]) -> Self {
        Self(a, core::marker::PhantomData)
    }
}

impl<M: Modulus<N>, const N: usize> Lanes<M, N> for One<M, N> {
    const WIDTH: usize = 1;
    type Loose = LooseOne<M, N>;

    #[inline(always)]
    fn load(mut f: impl FnMut(usize) -> [u64; N]) -> Self {
        Self::new(f(0))
    }
    #[inline(always)]
    fn store(&self, mut f: impl FnMut(usize, [u64; N])) {
        f(0, self.0);
    }
    #[inline(always)]
    fn splat(a: &[u64; N]) -> Self {
        Self::new(*a)
    }
    #[inline(always)]
    fn add(&self, b: &Self) -> Self {
        Self::new(montgomery::add::<M, N>(&self.0, &b.0))
    }
    #[inline(always)]
    fn sub(&self, b: &Self) -> Self {
        Self::new(montgomery::sub::<M, N>(&self.0, &b.0))
    }
    #[inline(always)]
    fn mul(&self, b: &Self) -> Self {
        Self::new(montgomery::mul::<M, N>(&self.0, &b.0))
    }
    #[inline(always)]
    fn square(&self) -> Self {
        Self::new(montgomery::square::<M, N>(&self.0))
    }
    #[inline(always)]
    fn add_loose(&self, b: &Self) -> LooseOne<M, N> {
        LooseOne::new(montgomery::add_loose::<M, N>(&self.0, &b.0))
    }
    #[inline(always)]
    fn sub_loose(&self, b: &Self) -> LooseOne<M, N> {
        LooseOne::new(montgomery::sub_loose::<M, N>(&self.0, &b.0))
    }
    #[inline(always)]
    fn mul_loose(&self, b: &LooseOne<M, N>) -> Self {
        Self::new(montgomery::mul_loose::<M, N>(&self.0, &b.0))
    }
}
