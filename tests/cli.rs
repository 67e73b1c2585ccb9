//! The command line, as a user meets it: exit status, what stands on standard output, and the one
//! line on standard error that says what is wrong.
#![cfg(feature = "cli")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::std_instead_of_alloc, clippy::std_instead_of_core)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

mod common;

#[path = "cli/block.rs"]
mod block;
#[path = "cli/openings.rs"]
mod openings;
#[path = "cli/others.rs"]
mod others;

/// How a run of the program ended.
#[derive(Debug)]
struct Run {
    status: i32,
    out: Vec<u8>,
    err: String,
}

impl Run {
    fn out(&self) -> &str {
        core::str::from_utf8(&self.out).unwrap()
    }

    /// Status 0, and nothing on standard error.
    #[track_caller]
    fn holds(self) -> Self {
        assert_eq!((self.status, self.err.as_str()), (0, ""), "{self:?}");
        self
    }

    /// Status `status`, and one line on standard error, in which each of `words` stands.
    #[track_caller]
    fn fails(self, status: i32, words: &[&str]) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.err.lines().count(), 1, "{self:?}");
        assert!(self.err.starts_with("lightproof: "), "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "no {word:?}: {self:?}");
        }
        self
    }
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_lightproof"))
}

/// Runs the program. It never panics, whatever comes.
#[track_caller]
fn run<A: AsRef<std::ffi::OsStr>>(arguments: &[A]) -> Run {
    run_with(arguments, b"")
}

/// As `run`, with `input` as standard input.
#[track_caller]
fn run_with<A: AsRef<std::ffi::OsStr>>(arguments: &[A], input: &[u8]) -> Run {
    let mut child = program()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that reads no input may have ended already.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let run = Run {
        status: output.status.code().expect("ended by a signal"),
        out: output.stdout,
        err: String::from_utf8(output.stderr).unwrap(),
    };
    assert!(matches!(run.status, 0..=2), "{run:?}");
    assert!(!run.err.contains("panicked"), "{run:?}");
    run
}

/// A file of this test's own.
fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Writes a file of this test's own.
fn written(name: &str, contents: impl AsRef<[u8]>) -> String {
    let path = file(name);
    std::fs::write(&path, contents).unwrap();
    path.into_os_string().into_string().unwrap()
}

/// A file of the repository.
fn repository(name: &str) -> String {
    format!("{}/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The records of a file of the repository's own witness vectors.
fn records(name: &str) -> Vec<Value> {
    let path = repository(&format!("tests/vectors/verkle-witness/{name}"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn record(name: &str, id: &str) -> Value {
    let found = records(name).into_iter().find(|record| record["id"] == id);
    found.unwrap_or_else(|| panic!("no {id} in {name}"))
}
