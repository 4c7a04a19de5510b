//! What the attributes say about mistakes: `macro/*.rs` must fail to compile with the messages of `macro/*.stderr`.
//! `TRYBUILD=overwrite` records new messages.

#[test]
fn mistakes_are_reported_at_their_tokens() {
    trybuild::TestCases::new().compile_fail("tests/macro/*.rs");
}
