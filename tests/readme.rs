//! What the README tells people to paste, pasted: block after block on a machine of its own, in shells that stop at
//! the first command that fails.

#![expect(clippy::unwrap_used, reason = "a story that goes wrong fails at once")]

use std::path::Path;
use std::process::Command;

/// Lines that need a compiler or a terminal, or that take their time.
const NOT_HERE: [&str; 4] = ["cargo ", "willcall demo", "willcall bench", "willcall desk"];

/// The shell blocks of the README, comments cut off, without the lines that cannot be run here. What needs a server or
/// an id of the reader's own stands in blocks of another kind.
fn blocks() -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"));
    let text = text.unwrap();
    let mut blocks = Vec::new();
    for part in text.split("```sh\n").skip(1) {
        let block = part.split("```").next().unwrap();
        let mut lines = Vec::new();
        for line in block.lines() {
            let line = line.split("  #").next().unwrap().trim_end();
            let elsewhere = NOT_HERE.iter().any(|word| line.contains(word));
            if !elsewhere && line.trim() != "willcall" {
                lines.push(line);
            }
        }
        if lines.iter().any(|line| line.contains("willcall")) {
            blocks.push(lines.join("\n"));
        }
    }
    blocks
}

#[test]
fn what_the_readme_says_to_paste_works() {
    let blocks = blocks();
    assert!(blocks.len() >= 2, "the README has examples: {blocks:?}");
    let program = Path::new(env!("CARGO_BIN_EXE_willcall"));
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let home = tempfile::tempdir().unwrap();
    for block in blocks {
        let output = Command::new("sh")
            .args(["-eu", "-c", &block])
            .current_dir(home.path())
            .env_clear()
            .envs([("PATH", path.as_str()), ("USER", "ada")])
            .envs([("HOME", home.path()), ("TMPDIR", home.path())])
            .output()
            .unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}\nof\n{block}");
    }
}
