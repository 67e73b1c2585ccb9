//! Asking for memory before it is used.

/// Bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;

/// Whether [`prefetch`] waits for nothing: then it may be called for every line of a long run.
pub const PREFETCH_IS_FREE: bool = cfg!(target_arch = "x86_64");

/// Tells the CPU that `value` will be read soon. Only the time of that read depends on it.
///
/// x86-64 has an instruction for it, which waits for nothing. Elsewhere stable Rust has none,
/// and `value` is read here and now: call it for several values in a row, and the memory
/// answers all of these reads at once.
#[inline(always)]
pub fn prefetch<T: Copy>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start: *const T = value;
        let mut offset = 0;
        while offset < size_of::<T>() {
            // SAFETY: SSE is part of x86-64, and a prefetch accesses nothing: it is a hint
            // that neither faults nor traps at any address. `wrapping_byte_add` makes no claim
            // about the address either.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(start.cast::<i8>().wrapping_byte_add(offset));
            }
            offset += LINE;
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        core::hint::black_box(*value);
    }
}

#[cfg(test)]
mod tests {
    use super::prefetch;

    #[test]
    fn values_of_every_size_stay_as_they_are() {
        prefetch(&());
        prefetch(&1u8);
        let large = [7u64; 100];
        prefetch(&large);
        assert_eq!(large, [7; 100]);
    }
}
