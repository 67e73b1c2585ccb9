//! Faults that are seen in the source and its manifests: K38 to K41, K57; and that `known_faults.md`
//! beside this file, which says which test is for which fault, names tests that exist.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

/// A file of the repository.
fn source(path: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn exists(path: &str) -> bool {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join(path).exists()
}

/// The lines of a manifest's table, without comments.
fn table<'m>(manifest: &'m str, name: &str) -> Vec<&'m str> {
    let heading = format!("[{name}]");
    manifest
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != heading)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

#[test]
fn k38_k39_nothing_asks_the_compiler_for_a_feature_of_the_builders_cpu() {
    // No build script looks at the machine that builds, and no flag names a CPU: what is
    // built runs on every CPU of its architecture, and faster forms are chosen when it runs
    // (SHA-256's by sha2, which asks the CPU).
    for path in ["Cargo.toml", "arch/Cargo.toml", ".cargo/config.toml"] {
        let text = source(path);
        for flag in ["target-cpu", "target-feature", "rustflags", "build ="] {
            let uses = |line: &&str| !line.trim_start().starts_with('#') && line.contains(flag);
            assert_eq!(text.lines().find(uses), None, "{path}");
        }
    }
    for path in ["build.rs", "arch/build.rs"] {
        assert!(!exists(path), "{path}");
    }
}

/// The command line's own dependencies, which are programs' libraries.
const OF_THE_COMMAND: [&str; 2] = ["clap", "indicatif"];

#[test]
fn k40_no_native_library_is_linked() {
    for path in ["Cargo.toml", "arch/Cargo.toml"] {
        let package = source(path);
        let links = |line: &&str| line.starts_with("links") || line.starts_with("build");
        assert_eq!(table(&package, "package").iter().find(|l| links(l)), None);
    }
    // Nor does anything that the library stands on build C or bind to it. (What the tests and
    // benches stand on may: no user builds that.)
    let manifest = source("Cargo.toml");
    let mut wanted: Vec<String> = table(&manifest, "dependencies")
        .iter()
        .map(|line| line.split([' ', '=']).next().unwrap().to_owned())
        .filter(|name| !OF_THE_COMMAND.contains(&name.as_str()))
        .collect();
    let lock = source("Cargo.lock");
    let mut seen = Vec::new();
    while let Some(name) = wanted.pop() {
        if seen.contains(&name) {
            continue;
        }
        for of_c in ["cc", "cmake", "bindgen", "pkg-config", "nasm-rs"] {
            assert_ne!(name, of_c);
        }
        assert!(!name.ends_with("-sys"), "{name}");
        let entry = format!("name = \"{name}\"\n");
        for package in lock
            .split("[[package]]")
            .filter(|package| package.contains(&entry))
        {
            let list = package
                .split_once("dependencies = [")
                .map_or("", |(_, list)| list);
            let names = list.split('"').skip(1).step_by(2);
            wanted.extend(names.map(|name| name.split(' ').next().unwrap().to_owned()));
        }
        seen.push(name);
    }
    assert!(seen.len() > 15, "{seen:?}");
}

#[test]
fn k41_no_dependency_brings_std_along() {
    let manifest = source("Cargo.toml");
    let dependencies = table(&manifest, "dependencies");
    assert!(dependencies.len() > 5);
    for line in dependencies {
        let name = line.split([' ', '=']).next().unwrap();
        if OF_THE_COMMAND.contains(&name) || line.contains("path = \"arch\"") {
            assert!(name == "lightproof-arch" || line.contains("optional = true"));
            continue;
        }
        assert!(line.contains("default-features = false"), "{line}");
        assert!(!line.contains("\"std\""), "{line}");
    }
    assert!(table(&source("arch/Cargo.toml"), "dependencies").is_empty());
    // `std` is a feature that is declared, and only it and `cli` turn it on.
    for line in table(&manifest, "features") {
        let (name, list) = line.split_once('=').unwrap();
        if !["default", "std", "cli"].contains(&name.trim()) {
            assert!(
                !list.contains("\"std\"") && !list.contains("/default"),
                "{line}"
            );
            assert!(!list.contains("/std"), "{line}");
        }
    }
    for path in ["src/lib.rs", "arch/src/lib.rs"] {
        assert!(source(path).contains("#![no_std]"), "{path}");
    }
}

#[test]
fn k57_field_arithmetic_branches_on_public_constants_only() {
    // What compilers make of it is for the disassembly; that there is nothing to make a
    // branch of in the source is checked here. The exponent of a power is public, and so is
    // what functions named so are given: fields say that of themselves (`PUBLIC`).
    const CONSTANT: [&str; 12] = [
        "M::NO_CARRY",
        "M::SPARE_BIT",
        "M::NEAR_HALF",
        "M::PUBLIC",
        "N <= 4",
        "k < N",
        "i - from < W",
        "shift == 0",
        "i < N",
        "i < 2 * N",
        "i + 1 < N",
        "(e[i / 64] >> (i % 64)) & 1 == 1",
    ];
    for path in ["montgomery.rs", "wide.rs"] {
        let text = source(&format!("arch/src/portable/{path}"));
        let code = text.split("#[cfg(test)]").next().unwrap();
        let mut public = false;
        for line in code.lines().map(str::trim) {
            if let Some((_, name)) = line.split_once("fn ") {
                let name = name.split(['<', '(']).next().unwrap();
                public = name.ends_with("_public") || name.ends_with("_vartime");
            }
            if public || line.starts_with("//") {
                continue;
            }
            for branch in line.split("if ").skip(1) {
                let condition = branch.split('{').next().unwrap().trim();
                assert!(CONSTANT.contains(&condition), "{path}: if {condition}");
            }
            for word in ["match ", "&&", "||", "while let", "?;"] {
                assert!(!line.contains(word), "{path}: {line}");
            }
        }
    }
    // Only fields of values that no protocol here keeps secret.
    for field in ["ed25519_base", "ed25519_scalar", "helioselene"] {
        let text = source(&format!("src/field/{field}.rs"));
        assert!(!text.contains("const PUBLIC: bool = true"), "{field}");
    }
}

#[test]
fn the_list_of_known_faults_names_tests_that_exist() {
    let list = source("tests/known_faults.md");
    let mut names = 0;
    for row in list.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.split('|').collect();
        let (tests, files) = (cells[3], cells[4]);
        let quoted = |cell: &str| -> Vec<String> {
            let parts = cell.split('`').skip(1).step_by(2);
            parts.map(str::to_owned).collect()
        };
        let texts: Vec<String> = quoted(files)
            .iter()
            .map(|file| match file.split_once('/') {
                Some(_) => source(file),
                None => source(&format!("tests/{file}")),
            })
            .collect();
        for name in quoted(tests) {
            // Some are made by a macro that is given their names.
            let named = |text: &String| text.contains(&name);
            assert!(texts.iter().any(named), "{name} is in none of {files}");
            names += 1;
        }
    }
    assert!(names > 50, "{names}");
}
