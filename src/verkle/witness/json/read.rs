//! The objects of a witness and of a block.

use alloc::vec::Vec;

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess};

use super::Leniency;
use super::error::{JsonError, Place, Rule};
use super::value::{self, Context, List, Members, Object, Scalar, Token};
use crate::verkle::witness::{
    MAX_COMMITMENTS, MAX_STEMS, MAX_SUFFIXES, OwnedProof, OwnedStemDiff, OwnedSuffixDiff,
    OwnedWitness, Stem, Value,
};

/// What a block's JSON says of its witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// `header.number` or `header.blockNumber`.
    pub number: Option<u64>,
    /// `parentStateRoot`: the root that the witness is checked against.
    pub parent_state_root: Option<[u8; 32]>,
    /// `header.stateRoot`: the root after the block.
    pub state_root: Option<[u8; 32]>,
    /// `executionWitness`.
    pub witness: OwnedWitness,
}

pub(super) fn witness(json: &[u8], leniency: Leniency) -> Result<OwnedWitness, JsonError> {
    Context::read(json, leniency, |context, document| {
        witness_seed(context, Place::Document).deserialize(document)
    })
}

pub(super) fn block(json: &[u8], leniency: Leniency) -> Result<Block, JsonError> {
    Context::read(json, leniency, |context, document| {
        let object = BlockObject::default();
        Members {
            context,
            place: Place::Document,
            object,
        }
        .deserialize(document)
    })
}

fn scalar<T>(
    context: &Context,
    place: Place,
    read: fn(Token<'_>, bool) -> Result<T, Rule>,
) -> Scalar<'_, T> {
    Scalar {
        context,
        place,
        read,
    }
}

fn witness_seed(context: &Context, place: Place) -> Members<'_, WitnessObject> {
    Members {
        context,
        place,
        object: WitnessObject::default(),
    }
}

#[derive(Default)]
struct BlockObject {
    parent_state_root: Option<[u8; 32]>,
    header: Option<Header>,
    payload: Option<Header>,
    witness: Option<OwnedWitness>,
}

impl Object for BlockObject {
    type Value = Block;
    const NAMES: &'static [&'static str] = &[
        "parentStateRoot",
        "header",
        "executionWitness",
        "executionPayload",
    ];

    fn member<'de, A: MapAccess<'de>>(
        &mut self,
        context: &Context,
        which: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match which {
            0 => {
                let place = Place::ParentStateRoot;
                let seed = scalar(context, place, value::bytes);
                context.fill(map, &mut self.parent_state_root, place, seed)
            }
            1 => {
                let (place, object) = (Place::Header, HeaderObject::default());
                context.fill(
                    map,
                    &mut self.header,
                    place,
                    Members {
                        context,
                        place,
                        object,
                    },
                )
            }
            2 => {
                let place = Place::Witness;
                context.fill(map, &mut self.witness, place, witness_seed(context, place))
            }
            _ if context.lenient() => {
                let object = HeaderObject {
                    payload: true,
                    ..HeaderObject::default()
                };
                let place = Place::Payload;
                context.fill(
                    map,
                    &mut self.payload,
                    place,
                    Members {
                        context,
                        place,
                        object,
                    },
                )
            }
            _ => map.next_value::<IgnoredAny>().map(|_| ()),
        }
    }

    fn finish<E: Error>(self, context: &Context) -> Result<Block, E> {
        let (header, payload) = (
            self.header.unwrap_or_default(),
            self.payload.unwrap_or_default(),
        );
        if self.witness.is_some() && payload.witness.is_some() {
            return Err(context.fail(Place::Witness, Rule::Duplicate));
        }
        Ok(Block {
            number: header.number.or(payload.number),
            parent_state_root: self.parent_state_root,
            state_root: header.state_root.or(payload.state_root),
            witness: context.required(self.witness.or(payload.witness), Place::Witness)?,
        })
    }
}

/// What a header, or an execution payload, holds of interest.
#[derive(Default)]
struct Header {
    number: Option<u64>,
    state_root: Option<[u8; 32]>,
    witness: Option<OwnedWitness>,
}

#[derive(Default)]
struct HeaderObject {
    payload: bool,
    state_root: Option<[u8; 32]>,
    number: Option<u64>,
    block_number: Option<u64>,
    witness: Option<OwnedWitness>,
}

