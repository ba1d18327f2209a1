import PluginCore

/// The segments of a library: the parts of the file and their addresses in memory (elf(5), "Program header").
struct ELFSegments: Sendable {
    /// The maximum number of program headers; linkers write about a dozen.
    private static let limit = 64
    /// The maximum size in memory, in bytes.
    static let memoryLimit: UInt64 = 1 << 32
    /// The maximum size of notes, in bytes.
    private static let noteLimit: UInt64 = 1 << 16

    private let file: ByteView
    /// All program headers.
    let headers: [ELFProgramHeader]
    /// The loaded segments, sorted by address.
    let loads: [ELFProgramHeader]
    /// The dynamic section; `nil` for a statically linked file.
    private(set) var dynamic: ByteView?
    /// The ranges with notes, and the alignment of the notes in each.
    private(set) var notes: [(content: ByteView, alignment: Int)]

    /// Checks that all segments are in the file.
    init(_ headers: [ELFProgramHeader], of file: ByteView) throws(ELFFlaw) {
        (self.file, self.headers) = (file, headers)
        try ELFFlaw.check(headers.count, atMost: Self.limit, "elfTooManyProgramHeaders")
        var loads: [ELFProgramHeader] = []
        for (number, header) in headers.enumerated() where header.kind == .load {
            _ = try ELFFlaw.require(file.part(header.offset, header.fileSize), "elfSegment", number: number)
            guard header.end < .max, header.fileSize <= header.memorySize, header.address >= loads.last?.end ?? 0 else {
                throw .malformed(ErrorReason("elfSegmentInconsistent", ["number": .integer(number)]))
            }
            loads.append(header)
        }
        try ELFFlaw.check(!loads.isEmpty, "elfNoSegment")
        self.loads = loads
        (notes, dynamic) = ([], nil)
        dynamic = try headers.last { $0.kind == .dynamic }.map { header throws(ELFFlaw) in
            try content(of: header, "elfDynamicSection")
        }
        notes = try headers.filter { $0.kind == .note }.map { header throws(ELFFlaw) in
            (try content(of: header, "elfNotes"), header.noteAlignment)
        }
    }

    /// Returns the content of a segment, which must be the same by its address and by its file offset.
    ///
    /// The loader uses the address, and other tools use the offset.
    func content(of header: ELFProgramHeader, _ part: String) throws(ELFFlaw) -> ByteView {
        if header.kind == .note || header.kind == .property, header.fileSize > Self.noteLimit {
            let values: [String: ErrorReason.Value] = ["size": "\(header.fileSize)", "limit": "\(Self.noteLimit)"]
            throw .excessive(
                ErrorReason("elfPartTooLarge", values.merging(["part": .reason(ErrorReason(part))]) { $1 }))
        }
        let file = try ELFFlaw.require(file.part(header.offset, header.fileSize), part)
        let view = try mapped(at: header.address, count: header.fileSize, part)
        try ELFFlaw.check(view.offset == file.offset, "elfPartElsewhere", in: part)
        return view
    }

    /// Returns the bytes from an address to the end of its segment in the file.
    func mapped(at address: UInt64, _ part: String) throws(ELFFlaw) -> ByteView {
        guard let load = loads.last(where: { $0.address <= address }), address - load.address < load.fileSize else {
            throw .malformed("elfPartUnmapped", in: part)
        }
        let skip = address - load.address
        return try ELFFlaw.require(file.part(load.offset + skip, load.fileSize - skip), part)
    }

    /// Returns the segment that contains a range of memory, including memory beyond the file's bytes.
    func load(at address: UInt64, count: UInt64) -> ELFProgramHeader? {
        loads.last { $0.holds(address, count) }
    }

    /// Returns a number of bytes at an address.
    func mapped(at address: UInt64, count: UInt64, _ part: String) throws(ELFFlaw) -> ByteView {
        guard let view = try mapped(at: address, part).part(0, count) else {
            throw .malformed("elfPartUnmapped", in: part)
        }
        return view
    }
}

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
