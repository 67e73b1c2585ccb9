//! The process's peak of resident memory, where the system tells it (Linux).

/// Starts a new peak from the present memory. False where the system can't.
pub fn reset() -> bool {
    // Writing 5 resets VmHWM (proc(5), since Linux 4.0).
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// The peak since the last reset, in bytes.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}
