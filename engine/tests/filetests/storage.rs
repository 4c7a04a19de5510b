//! Memory of the interpreter: blocks of bytes that know which of them have been written.
//!
//! An address is a block's number and an offset, so that whatever reaches past its block, into a block that was freed or to
//! bytes that nobody wrote is noticed.

/// Offsets count from here, so that an address may lie in front of its block for a while.
const MIDDLE: u64 = 1 << 30;

struct Block {
    bytes: Vec<u8>,
    written: Vec<bool>,
    alive: bool,
    /// Has to be freed before the program ends.
    owned: bool,
}

/// All blocks.
#[derive(Default)]
pub struct Storage {
    blocks: Vec<Block>,
}

impl Storage {
    /// A new block; `owned` ones must be freed.
    pub fn allocate(&mut self, size: u64, zeroed: bool, owned: bool) -> u64 {
        let size = size as usize;
        self.blocks.push(Block { bytes: vec![0; size], written: vec![zeroed; size], alive: true, owned });
        ((self.blocks.len() as u64) << 32) + MIDDLE
    }

    fn find(&mut self, address: u64, size: u64) -> Result<(&mut Block, std::ops::Range<usize>), String> {
        let number = (address >> 32) as usize;
        let offset = (address & 0xffff_ffff).wrapping_sub(MIDDLE);
        let block = number.checked_sub(1).and_then(|n| self.blocks.get_mut(n)).ok_or("no memory at this address")?;
        if !block.alive {
            return Err("memory was freed before".into());
        }
        let inside = offset.checked_add(size).is_some_and(|end| end <= block.bytes.len() as u64);
        if !inside {
            return Err(format!("{size} bytes at {} of {}", offset as i64, block.bytes.len()));
        }
        let start = offset as usize;
        Ok((block, start..start + size as usize))
    }

    /// Bytes, where all of them were written.
    pub fn read(&mut self, address: u64, size: u64) -> Result<Option<u64>, String> {
        let (block, range) = self.find(address, size)?;
        if !block.written[range.clone()].iter().all(|w| *w) {
            return Ok(None);
        }
        Ok(Some(block.bytes[range].iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))))
    }

    /// Writes the low bytes of a word; without a word, the bytes count as never written.
    pub fn write(&mut self, address: u64, size: u64, word: Option<u64>) -> Result<(), String> {
        let (block, range) = self.find(address, size)?;
        for (place, at) in range.enumerate() {
            block.bytes[at] = (word.unwrap_or(0) >> (8 * place)) as u8;
            block.written[at] = word.is_some();
        }
        Ok(())
    }

    /// Copies bytes, written or not.
    pub fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), String> {
        if size == 0 {
            return Ok(());
        }
        let (block, range) = self.find(from, size)?;
        let (bytes, written) = (block.bytes[range.clone()].to_vec(), block.written[range].to_vec());
        let (block, range) = self.find(to, size)?;
        block.bytes[range.clone()].copy_from_slice(&bytes);
        block.written[range].copy_from_slice(&written);
        Ok(())
    }

    /// Fills bytes.
    pub fn fill(&mut self, to: u64, byte: u8, size: u64) -> Result<(), String> {
        (0..size).try_for_each(|i| self.write(to + i, 1, Some(u64::from(byte))))
    }

    /// Ends a block.
    pub fn free(&mut self, address: u64) -> Result<(), String> {
        if address & 0xffff_ffff != MIDDLE {
            return Err("this is not the start of a block".into());
        }
        let (block, _) = self.find(address, 0)?;
        block.alive = false;
        Ok(())
    }

    /// Number of blocks that somebody should have freed.
    pub fn leaks(&self) -> usize {
        self.blocks.iter().filter(|b| b.owned && b.alive).count()
    }
}
