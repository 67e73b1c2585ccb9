//! The Fiat–Shamir transcript of Verkle proofs: SHA-256 over labelled messages.
//!
//! The state is a byte string. A challenge is its digest, read as a little-endian integer
//! mod r; afterwards the string starts anew with the challenge in it. Nothing carries a
//! length, so the order and the kinds of messages must be fixed by the protocol.
//!
//! Small writes are gathered and hashed in blocks; nothing is allocated.

use heapless::Vec;
use sha2::{Digest, Sha256};

use crate::curve::banderwagon::Compressed;
use crate::field::bandersnatch_scalar::Fr;

/// Bytes gathered before they are hashed: eight SHA-256 blocks.
const BUFFER: usize = 512;

/// A transcript, the prover's or the verifier's.
#[derive(Clone)]
pub struct Transcript {
    hasher: Sha256,
    buffer: Vec<u8, BUFFER>,
    /// What a test puts in the place of the challenge after so many others.
    #[cfg(test)]
    pub(crate) forced: Option<(usize, Fr)>,
}

impl core::fmt::Debug for Transcript {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Transcript").finish_non_exhaustive()
    }
}

impl Transcript {
    /// Starts a transcript with the protocol's label, a constant of the protocol.
    pub fn new(label: &str) -> Self {
        let mut transcript = Self {
            hasher: Sha256::new(),
            buffer: Vec::new(),
            #[cfg(test)]
            forced: None,
        };
        transcript.write(label.as_bytes());
        transcript
    }

    /// Marks the start of a (sub)protocol.
    pub fn domain_sep(&mut self, label: &'static str) {
        self.write(label.as_bytes());
    }

    /// Appends bytes. Lengths are not hashed: see the module's words.
    pub fn append_message(&mut self, label: &'static str, message: &[u8]) {
        self.write(label.as_bytes());
        self.write(message);
    }

    /// Appends a scalar: 32 bytes, little-endian.
    pub fn append_scalar(&mut self, label: &'static str, scalar: &Fr) {
        self.append_message(label, &scalar.to_le_bytes());
    }

    /// Appends a group element by its compressed encoding.
    pub fn append_point(&mut self, label: &'static str, point: &Compressed) {
        self.append_message(label, point);
    }

    /// Draws a challenge from all that was appended, and appends it.
    pub fn challenge(&mut self, label: &'static str) -> Fr {
        self.domain_sep(label);
        self.hasher.update(&self.buffer);
        self.buffer.clear();
        let digest = self.hasher.finalize_reset();
        let challenge = Fr::from_le_bytes_reduced(&digest);
        #[cfg(test)]
        let challenge = self.force(challenge);
        self.append_scalar(label, &challenge);
        challenge
    }

    #[cfg(test)]
    fn force(&mut self, drawn: Fr) -> Fr {
        match &mut self.forced {
            Some((0, forced)) => *forced,
            Some((wait, _)) => {
                *wait -= 1;
                drawn
            }
            None => drawn,
        }
    }

    /// Whole buffers go to the hash, so that it copies nothing: its blocks stay aligned to them.
    fn write(&mut self, bytes: &[u8]) {
        let room = BUFFER - self.buffer.len();
        let (mut head, mut rest) = bytes.split_at(room.min(bytes.len()));
        loop {
            // There is room for the head.
            let _ = self.buffer.extend_from_slice(head);
            if self.buffer.len() < BUFFER {
                return;
            }
            self.hasher.update(&self.buffer);
            self.buffer.clear();
            (head, rest) = rest.split_at(BUFFER.min(rest.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_every_length_are_hashed_as_one_string() {
        let bytes: [u8; 2100] = core::array::from_fn(|i| (i * i + i) as u8);
        let mut whole = Sha256::new();
        whole.update(b"label");
        whole.update(bytes);
        whole.update(b"end");
        let expected = Fr::from_le_bytes_reduced(&whole.finalize());
        for step in [1, 7, 31, 99, 507, 511, 512, 513, 1024, 2100] {
            let mut transcript = Transcript::new("label");
            for piece in bytes.chunks(step) {
                transcript.append_message("", piece);
            }
            assert_eq!(transcript.challenge("end"), expected, "{step}");
        }
    }
}
