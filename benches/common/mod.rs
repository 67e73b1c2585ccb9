//! What the benches share: short runs, and operands that are the same every time.

use core::time::Duration;

use criterion::Criterion;
use lightproof::field::{Montgomery, Params};

/// Criterion with runs short enough that all benches together take minutes; options of the
/// command line win.
pub(crate) fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(400))
        .without_plots()
        .configure_from_args()
}

/// `count` field elements without a pattern: powers of a large number.
pub(crate) fn elements<P: Params<N>, const N: usize>(count: usize) -> Vec<Montgomery<P, N>> {
    let base = Montgomery::from_le_bytes_reduced(&[0xa7; 96]);
    core::iter::successors(Some(base), |power| Some(*power * base))
        .take(count)
        .collect()
}
