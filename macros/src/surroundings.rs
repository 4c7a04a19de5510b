//! Whether a function stands in an `impl` or a trait.
//!
//! An attribute sees the function and nothing around it. A function with `self`, or one that says `Self`, is a method; one
//! that does neither may still be associated with a type, and then it is called `Self::f` instead of `f`. The tokens cannot
//! tell, but the source can: this reads just enough of it to know which braces enclose a place.

use proc_macro2::Ident;

/// True where the function of this name is associated with a type, as far as its source shows.
pub fn is_associated(name: &Ident) -> bool {
    if !proc_macro::is_available() {
        return false;
    }
    let span = name.span().unwrap();
    // `fn f`: a free function of a file's outermost level is not indented, and needs no look at the file.
    if span.column() <= "fn f".len() {
        return false;
    }
    let Some(text) = span.local_file().and_then(|file| std::fs::read_to_string(file).ok()) else { return false };
    associated_at(&text, span.line(), span.column())
}

/// What a pair of braces holds.
#[derive(Clone, Copy, PartialEq)]
enum Head {
    /// The items of an `impl` or a trait.
    Associated,
    /// Anything else.
    Other,
}

/// An open bracket.
struct Open {
    brace: bool,
    head: Head,
    /// What the tokens before it began with, where it stands in the middle of something, as in `impl F<{ N }> for G`.
    outer: Option<Head>,
}

/// Words that say what follows, where they come first after `;`, `{` or `}`.
const OTHER_HEADS: [&str; 16] = [
    "fn",
    "mod",
    "struct",
    "enum",
    "union",
    "extern",
    "static",
    "let",
    "match",
    "if",
    "while",
    "for",
    "loop",
    "use",
    "type",
    "macro_rules",
];

/// True where the innermost braces around line and column (both from 1) are those of an `impl` or a trait.
fn associated_at(text: &str, line: usize, column: usize) -> bool {
    let mut stack: Vec<Open> = Vec::new();
    let mut head: Option<Head> = None;
    let mut last = ' ';
    let mut scanner = Scanner { chars: text.chars().collect(), at: 0, line: 1, column: 1 };
    while let Some(token) = scanner.next(line, column) {
        match token {
            Token::Place => break,
            Token::Word(word) => {
                if stack.last().is_none_or(|open| open.brace) && head.is_none() {
                    head = match word.as_str() {
                        "impl" | "trait" => Some(Head::Associated),
                        word if OTHER_HEADS.contains(&word) => Some(Head::Other),
                        _ => None,
                    };
                }
                last = 'w';
            }
            Token::Char(c) => {
                match c {
                    '{' => {
                        let inside = matches!(last, '<' | ',' | '=');
                        let outer = if inside { head } else { None };
                        let kind = if inside { Head::Other } else { head.unwrap_or(Head::Other) };
                        stack.push(Open { brace: true, head: kind, outer });
                        head = None;
                    }
                    '(' | '[' => {
                        stack.push(Open { brace: false, head: Head::Other, outer: head });
                        head = None;
                    }
                    ')' | ']' | '}' => head = stack.pop().and_then(|open| open.outer),
                    ';' if stack.last().is_none_or(|open| open.brace) => head = None,
                    _ => {}
                }
                last = c;
            }
        }
    }
    stack.iter().rev().find(|open| open.brace).is_some_and(|open| open.head == Head::Associated)
}

/// What the scanner tells apart. Comments and literals are skipped.
enum Token {
    Word(String),
    Char(char),
    /// The place that is asked about is reached.
    Place,
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
    line: usize,
    column: usize,
}

impl Scanner {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn bump(&mut self) {
        match self.peek(0) {
            Some('\n') => (self.line, self.column) = (self.line + 1, 1),
            _ => self.column += 1,
        }
        self.at += 1;
    }

    fn skip_while(&mut self, mut more: impl FnMut(&Scanner) -> bool) {
        while self.peek(0).is_some() && more(self) {
            self.bump();
        }
    }

