//! The README and the help: their shell blocks are run, and their pictures are drawn again.

#![expect(clippy::unwrap_used, reason = "a story that goes wrong fails at once")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[path = "support/limit.rs"]
#[expect(dead_code, reason = "nothing is looked for again and again")]
mod limit;

/// Lines that need a compiler or a terminal, or that take their time.
const NOT_HERE: [&str; 4] = ["cargo ", "willcall demo", "willcall bench", "willcall desk"];

/// Before the command that draws a picture.
const PICTURE: &str = "<!-- willcall picture ";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The README and the topics of the help.
fn pages() -> Vec<PathBuf> {
    let topics = fs::read_dir(root().join("assets/help")).unwrap();
    let mut pages: Vec<PathBuf> = topics.map(|topic| topic.unwrap().path()).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// Runs a shell with this build's program first in its path, on a machine of its own.
fn shell(script: &str, home: &Path) -> Output {
    limit::step();
    let program = Path::new(env!("CARGO_BIN_EXE_willcall"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-eu", "-c", script])
        .current_dir(home)
        .env_clear()
        .envs([("PATH", path.as_str()), ("USER", "ada"), ("TZ", "Europe/Dublin")])
        .envs([("HOME", home), ("TMPDIR", home)])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}\nof\n{script}");
    output
}

/// The shell blocks of a page, comments cut off, without the lines that cannot be run here. What needs a server or an id
/// of the reader's own stands in blocks of another kind.
fn blocks(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let mut blocks = Vec::new();
    for part in text.split("```sh\n").skip(1) {
        let block = part.split("```").next().unwrap();
        let lines = block.lines().map(|line| line.split("  #").next().unwrap().trim_end());
        let here = lines.filter(|line| {
            let elsewhere = NOT_HERE.iter().any(|word| line.contains(word));
            !elsewhere && line.trim() != "willcall"
        });
        let block = here.collect::<Vec<_>>().join("\n");
        if block.contains("willcall") {
            blocks.push(block);
        }
    }
    blocks
}

#[test]
fn what_the_readme_and_the_help_say_to_paste_works() {
    let mut run = 0;
    for page in pages() {
        let home = tempfile::tempdir().unwrap();
        for block in blocks(&page) {
            shell(&block, home.path());
            run += 1;
        }
    }
    assert!(run >= 8, "there are blocks to paste");
}

/// A picture without the random ids of its carts.
fn without_ids(svg: &str) -> String {
    let mut parts = svg.split("art ");
    let mut text = parts.next().unwrap().to_owned();
    for part in parts {
        text.push_str(part.trim_start_matches(|letter: char| letter.is_ascii_hexdigit()));
    }
    text
}

/// `UPDATE_PICTURES=1` writes them anew.
#[test]
fn the_pictures_of_the_readme_are_what_the_program_draws() {
    let home = tempfile::tempdir().unwrap();
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let mut drawn = 0;
    for part in readme.split(PICTURE).skip(1) {
        let (command, rest) = part.split_once(" -->").unwrap();
        let (_, file) = rest.split_once("](").unwrap();
        let (file, _) = file.split_once(')').unwrap();
        let new = home.path().join("picture.svg");
        let line = match command.strip_prefix(&format!("--animate {file} ")) {
            Some(rest) => format!("--animate picture.svg {rest}"),
            None => format!("{command} --to picture.svg"),
        };
        shell(&format!("willcall picture {line} --force"), home.path());
        let kept = root().join(file);
        if std::env::var_os("UPDATE_PICTURES").is_some() {
            fs::copy(&new, &kept).unwrap();
        }
        let [new, kept] = [new, kept].map(|path| fs::read_to_string(path).unwrap());
        assert!(
            without_ids(&new) == without_ids(&kept),
            "{file} is not what the program draws; UPDATE_PICTURES=1 draws it anew"
        );
        drawn += 1;
    }
    assert_eq!(drawn, 4);
}
