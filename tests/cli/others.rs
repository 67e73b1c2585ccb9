//! `tree-key`, `bench`, `cpu`, and what holds for every command.

use std::process::Stdio;

use serde_json::Value;

use super::{common, file, program, repository, run};

#[test]
fn tree_keys_of_the_vectors() {
    let mut counts = common::Counts::default();
    let path = repository("tests/vectors/verkle-witness/treekeys.json");
    let vectors: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    for case in &vectors {
        let address = common::text(case, "address32");
        let (option, item) = match common::text(case, "kind") {
            "header" => ("--header", case["leaf"].to_string()),
            "code" => ("--code", case["chunk"].to_string()),
            "storage" => {
                let digits = common::text(case, "slot").strip_prefix("0x").unwrap();
                ("--storage", format!("0x{digits:0>64}"))
            }
            // Hashes of any index: the library's own runner.
            _ => continue,
        };
        let key = format!("{}\n", common::text(case, "key"));
        let given = run(&["tree-key", address, option, &item]).holds();
        assert_eq!(given.out(), key, "{case}");
        // 20 bytes are the end of the 32.
        if let Some(short) = address.strip_prefix(&format!("0x{}", "00".repeat(12))) {
            assert_eq!(run(&["tree-key", short, option, &item]).holds().out(), key);
        }
        counts.add(option);
    }
    counts.print("cli tree-key");
    let address = "00".repeat(20);
    let hexadecimal = format!("0x{:0>64}", "10000");
    assert_eq!(
        run(&["tree-key", &address, "--storage", "65536"])
            .holds()
            .out,
        run(&["tree-key", &address, "--storage", &hexadecimal])
            .holds()
            .out
    );
}

#[test]
fn tree_keys_of_malformed_items() {
    let address = "00".repeat(20);
    run(&["tree-key", "0x12", "--header", "0"]).fails(2, &["the address"]);
    run(&["tree-key", &"zz".repeat(20), "--header", "0"]).fails(2, &["the address"]);
    run(&["tree-key", &address, "--storage", "0x1"]).fails(2, &["the slot"]);
    run(&["tree-key", &address, "--storage", "slot"]).fails(2, &["the slot"]);
    run(&["tree-key", &address, "--storage", "+5"]).fails(2, &["the slot"]);
    run(&["tree-key", &address, "--storage", &"9".repeat(40)]).fails(2, &["hexadecimal"]);
    for wrong in [
        &["tree-key", &address][..],
        &["tree-key", &address, "--header", "64"],
        &["tree-key", &address, "--code", "-1"],
        &["tree-key", &address, "--header", "0", "--code", "0"],
    ] {
        assert_eq!(run(wrong).status, 2, "{wrong:?}");
    }
}

#[test]
fn bench_prints_an_object_a_line() {
    let list = ["--openings", "16,32", "--threads", "1,2", "--runs", "1"];
    let run = run(&[&["bench", "--json"][..], &list].concat()).holds();
    let mut lines = run.out().lines();
    for openings in [16, 32] {
        for threads in [1, 2] {
            for op in ["prove", "verify", "verify_bytes"] {
                let line: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
                assert_eq!(line["op"], op);
                assert_eq!(line["openings"], openings);
                assert_eq!(line["threads"], threads);
                assert_eq!(line["backend"], "portable");
                assert!(line["ms"].as_f64().unwrap() > 0.0);
                let peak = &line["peak_bytes"];
                assert!(peak.is_null() || peak.as_u64().unwrap() > 0);
                let of_copies = line["of_copies"].as_f64();
                assert_eq!(of_copies.is_some_and(|part| part > 0.0), threads > 1);
                assert_eq!(line["copies_ms"].is_null(), threads == 1);
            }
        }
    }
    assert_eq!(lines.next(), None);

    let table = super::run(&["bench", "--openings", "3", "--runs", "1"]).holds();
    assert_eq!(table.out().lines().count(), 4);
    assert!(table.out().starts_with("op "), "{table:?}");
}

#[test]
fn bench_refuses_what_it_cannot_run() {
    run(&["bench", "--backend", "abacus"]).fails(2, &["abacus", "portable"]);
    run(&["bench", "--openings", "0"]).fails(2, &["openings"]);
    run(&["bench", "--openings", "16,0"]).fails(2, &["openings"]);
    run(&["bench", "--openings", "99999999999"]).fails(2, &["openings"]);
    run(&["bench", "--threads", "999999999"]).fails(2, &["threads"]);
    run(&["bench", "--openings", "8388608", "--threads", "2"]).fails(2, &["openings"]);
    for wrong in [["--openings", "many"], ["--threads", "-1"], ["--runs", "0"]] {
        assert_eq!(run(&[&["bench"][..], &wrong].concat()).status, 2);
    }
}

#[test]
fn cpu_names_the_backends() {
    let run = run(&["cpu"]).holds();
    assert!(run.out().contains("backend      portable"), "{run:?}");
    assert!(run.out().contains("sha-256      "), "{run:?}");
    assert!(run.out().contains(std::env::consts::ARCH), "{run:?}");
}

#[test]
fn usage() {
    let help = run(&["--help"]).holds();
    let commands = [
        "verify-block",
        "convert",
        "prove",
        "verify",
        "commit",
        "tree-key",
        "bench",
        "cpu",
    ];
    for command in commands {
        assert!(help.out().contains(&format!("  {command} ")), "{command}");
        run(&[command, "--help"]).holds();
        assert_eq!(run(&[command, "--no-such-option"]).status, 2);
    }
    assert!(
        run(&["--version"])
            .holds()
            .out()
            .contains(env!("CARGO_PKG_VERSION"))
    );
    assert_eq!(run(&["juggle"]).status, 2);
    assert_eq!(run::<&str>(&[]).status, 2);
}

/// A reader that goes away (`| head -1`) is nobody's fault.
#[test]
fn closed_pipes_do_not_panic() {
    let block = repository("tests/vectors/block.json");
    for arguments in [
        &["verify-block", &block][..],
        &["convert", &block],
        &["cpu"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = program()
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?} {output:?}");
    }
    // Nobody listens to errors either: the status is there still.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = program()
        .args(["verify-block", "/nowhere/at/all"])
        .stdin(Stdio::null())
        .stderr(writer)
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
}

/// Only a file is replaced: a link goes on leading to it, a pipe or device is written to.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_replaced() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    let block = repository("tests/vectors/block.json");
    let ssz = run(&["convert", &block]).holds().out;
    assert_eq!(run(&["convert", &block, "-"]).holds().out, ssz);
    let (target, link, pipe) = (file("target"), file("link"), file("pipe"));
    for path in [&target, &link, &pipe] {
        let _ = std::fs::remove_file(path);
    }
    std::fs::write(&target, "before").unwrap();
    std::fs::set_permissions(&target, std::fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&target, &link).unwrap();
    run(&["convert".as_ref(), block.as_ref(), link.as_os_str()]).holds();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read(&target).unwrap(), ssz);
    let mode = std::fs::metadata(&target).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read(pipe).unwrap()
    });
    run(&["convert".as_ref(), block.as_ref(), pipe.as_os_str()]).holds();
    assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    assert_eq!(reader.join().unwrap(), ssz);
}
