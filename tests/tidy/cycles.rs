//! Import cycles: files that name one another, directly or by way of others.
//!
//! A name that a module passes on by `pub use` counts as of the file that declares it.

use std::collections::{BTreeMap, BTreeSet};

use super::{code, fail_on, sources};

/// Most files of one cycle: of the screens, and of the rest.
const FILES_MAX: [usize; 2] = [2, 3];

/// Module as the segments of its path.
type Module = Vec<String>;

struct House {
    texts: BTreeMap<Module, String>,
    /// Names that a module passes on, with the paths they stand for.
    passed_on: BTreeMap<(Module, String), Module>,
}

fn segments(path: &str) -> Module {
    path.split("::").map(|part| part.trim().to_owned()).collect()
}

/// Paths of a tree as in `a::{b, c::{d, e}}`.
fn paths(tree: &str) -> Vec<String> {
    let (mut found, mut before, mut path) = (Vec::new(), Vec::new(), String::new());
    for letter in tree.chars().chain([',']) {
        match letter {
            '{' => before.push(std::mem::take(&mut path).trim().to_owned()),
            ',' | '}' => {
                let name = path.split(" as ").next().unwrap_or_default().trim();
                if !name.is_empty() {
                    found.push(format!("{}{name}", before.concat()));
                }
                path.clear();
                if letter == '}' {
                    before.pop();
                }
            }
            _ => path.push(letter),
        }
    }
    let whole = |path: &String| path.trim_end_matches("::self").to_owned();
    found.iter().map(whole).collect()
}

/// Statements of imports, as trees with whether they are public, and the rest of the text.
fn imports(text: &str) -> (Vec<(bool, String)>, String) {
    let (mut trees, mut rest, mut open) = (Vec::new(), String::new(), None::<(bool, String)>);
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        let public = line.starts_with("pub") && line.contains(" use ");
        if open.is_none() && (line.starts_with("use ") || public) {
            let tree = line.split_once("use ").map_or("", |(_, tree)| tree);
            open = Some((public, tree.to_owned()));
        } else if let Some((_, tree)) = &mut open {
            tree.push_str(line);
        } else {
            rest.push_str(line);
            rest.push('\n');
        }
        if line.ends_with(';')
            && let Some((public, tree)) = open.take()
        {
            trees.push((public, tree.trim_end_matches(';').to_owned()));
        }
    }
    (trees, rest)
}

impl House {
    fn read() -> Self {
        let mut house = Self { texts: BTreeMap::new(), passed_on: BTreeMap::new() };
        for (path, text) in sources("src") {
            let path = path.with_extension("");
            let parts = path.iter().map(|part| part.to_string_lossy().into_owned());
            let mut module: Module = parts.skip_while(|part| part != "src").skip(1).collect();
            if module.iter().any(|part| part.starts_with("test")) || module == ["main"] {
                continue;
            }
            module.retain(|part| part != "lib");
            house.texts.insert(module, code(&text).to_owned());
        }
        for (module, text) in &house.texts {
            for (_, tree) in imports(text).0.iter().filter(|(public, _)| *public) {
                for path in paths(tree) {
                    if let Some(found) = house.absolute(module, &path)
                        && let Some(name) = found.last()
                    {
                        let name = (module.clone(), name.clone());
                        house.passed_on.insert(name, found);
                    }
                }
            }
        }
        let ops: Module = segments("engine::ops");
        for (operation, exported) in super::operations() {
            for name in exported {
                let file = [ops.clone(), vec![operation.clone(), name.clone()]].concat();
                house.passed_on.insert((ops.clone(), name), file);
            }
        }
        house
    }

