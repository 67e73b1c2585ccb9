//! What was measured, and the CSV file of it.

use std::path::Path;

/// One operation, on a number of openings, by a number of threads.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) operation: String,
    pub(crate) openings: usize,
    pub(crate) threads: usize,
    pub(crate) ms: f64,
    /// How often memory was asked for, and how much in all: of one thread.
    pub(crate) allocations: Option<u64>,
    pub(crate) allocated: Option<u64>,
    /// The most that was allocated at a time.
    pub(crate) most_allocated: Option<u64>,
    /// The process's peak of resident memory, with the statement in it.
    pub(crate) peak: Option<u64>,
}

const COLUMNS: &str =
    "operation,openings,threads,ms,allocations,allocated_bytes,most_allocated_bytes,peak_bytes";

impl Row {
    /// The head of the table in Markdown.
    pub(crate) const HEAD: &'static str = "\
| operation | openings | threads | ms | allocations | bytes allocated | most at a time | peak of the process |
|---|---:|---:|---:|---:|---:|---:|---:|";

    fn cells(&self) -> [String; 8] {
        let number = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
        [
            self.operation.clone(),
            self.openings.to_string(),
            self.threads.to_string(),
            format!("{:.2}", self.ms),
            number(self.allocations),
            number(self.allocated),
            number(self.most_allocated),
            number(self.peak),
        ]
    }

    fn parse(line: &str) -> Option<Self> {
        let cells: Vec<&str> = line.split(',').collect();
        let &[
            operation,
            openings,
            threads,
            ms,
            allocations,
            allocated,
            most,
            peak,
        ] = &cells[..]
        else {
            return None;
        };
        let number = |cell: &str| match cell {
            "" => Some(None),
            cell => cell.parse().ok().map(Some),
        };
        Some(Self {
            operation: operation.to_owned(),
            openings: openings.parse().ok()?,
            threads: threads.parse().ok()?,
            ms: ms.parse().ok()?,
            allocations: number(allocations)?,
            allocated: number(allocated)?,
            most_allocated: number(most)?,
            peak: number(peak)?,
        })
    }

    fn key(&self) -> (&str, usize, usize) {
        (&self.operation, self.threads, self.openings)
    }
}

/// All rows, in order.
#[derive(Debug, Default)]
pub(crate) struct Rows(Vec<Row>);

impl Rows {
    /// Those of `file`; none if there is no file.
    pub(crate) fn read(file: Option<&Path>) -> Result<Self, String> {
        let Some(file) = file.filter(|file| file.exists()) else {
            return Ok(Self::default());
        };
        let name = file.display();
        let text = std::fs::read_to_string(file).map_err(|error| format!("{name}: {error}"))?;
        let mut rows = Self::default();
        for (i, line) in text.lines().enumerate().skip(1) {
            let row = Row::parse(line).ok_or_else(|| format!("{name}, line {}: no row", i + 1))?;
            rows.put(row);
        }
        Ok(rows)
    }

    /// Prints a row and keeps it.
    pub(crate) fn add(&mut self, row: Row) {
        println!("| {} |", row.cells().join(" | "));
        self.put(row);
    }

    fn put(&mut self, row: Row) {
        match self.0.binary_search_by(|other| other.key().cmp(&row.key())) {
            Ok(i) => self.0[i] = row,
            Err(i) => self.0.insert(i, row),
        }
    }

    /// The numbers of threads, from the smallest on.
    pub(crate) fn threads(&self) -> Vec<usize> {
        let mut out: Vec<usize> = self.0.iter().map(|row| row.threads).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Openings and milliseconds of an operation.
    pub(crate) fn curve(&self, operation: &str, threads: usize) -> Vec<(f64, f64)> {
        self.0
            .iter()
            .filter(|row| row.operation == operation && row.threads == threads)
            .map(|row| (row.openings as f64, row.ms))
            .collect()
    }

    pub(crate) fn write(&self, file: &Path) -> Result<(), String> {
        let mut text = format!("{COLUMNS}\n");
        for row in &self.0 {
            text.push_str(&row.cells().join(","));
            text.push('\n');
        }
        std::fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))
    }
}
