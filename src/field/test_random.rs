//! A generator of numbers for tests of the random constructors (Marsaglia 2003): not secure.

use core::convert::Infallible;

use rand_core::TryRng;

/// The state, not zero.
pub(crate) struct Xorshift(pub(crate) u64);

impl TryRng for Xorshift {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.try_next_u64().map(|x| (x >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Ok(self.0)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            *byte = (self.try_next_u64()? >> 56) as u8;
        }
        Ok(())
    }
}
