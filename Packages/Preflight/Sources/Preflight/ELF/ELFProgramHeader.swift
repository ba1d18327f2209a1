import PluginCore

/// One program header (elf(5), "Program header").
struct ELFProgramHeader: Sendable {
    enum Kind: UInt32 {
        case load = 1
        case dynamic = 2
        case note = 4
        case table = 6
        case threads = 7
        case unwinding = 0x6474_E550
        case stack = 0x6474_E551
        case readOnly = 0x6474_E552
        case property = 0x6474_E553
    }

    /// The kind; `nil` for one that no loader uses.
    let kind: Kind?
    let isExecutable: Bool
    let isWritable: Bool
    let offset: UInt64
    let address: UInt64
    let fileSize: UInt64
    let memorySize: UInt64
    let alignment: UInt64
    /// The end address in memory.
    let end: UInt64

    /// Reads the header at an offset of the table.
    init(_ table: ByteView, at start: Int) throws(ELFFlaw) {
        guard let type: UInt32 = table.integer(at: start), let flags: UInt32 = table.integer(at: start + 4),
            let offset: UInt64 = table.integer(at: start + 8), let address: UInt64 = table.integer(at: start + 16),
            let fileSize: UInt64 = table.integer(at: start + 32), let memory: UInt64 = table.integer(at: start + 40),
            let alignment: UInt64 = table.integer(at: start + 48)
        else { throw .truncated(ErrorReason("elfProgramHeaders")) }
        kind = Kind(rawValue: type)
        (isExecutable, isWritable) = (flags & 1 != 0, flags & 2 != 0)
        (self.offset, self.address, self.fileSize, memorySize) = (offset, address, fileSize, memory)
        self.alignment = alignment
        let (end, isOver) = address.addingReportingOverflow(memory)
        self.end = isOver ? .max : end
    }

    /// Returns whether a range of memory is inside the segment.
    func holds(_ start: UInt64, _ count: UInt64) -> Bool {
        start >= address && start <= end && count <= end - start
    }
}