impl Object for HeaderObject {
    type Value = Header;
    const NAMES: &'static [&'static str] =
        &["stateRoot", "number", "blockNumber", "executionWitness"];

    fn member<'de, A: MapAccess<'de>>(
        &mut self,
        context: &Context,
        which: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let number = scalar(context, Place::Number, value::number);
        match which {
            0 => {
                let place = Place::StateRoot;
                let seed = scalar(context, place, value::bytes);
                context.fill(map, &mut self.state_root, place, seed)
            }
            1 => context.fill(map, &mut self.number, Place::Number, number),
            2 => context.fill(map, &mut self.block_number, Place::Number, number),
            _ if self.payload => {
                let place = Place::Witness;
                context.fill(map, &mut self.witness, place, witness_seed(context, place))
            }
            _ => map.next_value::<IgnoredAny>().map(|_| ()),
        }
    }

    fn finish<E: Error>(self, context: &Context) -> Result<Header, E> {
        if self.number.is_some() && self.block_number.is_some() && self.number != self.block_number
        {
            return Err(context.fail(Place::Number, Rule::Duplicate));
        }
        let number = self.number.or(self.block_number);
        Ok(Header {
            number,
            state_root: self.state_root,
            witness: self.witness,
        })
    }
}

#[derive(Default)]
struct WitnessObject {
    state_diff: Option<Vec<OwnedStemDiff>>,
    proof: Option<ProofObject>,
}

impl Object for WitnessObject {
    type Value = OwnedWitness;
    const NAMES: &'static [&'static str] = &["stateDiff", "verkleProof"];

    fn member<'de, A: MapAccess<'de>>(
        &mut self,
        context: &Context,
        which: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        if which == 0 {
            let each = |i| {
                let object = StemObject {
                    index: i,
                    stem: None,
                    suffix_diffs: None,
                };
                Members {
                    context,
                    place: Place::StemDiff(i),
                    object,
                }
            };
            let place = Place::StateDiff;
            let seed = List {
                context,
                place,
                limit: MAX_STEMS,
                each,
            };
            context.fill(map, &mut self.state_diff, place, seed)
        } else {
            let (place, object) = (Place::VerkleProof, ProofObject::default());
            context.fill(
                map,
                &mut self.proof,
                place,
                Members {
                    context,
                    place,
                    object,
                },
            )
        }
    }

    fn finish<E: Error>(self, context: &Context) -> Result<OwnedWitness, E> {
        let state_diff = context.required(self.state_diff, Place::StateDiff)?;
        let proof = context.required(self.proof, Place::VerkleProof)?;
        let IpaProof {
            cl,
            cr,
            final_evaluation,
        } = context.required(proof.ipa_proof, Place::IpaProof)?;
        let depths = context.required(proof.depths, Place::DepthExtensionPresent)?;
        Ok(OwnedWitness {
            state_diff,
            other_stems: context.required(proof.other_stems, Place::OtherStems)?,
            depth_extension_present: depths,
            commitments_by_path: context.required(proof.commitments, Place::CommitmentsByPath)?,
            proof: OwnedProof {
                d: context.required(proof.d, Place::D)?,
                cl,
                cr,
                final_evaluation,
            },
        })
    }
}

struct StemObject {
    index: usize,
    stem: Option<Stem>,
    suffix_diffs: Option<Vec<OwnedSuffixDiff>>,
}

impl Object for StemObject {
    type Value = OwnedStemDiff;
    const NAMES: &'static [&'static str] = &["stem", "suffixDiffs"];

    fn member<'de, A: MapAccess<'de>>(
        &mut self,
        context: &Context,
        which: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let i = self.index;
        if which == 0 {
            let seed = scalar(context, Place::Stem(i), value::bytes);
            context.fill(map, &mut self.stem, Place::Stem(i), seed)
        } else {
            let each = |k| {
                let object = SuffixObject {
                    index: (i, k),
                    ..SuffixObject::default()
                };
                Members {
                    context,
                    place: Place::SuffixDiff(i, k),
                    object,
                }
            };
            let place = Place::SuffixDiffs(i);
            let seed = List {
                context,
                place,
                limit: MAX_SUFFIXES,
                each,
            };
            context.fill(map, &mut self.suffix_diffs, place, seed)
        }
    }

    fn finish<E: Error>(self, context: &Context) -> Result<OwnedStemDiff, E> {
        Ok(OwnedStemDiff {
            stem: context.required(self.stem, Place::Stem(self.index))?,
            suffix_diffs: context.required(self.suffix_diffs, Place::SuffixDiffs(self.index))?,
        })
    }
}

#[derive(Default)]
struct SuffixObject {
    index: (usize, usize),
    suffix: Option<u8>,
    current_value: Option<Option<Value>>,
    new_value: Option<Option<Value>>,
}

