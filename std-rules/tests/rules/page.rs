//! The documentation of the rules, from the rules.
use std::path::Path;

#[test]
fn the_table_in_the_documentation_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    let wanted = cotangent_std_rules::table::markdown();
    if std::env::var_os("COTANGENT_BLESS").is_some() {
        std::fs::write(&path, &wanted).expect("docs/rules.md can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "docs/rules.md is not what the rules say: run with COTANGENT_BLESS=1 to rewrite it");
}

#[test]
fn every_rule_has_a_name_of_its_own_and_somewhere_to_apply() {
    let registry = cotangent_std_rules::registry();
    let mut names: Vec<&str> = registry.rules().iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), registry.rules().len());
    for rule in registry.rules() {
        assert!(!rule.matches.is_empty(), "{}", rule.name);
        assert_eq!(rule.domain.len(), rule.arity(), "{}", rule.name);
        assert_eq!(rule.partials.len(), rule.arity(), "{}", rule.name);
    }
}

/// No name belongs to two rules: the second would never apply.
#[test]
fn no_name_belongs_to_two_rules() {
    let mut seen = std::collections::HashMap::new();
    let registry = cotangent_std_rules::registry();
    for rule in registry.rules() {
        for pattern in &rule.matches {
            if let Some(other) = seen.insert(*pattern, rule.name) {
                panic!("{pattern:?} belongs to `{other}` and to `{}`", rule.name);
            }
        }
    }
}
