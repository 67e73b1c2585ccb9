//! `lightproof cpu`: what computes here.

use clap::Args;

use super::{Outcome, print_line};

/// List the backends of this build and the CPU's features that matter to them
#[derive(Args, Debug)]
pub(crate) struct Cpu {}

/// The backends that this build has, by name.
pub(crate) const BACKENDS: [&str; 1] = [portable()];

const fn portable() -> &'static str {
    use lightproof_arch::lanes::{Backend, Portable};
    Portable::NAME
}

impl Cpu {
    pub(crate) fn run(&self) -> Outcome {
        print_line(format_args!("architecture {}", std::env::consts::ARCH))?;
        for backend in BACKENDS {
            print_line(format_args!(
                "backend      {backend} (64-bit limbs, one lane)"
            ))?;
        }
        let sha = match hashes() {
            true => "the CPU's instructions",
            false => "portable code",
        };
        print_line(format_args!("sha-256      {sha}"))?;
        for (feature, present) in features() {
            let there = if present { "yes" } else { "no" };
            print_line(format_args!("cpu feature  {feature}: {there}"))?;
        }
        Ok(())
    }
}

/// Whether the hash finds instructions of its own: it asks the CPU, with or without `std`.
fn hashes() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("sha")
            && std::is_x86_feature_detected!("ssse3")
            && std::is_x86_feature_detected!("sse4.1")
    }
    #[cfg(target_arch = "aarch64")]
    {
        std::arch::is_aarch64_feature_detected!("sha2")
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        false
    }
}

/// The features of this CPU that hashing or a backend can use.
fn features() -> Vec<(&'static str, bool)> {
    #[cfg(target_arch = "x86_64")]
    {
        vec![
            ("sha", std::is_x86_feature_detected!("sha")),
            ("bmi2", std::is_x86_feature_detected!("bmi2")),
            ("adx", std::is_x86_feature_detected!("adx")),
            ("avx512ifma", std::is_x86_feature_detected!("avx512ifma")),
        ]
    }
    #[cfg(target_arch = "aarch64")]
    {
        vec![
            ("neon", std::arch::is_aarch64_feature_detected!("neon")),
            ("sha2", std::arch::is_aarch64_feature_detected!("sha2")),
        ]
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        Vec::new()
    }
}
