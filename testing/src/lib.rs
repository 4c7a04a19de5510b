//! Checks of derivatives that know nothing of the rules by which they were made.