    fn next(&mut self, line: usize, column: usize) -> Option<Token> {
        loop {
            if (self.line, self.column) >= (line, column) {
                return Some(Token::Place);
            }
            let c = self.peek(0)?;
            match c {
                _ if c.is_whitespace() => self.bump(),
                '/' if self.peek(1) == Some('/') => self.skip_while(|s| s.peek(0) != Some('\n')),
                '/' if self.peek(1) == Some('*') => self.block_comment(),
                '"' => self.string(),
                '\'' => self.quote(),
                _ if c == '_' || c.is_alphanumeric() => {
                    let start = self.at;
                    self.skip_while(|s| s.peek(0).is_some_and(|c| c == '_' || c.is_alphanumeric()));
                    let word: String = self.chars[start..self.at].iter().collect();
                    if word.ends_with('r') && word.len() <= 2 && matches!(self.peek(0), Some('#' | '"')) {
                        self.raw_string();
                        continue;
                    }
                    return Some(Token::Word(word));
                }
                _ => {
                    self.bump();
                    return Some(Token::Char(c));
                }
            }
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        while let Some(c) = self.peek(0) {
            match (c, self.peek(1)) {
                ('/', Some('*')) => (depth, self.at, self.column) = (depth + 1, self.at + 2, self.column + 2),
                ('*', Some('/')) => {
                    (depth, self.at, self.column) = (depth - 1, self.at + 2, self.column + 2);
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.bump(),
            }
        }
    }

    fn string(&mut self) {
        self.bump();
        while let Some(c) = self.peek(0) {
            self.bump();
            match c {
                '\\' => self.bump(),
                '"' => return,
                _ => {}
            }
        }
    }

    /// After `r`, `br` or `cr`: a raw string, unless it was a raw identifier.
    fn raw_string(&mut self) {
        let hashes = self.chars[self.at..].iter().take_while(|c| **c == '#').count();
        if self.peek(hashes) != Some('"') {
            return (0..hashes).for_each(|_| self.bump());
        }
        (0..=hashes).for_each(|_| self.bump());
        self.skip_while(|s| s.peek(0) != Some('"') || (1..=hashes).any(|ahead| s.peek(ahead) != Some('#')));
        (0..=hashes).for_each(|_| self.bump());
    }

    /// A character literal, or the start of a lifetime.
    fn quote(&mut self) {
        let literal = self.peek(1) == Some('\\') || self.peek(2) == Some('\'');
        self.bump();
        if literal {
            if self.peek(0) == Some('\\') {
                self.bump();
            }
            self.bump();
            self.skip_while(|s| s.peek(0) != Some('\''));
            self.bump();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::associated_at;

    /// Asks about the place of `HERE`.
    fn associated(text: &str) -> bool {
        let at = text.find("HERE").expect("the text says where");
        let before = &text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        associated_at(text, line, column)
    }

    #[test]
    fn functions_of_impls_and_traits_are_associated() {
        assert!(associated("impl F { fn HERE() {} }"));
        assert!(associated(
            "mod m {\n    unsafe impl<T> F for G<T> where T: H {\n        fn a() { b(); }\n        fn HERE() {}"
        ));
        assert!(associated("pub trait T: U { const C: [u8; 3]; #[a(b)] fn HERE()"));
        assert!(associated("impl F for [u8; 2] { fn HERE()"));
        assert!(associated("impl F<{ N }> for G { fn HERE()"));
        assert!(associated("const A: B = B { c: 1 }; impl F { fn HERE()"));
        assert!(associated("impl F { define!(HERE)"));
    }

    #[test]
    fn other_functions_are_free() {
        assert!(!associated("mod m { fn HERE() {}"));
        assert!(!associated("impl F { fn a() {} } mod tests { fn HERE()"));
        assert!(!associated("impl F { fn a() { fn HERE() } }"));
        assert!(!associated("fn a() -> impl Fn() { fn HERE() }"));
        assert!(!associated("fn a<T>() where T: F { fn HERE() }"));
    }

    #[test]
    fn comments_and_literals_are_skipped() {
        assert!(!associated("// impl F {\n mod m { fn HERE()"));
        assert!(!associated(
            "/* impl /* { */ { */ fn a<'a>(b: &'a str) { '{'; '\\''; \"impl {\\\"\"; r#\"{\"#; } mod m { fn HERE()"
        ));
        assert!(associated("impl F { fn r#type() { b'{'; br\"{\"; } fn HERE()"));
    }
}
