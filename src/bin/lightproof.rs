//! The command line: verify a block's witness, make and verify proofs, convert, derive keys,
//! measure.
//!
//! Exit status: 0 the claim holds; 1 it does not, one line says why; 2 the input can't be used.

#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc)] // a program, with std

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[path = "cli/mod.rs"]
mod cli;

/// Proofs that light clients meet, verified and made.
#[derive(Parser, Debug)]
#[command(name = "lightproof", version, about, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    VerifyBlock(cli::block::VerifyBlock),
    Convert(cli::convert::Convert),
    Prove(cli::openings::Prove),
    Verify(cli::openings::Verify),
    Commit(cli::commit::Commit),
    TreeKey(cli::tree_key::TreeKey),
    Bench(cli::bench::Bench),
    Cpu(cli::cpu::Cpu),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::VerifyBlock(command) => command.run(),
        Command::Convert(command) => command.run(),
        Command::Prove(command) => command.run(),
        Command::Verify(command) => command.run(),
        Command::Commit(command) => command.run(),
        Command::TreeKey(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Cpu(command) => command.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Unlike `eprintln!` this does not panic if nobody listens.
            let _ = writeln!(std::io::stderr(), "lightproof: {failure}");
            failure.exit_code()
        }
    }
}