    /// Path from the root of the crate; `None` for another crate's.
    fn absolute(&self, module: &Module, path: &str) -> Option<Module> {
        let mut parts = segments(path);
        let mut from = module.clone();
        match parts.first().map(String::as_str) {
            Some("crate") => from.clear(),
            Some("super") => {
                while parts.get(1).is_some_and(|part| part == "super") {
                    from.pop();
                    parts.remove(0);
                }
                from.pop();
            }
            Some("self") => {}
            Some(first) => {
                from.push(first.to_owned());
                self.texts.get(&from)?;
            }
            None => return None,
        }
        from.extend(parts.into_iter().skip(1));
        Some(from).filter(|path| !path.iter().any(|part| part.starts_with("test")))
    }

    /// File that declares a path.
    fn declares(&self, path: &[String], depth: usize) -> Option<Module> {
        let length =
            (1..=path.len()).rev().find(|length| self.texts.contains_key(path.get(..*length).unwrap_or_default()))?;
        let (module, rest) = path.split_at(length);
        let name = rest.first().map(|name| (module.to_vec(), name.clone()));
        match name.and_then(|name| self.passed_on.get(&name)) {
            Some(other) if depth < 8 && other != path => self.declares(other, depth + 1),
            _ => Some(module.to_vec()),
        }
    }

    fn named_by(&self, module: &Module) -> BTreeSet<Module> {
        let text = self.texts.get(module).map_or("", String::as_str);
        let (trees, rest) = imports(text);
        let private = trees.iter().filter(|(public, _)| !public);
        let mut named: Vec<String> = private.flat_map(|(_, tree)| paths(tree)).collect();
        for start in ["crate::", "super::"] {
            for (place, _) in rest.match_indices(start) {
                let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
                let before = rest.get(..place).unwrap_or_default();
                if before.ends_with(is_word) || before.ends_with("pub(in ") {
                    continue;
                }
                let path = rest.get(place..).unwrap_or_default();
                let end = path.find(|letter| !is_word(letter)).unwrap_or(path.len());
                named.push(path.get(..end).unwrap_or_default().trim_end_matches(':').to_owned());
            }
        }
        let found = named.iter().filter_map(|path| self.declares(&self.absolute(module, path)?, 0));
        found.filter(|other| other != module).collect()
    }
}

#[test]
fn an_import_cycle_has_few_files_and_says_why() {
    let house = House::read();
    let named: BTreeMap<&Module, BTreeSet<Module>> =
        house.texts.keys().map(|module| (module, house.named_by(module))).collect();
    let reached = |from: &Module| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = open.pop() {
            for other in named.get(&module).into_iter().flatten() {
                if seen.insert(other.clone()) {
                    open.push(other.clone());
                }
            }
        }
        seen
    };
    let reach: BTreeMap<&Module, BTreeSet<Module>> =
        house.texts.keys().map(|module| (module, reached(module))).collect();
    let mut cycles: BTreeSet<Vec<&Module>> = BTreeSet::new();
    for (module, others) in reach.iter().filter(|(module, others)| others.contains(**module)) {
        let back =
            |other: &&&Module| others.contains(**other) && reach.get(**other).is_some_and(|all| all.contains(*module));
        cycles.insert(house.texts.keys().collect::<Vec<_>>().iter().filter(back).copied().collect());
    }
    let mut broken = Vec::new();
    for cycle in cycles {
        let files: Vec<String> = cycle.iter().map(|module| module.join("::")).collect();
        let head = |module: &&&Module| {
            let text = house.texts.get(**module).map_or("", String::as_str);
            let mut head = text.lines().take_while(|line| line.starts_with("//!"));
            head.any(|line| line.contains("mport cycle"))
        };
        let [of_screens, most] = FILES_MAX;
        let most = if files.iter().any(|file| file.starts_with("tui")) { of_screens } else { most };
        if cycle.len() > most {
            broken.push(format!("{} files in an import cycle: {}", files.len(), files.join(", ")));
        } else if !cycle.iter().any(|module| head(&module)) {
            broken.push(format!("no head says why: {}", files.join(", ")));
        }
    }
    fail_on(&broken);
}