impl Object for SuffixObject {
    type Value = OwnedSuffixDiff;
    const NAMES: &'static [&'static str] = &["suffix", "currentValue", "newValue"];

    fn member<'de, A: MapAccess<'de>>(
        &mut self,
        context: &Context,
        which: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let (i, k) = self.index;
        if which == 0 {
            let place = Place::Suffix(i, k);
            return context.fill(
                map,
                &mut self.suffix,
                place,
                scalar(context, place, value::suffix),
            );
        }
        let (slot, place) = if which == 1 {
            (&mut self.current_value, Place::CurrentValue(i, k))
        } else {
            (&mut self.new_value, Place::NewValue(i, k))
        };
        context.fill(map, slot, place, scalar(context, place, value::value))
    }

    fn finish<E: Error>(self, context: &Context) -> Result<OwnedSuffixDiff, E> {
        let (i, k) = self.index;
        Ok(OwnedSuffixDiff {
            suffix: context.required(self.suffix, Place::Suffix(i, k))?,
            current_value: context.required(self.current_value, Place::CurrentValue(i, k))?,
            new_value: self.new_value.flatten(),
        })
    }
}

#[derive(Default)]
struct ProofObject {
    other_stems: Option<Vec<Stem>>,
    depths: Option<Vec<u8>>,
    commitments: Option<Vec<[u8; 32]>>,
    d: Option<[u8; 32]>,
    ipa_proof: Option<IpaProof>,
}

impl Object for ProofObject {
    type Value = Self;
    const NAMES: &'static [&'static str] = &[
        "otherStems",
        "depthExtensionPresent",
        "commitmentsByPath",
        "d",
        "ipaProof",
    ];

    fn member<'de, A: MapAccess<'de>>(
        &mut self,
        context: &Context,
        which: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match which {
            0 => {
                let place = Place::OtherStems;
                let each = |i| scalar(context, Place::OtherStem(i), value::bytes);
                let seed = List {
                    context,
                    place,
                    limit: MAX_STEMS,
                    each,
                };
                context.fill(map, &mut self.other_stems, place, seed)
            }
            1 => {
                let place = Place::DepthExtensionPresent;
                let seed = scalar(context, place, value::byte_list::<MAX_STEMS>);
                context.fill(map, &mut self.depths, place, seed)
            }
            2 => {
                let place = Place::CommitmentsByPath;
                let each = |i| scalar(context, Place::Commitment(i), value::bytes);
                let seed = List {
                    context,
                    place,
                    limit: MAX_COMMITMENTS,
                    each,
                };
                context.fill(map, &mut self.commitments, place, seed)
            }
            3 => {
                let seed = scalar(context, Place::D, value::bytes);
                context.fill(map, &mut self.d, Place::D, seed)
            }
            _ => {
                let (place, object) = (Place::IpaProof, IpaObject::default());
                context.fill(
                    map,
                    &mut self.ipa_proof,
                    place,
                    Members {
                        context,
                        place,
                        object,
                    },
                )
            }
        }
    }

    fn finish<E: Error>(self, _: &Context) -> Result<Self, E> {
        Ok(self)
    }
}

struct IpaProof {
    cl: [[u8; 32]; 8],
    cr: [[u8; 32]; 8],
    final_evaluation: [u8; 32],
}

#[derive(Default)]
struct IpaObject {
    cl: Option<Vec<[u8; 32]>>,
    cr: Option<Vec<[u8; 32]>>,
    final_evaluation: Option<[u8; 32]>,
}

impl Object for IpaObject {
    type Value = IpaProof;
    const NAMES: &'static [&'static str] = &["cl", "cr", "finalEvaluation"];

    fn member<'de, A: MapAccess<'de>>(
        &mut self,
        context: &Context,
        which: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        let (slot, place, point): (_, _, fn(usize) -> Place) = match which {
            0 => (&mut self.cl, Place::Cl, Place::ClPoint),
            1 => (&mut self.cr, Place::Cr, Place::CrPoint),
            _ => {
                let place = Place::FinalEvaluation;
                let seed = scalar(context, place, value::bytes);
                return context.fill(map, &mut self.final_evaluation, place, seed);
            }
        };
        let each = |i| scalar(context, point(i), value::bytes);
        context.fill(
            map,
            slot,
            place,
            List {
                context,
                place,
                limit: MAX_STEMS,
                each,
            },
        )
    }

    fn finish<E: Error>(self, context: &Context) -> Result<IpaProof, E> {
        let eight = |side: Option<Vec<[u8; 32]>>, place| {
            let side = context.required(side, place)?;
            side.try_into()
                .map_err(|_| context.fail(place, Rule::Eight))
        };
        Ok(IpaProof {
            cl: eight(self.cl, Place::Cl)?,
            cr: eight(self.cr, Place::Cr)?,
            final_evaluation: context.required(self.final_evaluation, Place::FinalEvaluation)?,
        })
    }
}
