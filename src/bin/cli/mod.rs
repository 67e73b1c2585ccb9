//! The commands, one a file, and what they share.

use std::fmt::Display;
use std::fs::Permissions;
use std::io::{IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use lightproof::exec::Threads;
use lightproof::verkle::Scalar;

pub(crate) mod bench;
pub(crate) mod block;
pub(crate) mod commit;
pub(crate) mod convert;
pub(crate) mod cpu;
pub(crate) mod memory;
pub(crate) mod openings;
pub(crate) mod tree_key;

/// Why a command ends with another status than 0.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Status 1: the input is well-formed, and what it claims does not hold.
    Rejected(String),
    /// Status 2: the input can't be used.
    Unusable(String),
}

impl Failure {
    pub(crate) fn rejected(why: impl Display) -> Self {
        Self::Rejected(why.to_string())
    }

    pub(crate) fn unusable(why: impl Display) -> Self {
        Self::Unusable(why.to_string())
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Rejected(_) => ExitCode::from(1),
            Self::Unusable(_) => ExitCode::from(2),
        }
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rejected(why) => write!(f, "rejected: {why}"),
            Self::Unusable(why) => f.write_str(why),
        }
    }
}

pub(crate) type Outcome = Result<(), Failure>;

/// Larger inputs are refused before they are read: the format's own bound is 1.3 GiB.
const MAX_INPUT: u64 = 2 << 30;

/// Reads a whole file, or standard input for `-`.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = path.display();
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") {
        std::io::stdin()
            .lock()
            .take(MAX_INPUT + 1)
            .read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|file| file.take(MAX_INPUT + 1).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::unusable(format!("can't read {name}: {error}")))?;
    if bytes.len() as u64 > MAX_INPUT {
        return Err(Failure::unusable(format!(
            "{name} is larger than {MAX_INPUT} bytes"
        )));
    }
    Ok(bytes)
}

/// Writes a whole file, or standard output where there is no path or `-`. A file appears whole or
/// not at all: it is written beside its place and then put there, with the permissions of the
/// file that it replaces. A link stays one. A pipe or a device is written to, never replaced.
pub(crate) fn write(path: Option<&PathBuf>, bytes: &[u8]) -> Outcome {
    let Some(path) = path.filter(|path| path.as_os_str() != "-") else {
        return print_bytes(bytes);
    };
    let written = match std::fs::metadata(path) {
        Ok(there) if !there.is_file() && !there.is_dir() => std::fs::OpenOptions::new()
            .write(true)
            .open(path)
            .and_then(|mut file| file.write_all(bytes)),
        there => {
            let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
            replace(&place, there.ok().map(|there| there.permissions()), bytes)
        }
    };
    written.map_err(|error| Failure::unusable(format!("can't write {}: {error}", path.display())))
}

/// Writes a new file beside `place` and puts it there.
fn replace(place: &Path, permissions: Option<Permissions>, bytes: &[u8]) -> std::io::Result<()> {
    let mut beside = place.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = PathBuf::from(beside);
    // New: what stands there already, a link perhaps, is not ours to write through.
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&beside)?;
    permissions
        .map_or(Ok(()), |permissions| file.set_permissions(permissions))
        .and_then(|()| file.write_all(bytes))
        .and_then(|()| std::fs::rename(&beside, place))
        .inspect_err(|_| {
            // The part is of no use.
            let _ = std::fs::remove_file(&beside);
        })
}

/// Writes to standard output; a reader that has gone away is no failure of ours.
pub(crate) fn print_bytes(bytes: &[u8]) -> Outcome {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::unusable(format!("can't write: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a line.
pub(crate) fn print_line(line: impl Display) -> Outcome {
    print_bytes(format!("{line}\n").as_bytes())
}

/// Whether standard error is a terminal: the place for progress.
pub(crate) fn on_terminal() -> bool {
    std::io::stderr().is_terminal()
}

/// `0x` and the digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    format!("0x{}", hex::encode(bytes))
}

/// A number and what is counted: "1 stem", "2 stems".
pub(crate) fn counted(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Decodes exactly `N` bytes of hexadecimal, with or without `0x`.
pub(crate) fn unhex<const N: usize>(what: &str, text: &str) -> Result<[u8; N], Failure> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let mut out = [0; N];
    if digits.len() != 2 * N {
        return Err(Failure::unusable(format!(
            "{what} has {} hexadecimal digits, not {}",
            digits.len(),
            2 * N
        )));
    }
    hex::decode_to_slice(digits, &mut out)
        .map_err(|error| Failure::unusable(format!("{what}: {error}")))?;
    Ok(out)
}

/// Decodes a canonical little-endian scalar.
pub(crate) fn scalar(what: &str, text: &str) -> Result<Scalar, Failure> {
    Scalar::from_le_bytes(&unhex(what, text)?).ok_or_else(|| {
        Failure::unusable(format!(
            "{what} is not below the group's order (scalars are little-endian)"
        ))
    })
}

/// As many threads as asked for; 0 stands for as many as the machine has.
pub(crate) fn threads(asked: usize) -> Threads {
    Threads(if asked > 0 {
        asked
    } else {
        std::thread::available_parallelism().map_or(1, usize::from)
    })
}
