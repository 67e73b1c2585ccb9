//! The common reference string: 256 generators that nobody knows a relation between.
//!
//! Candidate i is SHA-256 of `eth_verkle_oct_2021` and the big-endian 64-bit number i, read
//! as a big-endian integer mod q; it is a generator if it is the compressed encoding of a
//! group element. The first 256 are taken (a test derives them).

use super::{Affine, WIDTH};
use crate::field::bls12_381_scalar::Fq;

/// The seed of the candidates.
pub const SEED: &str = "eth_verkle_oct_2021";

/// The generators G₀ … G₂₅₅, 16 KiB of constants.
pub static GENERATORS: [Affine; WIDTH] = load(include_bytes!("crs.bin"));

/// Q, which carries the inner product: the group's generator.
pub const Q: Affine = Affine::GENERATOR;

/// Big-endian x and y of each generator.
const fn load(bytes: &[u8; 64 * WIDTH]) -> [Affine; WIDTH] {
    let mut out = [Affine::IDENTITY; WIDTH];
    let mut i = 0;
    while i < WIDTH {
        out[i] =
            Affine::from_xy_unchecked(coordinate(bytes, 64 * i), coordinate(bytes, 64 * i + 32));
        i += 1;
    }
    out
}

const fn coordinate(bytes: &[u8], start: usize) -> Fq {
    let mut limbs = [0u64; 4];
    let mut i = 0;
    while i < 32 {
        limbs[3 - i / 8] = (limbs[3 - i / 8] << 8) | bytes[start + i] as u64;
        i += 1;
    }
    Fq::from_limbs(limbs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    #[test]
    fn v17_the_seed_gives_the_generators() {
        let mut found = 0;
        let mut all = Sha256::new();
        for i in 0u64.. {
            let mut hasher = Sha256::new();
            hasher.update(SEED.as_bytes());
            hasher.update(i.to_be_bytes());
            let x = Fq::from_be_bytes_reduced(&hasher.finalize().into());
            let Ok(point) = Affine::from_bytes(&x.to_be_bytes()) else {
                continue;
            };
            assert_eq!(
                GENERATORS[found].coordinates(),
                point.coordinates(),
                "generator {found}"
            );
            all.update(point.to_bytes());
            found += 1;
            if found == WIDTH {
                break;
            }
        }
        // The digest of all encodings that peers publish.
        let published = "1fcaea10bf24f750200e06fa473c76ff0468007291fa548e2d99f09ba9256fdb";
        let digest: alloc::string::String = all
            .finalize()
            .iter()
            .map(|byte| alloc::format!("{byte:02x}"))
            .collect();
        assert_eq!(digest, published);
    }
}
