//! The process's peak of resident memory, where the system tells it (Linux).

/// Starts a new peak from the present memory. False where the system can't.
pub(crate) fn reset_peak() -> bool {
    // Linux: writing 5 resets VmHWM (proc(5), since 4.0).
    std::fs::write("/proc/self/clear_refs", "5").is_ok()
}

/// The peak since the last reset, in bytes.
pub(crate) fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}
