//! Proves the values of two polynomials at points of the domain, and verifies the proof from bytes.
//!
//! ```text
//! cargo run --release --example verify_openings
//! ```

use core::error::Error;

use lightproof::verkle::multiproof::{prove, verify_encoded};
use lightproof::verkle::{Committer, EncodedQuery, MultiProof, ProverQuery};
use lightproof::verkle::{Scalar, ScratchBuffer, Transcript, Vector};

/// Both sides start their transcript with the same label.
const LABEL: &str = "example";

fn main() -> Result<(), Box<dyn Error>> {
    let committer = Committer::without_table();
    let squares: Box<Vector> = Box::new(core::array::from_fn(|i| {
        let i = Scalar::from_u64(i as u64);
        i * i
    }));
    let sevens: Box<Vector> = Box::new([Scalar::from_u64(7); 256]);
    let commitments = [
        committer.commit(&squares[..])?,
        committer.commit(&sevens[..])?,
    ];

    let openings = [(0, &squares, 3), (0, &squares, 200), (1, &sevens, 255)];
    let queries = openings.map(|(which, polynomial, point)| ProverQuery {
        commitment: &commitments[which],
        polynomial,
        point,
    });
    let proof = prove(&committer, &mut Transcript::new(LABEL), &queries)?.to_bytes();

    // What travels: commitments, points, values, and the proof's 576 bytes.
    let encoded = queries.map(|query| {
        let value = query.value().to_le_bytes();
        (query.commitment.to_bytes(), query.point, value)
    });
    let claims = encoded
        .each_ref()
        .map(|(commitment, point, value)| EncodedQuery {
            commitment,
            point: *point,
            value,
        });
    let mut memory = ScratchBuffer::new(claims.len());
    verify_encoded(
        &committer,
        &mut Transcript::new(LABEL),
        &claims,
        &MultiProof::from_bytes(&proof)?,
        &mut memory.scratch(),
    )?;
    println!("{} openings hold, by {} bytes", claims.len(), proof.len());
    Ok(())
}
