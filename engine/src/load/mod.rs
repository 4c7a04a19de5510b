//! From the program's module to a small module that can be differentiated, and back.
