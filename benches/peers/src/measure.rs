//! Times of two sides, turn about, and the table of them.

use std::cell::RefCell;

use rustix::time::{ClockId, clock_gettime};

/// The CPU time of this thread, in nanoseconds: time that another process had does not count.
pub fn thread_time() -> u64 {
    let t = clock_gettime(ClockId::ThreadCPUTime);
    t.tv_sec.unsigned_abs() * 1_000_000_000 + t.tv_nsec.unsigned_abs()
}

/// A piece of work, done once a call.
pub type Work<'a> = &'a mut dyn FnMut();

/// How often a work is repeated in one run, and the fastest run so far.
struct Side<'a> {
    work: Work<'a>,
    repeats: u32,
    least: f64,
}

/// Shorter runs would be lost in the clock's own time.
const RUN_NS: u64 = 100_000;

impl<'a> Side<'a> {
    fn new(work: Work<'a>) -> Self {
        let mut side = Self {
            work,
            repeats: 1,
            least: f64::INFINITY,
        };
        while side.run() < RUN_NS && side.repeats < 1 << 20 {
            side.repeats *= 2;
        }
        side.least = f64::INFINITY;
        side
    }

    fn run(&mut self) -> u64 {
        let start = thread_time();
        for _ in 0..self.repeats {
            (self.work)();
        }
        let time = thread_time() - start;
        self.least = self.least.min(time as f64 / f64::from(self.repeats));
        time
    }
}

/// Short runs of each of `works`, turn about, for `seconds` in all; the fastest of each, in
/// nanoseconds. At least five runs each.
pub fn turn_about<'a, const K: usize>(seconds: f64, works: [Work<'a>; K]) -> [f64; K] {
    let mut sides = works.map(Side::new);
    let end = thread_time() + (seconds * 1e9) as u64;
    let mut rounds = 0;
    while rounds < 5 || thread_time() < end {
        for side in &mut sides {
            side.run();
        }
        rounds += 1;
    }
    sides.map(|side| side.least)
}

/// A table in Markdown, printed line by line, that remembers what was measured.
#[derive(Debug)]
pub struct Table {
    /// Seconds spent on a line.
    pub seconds: f64,
    /// The last section's title.
    section: RefCell<String>,
    /// Section, line, and the times of both sides.
    measured: RefCell<Vec<Measured>>,
}

/// What a line said, in nanoseconds an operation.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The section's title.
    pub section: String,
    /// The line's name.
    pub name: String,
    /// Our time.
    pub ours: f64,
    /// The peer's, where one was measured.
    pub peer: Option<f64>,
}

impl Table {
    /// An empty table; `seconds` are spent on a line.
    pub fn new(seconds: f64) -> Self {
        Self {
            seconds,
            section: RefCell::default(),
            measured: RefCell::default(),
        }
    }

    /// Begins a section whose lines are not printed.
    pub fn silent_section(&self, title: &str) {
        title.clone_into(&mut self.section.borrow_mut());
    }

    /// Remembers a line.
    pub fn record(&self, name: &str, ours: f64, peer: Option<f64>) {
        self.measured.borrow_mut().push(Measured {
            section: self.section.borrow().clone(),
            name: name.to_owned(),
            ours,
            peer,
        });
    }

    /// The line `name` of `section`, if it was measured.
    pub fn measured(&self, section: &str, name: &str) -> Option<Measured> {
        let all = self.measured.borrow();
        all.iter()
            .find(|m| m.section == section && m.name == name)
            .cloned()
    }

    /// The head of a part of the table.
    pub fn section(&self, title: &str, peer: &str) {
        self.silent_section(title);
        println!("\n| {title} | ours | {peer} | ours / {peer} |\n|---|---:|---:|---:|");
    }

    /// A line: `count` is the number of operations in one call of either work.
    pub fn compare(&self, name: &str, count: usize, ours: Work<'_>, peer: Work<'_>) -> f64 {
        let [ours, peer] = turn_about(self.seconds, [ours, peer]);
        let count = count as f64;
        self.line(name, ours / count, peer / count);
        peer / count
    }

    /// A line of two times in nanoseconds.
    pub fn line(&self, name: &str, ours: f64, peer: f64) {
        self.record(name, ours, Some(peer));
        println!(
            "| {name} | {} | {} | {:.3} |",
            time(ours),
            time(peer),
            ours / peer
        );
    }
}

/// Three digits or so, with the unit.
pub fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns < 1e3 => (ns, "ns"),
        ns if ns < 1e6 => (ns / 1e3, "µs"),
        ns => (ns / 1e6, "ms"),
    };
    let digits = match value {
        v if v < 10.0 => 2,
        v if v < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// Takes a result of no further use, whose computing must not be left out.
pub fn keep<T>(value: T) {
    let _ = core::hint::black_box(value);
}
