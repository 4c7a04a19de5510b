//! The book's contents against its pages.
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn the_contents_of_the_book_are_its_pages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a page");
    let summary = read("SUMMARY.md");
    let listed: Vec<(&str, &str)> =
        summary.lines().filter_map(|line| line.strip_prefix("- [")?.strip_suffix(')')?.split_once("](")).collect();
    for (title, page) in &listed {
        assert_eq!(read(page).lines().next(), Some(format!("# {title}").as_str()), "{page}");
    }
    let listed: BTreeSet<String> = listed.iter().map(|(_, page)| (*page).to_owned()).collect();
    let names = std::fs::read_dir(&folder).expect("the book").map(|entry| entry.expect("a page").file_name());
    let pages = names.map(|name| name.to_string_lossy().into_owned());
    let pages: BTreeSet<String> = pages.filter(|name| name.ends_with(".md") && name != "SUMMARY.md").collect();
    assert_eq!(listed, pages);
}

#[test]
fn links_between_pages_lead_somewhere() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    for entry in std::fs::read_dir(&folder).expect("the book") {
        let path = entry.expect("a page").path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a page");
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            let is_page = link.ends_with(".md") && !link.contains("://");
            assert!(!is_page || folder.join(link).exists(), "{}: {link}", path.display());
        }
    }
}
