//! How firmware embeds the verifier: this crate is `no_std`, and what stands outside of the
//! test module uses neither `alloc` nor `std`.
#![no_std]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc)]

use lightproof::verkle::multiproof::verify_encoded;
use lightproof::verkle::{Committer, EncodedQuery, Error, MultiProof, Transcript, Workspace};

/// Memory for 64 openings, in the firmware's data segment.
pub type Memory = Workspace<64, 32>;

/// Three lines: decode the proof, name the generators, verify.
pub fn verify_openings(
    memory: &mut Memory,
    openings: &[EncodedQuery<'_>],
    proof: &[u8],
) -> Result<(), Error> {
    let proof = MultiProof::from_bytes(proof)?;
    let committer = Committer::without_table();
    verify_encoded(
        &committer,
        &mut Transcript::new("vt"),
        openings,
        &proof,
        &mut memory.scratch(),
    )
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::string::String;
    use std::sync::Mutex;
    use std::vec::Vec;

    /// In firmware: whatever mutex the platform has.
    static MEMORY: Mutex<Memory> = Mutex::new(Workspace::new());

    fn hex(digits: &str) -> Vec<u8> {
        let digit = |i: usize| u8::from_str_radix(&digits[i..i + 2], 16).unwrap();
        (0..digits.len()).step_by(2).map(digit).collect()
    }

    #[test]
    fn firmware_verifies_a_proof_that_another_program_made() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/vectors/verkle/multiproof.json"
        );
        let document: String = std::fs::read_to_string(path).unwrap();
        let document: serde_json::Value = serde_json::from_str(&document).unwrap();
        let case = document["cases"]
            .as_array()
            .unwrap()
            .iter()
            .find(|case| case["name"] == "16 openings, 5 polynomials")
            .unwrap();
        let text = |value: &serde_json::Value| hex(value.as_str().unwrap());
        let array = |value| <[u8; 32]>::try_from(text(value)).unwrap();
        let openings: Vec<([u8; 32], u8, [u8; 32])> = (0..16)
            .map(|i| {
                let commitment = case["poly_index"][i].as_u64().unwrap() as usize;
                (
                    array(&case["commitments"][commitment]),
                    case["z"][i].as_u64().unwrap() as u8,
                    array(&case["y"][i]),
                )
            })
            .collect();
        let mut queries: Vec<EncodedQuery<'_>> = openings
            .iter()
            .map(|(commitment, point, value)| EncodedQuery {
                commitment,
                point: *point,
                value,
            })
            .collect();
        let proof = text(&case["proof"]);
        let mut memory = MEMORY.lock().unwrap();
        assert_eq!(verify_openings(&mut memory, &queries, &proof), Ok(()));
        queries[7].point ^= 1;
        assert_eq!(
            verify_openings(&mut memory, &queries, &proof),
            Err(Error::NotProven)
        );
        assert_eq!(
            verify_openings(&mut memory, &queries, &proof[1..]),
            Err(Error::ProofLength {
                expected: 576,
                actual: 575
            })
        );
    }
}
