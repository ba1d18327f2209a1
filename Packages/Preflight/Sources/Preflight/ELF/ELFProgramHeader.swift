/// One program header, as it is in the file (elf(5), "Program header").
struct ELFProgramHeader: BitwiseCopyable, Sendable {
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

    private let (type, flags): (UInt32, UInt32)
    let (offset, address): (UInt64, UInt64)
    private let physicalAddress: UInt64
    let (fileSize, memorySize, alignment): (UInt64, UInt64, UInt64)

    /// The kind; `nil` for one that no loader uses.
    var kind: Kind? { Kind(rawValue: type) }
    var isExecutable: Bool { flags & 1 != 0 }
    var isWritable: Bool { flags & 2 != 0 }

    /// The end address in memory.
    var end: UInt64 {
        let (end, isOver) = address.addingReportingOverflow(memorySize)
        return isOver ? .max : end
    }

    /// The alignment of the notes in a segment with notes.
    var noteAlignment: Int { alignment == 8 ? 8 : 4 }

    /// Returns whether a range of memory is inside the segment.
    func holds(_ start: UInt64, _ count: UInt64) -> Bool {
        start >= address && start <= end && count <= end - start
    }
}
