//! Bodies of functions of other crates, out of the bitcode that libraries keep beside their machine code.
use cargo_cotangent::link::natives::{Index, embedded_bitcode};
use cotangent_engine::Bodies;
use cotangent_engine::llvm::{Context, Function, Module};
use std::collections::HashMap;
use std::path::PathBuf;

/// Bodies in libraries. A library's index is read when the first body is asked for, a member when it first has one.
pub struct Libraries {
    context: Context,
    files: Vec<PathBuf>,
    index: Option<Index>,
    modules: HashMap<(PathBuf, u64), Option<Module>>,
}

impl Libraries {
    /// The bodies in those of the files that are libraries.
    pub fn new(context: Context, files: Vec<PathBuf>) -> Libraries {
        Libraries { context, files, index: None, modules: HashMap::new() }
    }
}

impl Bodies for Libraries {
    fn find(&mut self, symbol: &str) -> Option<Function> {
        let index = self.index.get_or_insert_with(|| Index::new(&self.files));
        let (library, offset) = index.find(symbol)?;
        let context = self.context;
        let module = *self.modules.entry((library.to_owned(), offset)).or_insert_with(|| {
            let bitcode = embedded_bitcode(library, offset)?;
            context.parse_bitcode_lazily(&bitcode, &library.to_string_lossy()).ok()
        });
        module?.function(symbol).filter(|function| !function.is_declaration())
    }
}
