/// What of a file is mapped where (elf(5), "Program header").
struct ELFSegments: Sendable {
    static let entrySize = 56
    /// More of them are no library's: linkers write a dozen.
    static let limit = 64
    /// More memory, in bytes, is no library's, and few systems give it.
    static let memoryLimit: UInt64 = 1 << 32
    /// Longer notes, in bytes, are no tool's.
    static let noteLimit: UInt64 = 1 << 16

    private let file: ByteView
    /// All that a loader looks at.
    let headers: [ELFProgramHeader]
    /// The stretches of the file that are mapped, by address.
    let loads: [ELFProgramHeader]
    /// The dynamic section; `nil` for what was linked statically.
    private(set) var dynamic: ByteView?
    /// The stretches with notes, and to what each note is aligned there.
    private(set) var notes: [(content: ByteView, alignment: Int)]

    /// Reads the table, and checks that all that it names is in the file.
    init(_ table: ByteView, of file: ByteView) throws(ELFFlaw) {
        self.file = file
        guard table.count / Self.entrySize <= Self.limit else {
            throw .excessive("it has \(table.count / Self.entrySize) program headers, \(Self.limit) allowed")
        }
        let starts = stride(from: 0, to: table.count, by: Self.entrySize)
        headers = try starts.map { start throws(ELFFlaw) in try ELFProgramHeader(table, at: start) }
        var loads: [ELFProgramHeader] = []
        for (number, header) in headers.enumerated() where header.kind == .load {
            _ = try ELFFlaw.require(file.part(header.offset, header.fileSize), "its segment \(number)")
            guard header.end < .max, header.fileSize <= header.memorySize, header.address >= loads.last?.end ?? 0 else {
                throw .malformed("its segment \(number) contradicts itself or the one before")
            }
            loads.append(header)
        }
        guard !loads.isEmpty else { throw .malformed("nothing of it is loaded into memory") }
        self.loads = loads
        (notes, dynamic) = ([], nil)
        dynamic = try headers.last { $0.kind == .dynamic }.map { header throws(ELFFlaw) in
            try content(of: header, "its dynamic section")
        }
        notes = try headers.filter { $0.kind == .note }.map { header throws(ELFFlaw) in
            (try content(of: header, "its notes"), header.alignment == 8 ? 8 : 4)
        }
    }

    /// What a header speaks of: the loader goes by the address and others by the offset, and both must find the same.
    func content(of header: ELFProgramHeader, _ name: String) throws(ELFFlaw) -> ByteView {
        if header.kind == .note || header.kind == .property, header.fileSize > Self.noteLimit {
            throw .excessive("\(name) have \(header.fileSize) bytes, \(Self.noteLimit) allowed")
        }
        let file = try ELFFlaw.require(file.part(header.offset, header.fileSize), name)
        let view = try mapped(at: header.address, count: header.fileSize, name)
        guard view.offset == file.offset else { throw .malformed("\(name) is elsewhere in memory than in the file") }
        return view
    }

    /// What is mapped at an address, as far as the file reaches in its segment.
    func mapped(at address: UInt64, _ name: String) throws(ELFFlaw) -> ByteView {
        guard let load = last(before: address), address - load.address < load.fileSize else {
            throw .malformed("\(name) is not in any of its segments")
        }
        let skip = address - load.address
        return try ELFFlaw.require(file.part(load.offset + skip, load.fileSize - skip), name)
    }

    /// The segment that a stretch of memory is in, what the file does not reach included.
    func load(at address: UInt64, count: UInt64) -> ELFProgramHeader? {
        last(before: address).flatMap { $0.holds(address, count) ? $0 : nil }
    }

    /// The last segment that starts at an address or before.
    private func last(before address: UInt64) -> ELFProgramHeader? {
        var (low, high) = (0, loads.count)
        while low < high {
            let middle = (low + high) / 2
            if loads[middle].address <= address { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : loads[low - 1]
    }

    /// As many bytes as are mapped at an address.
    func mapped(at address: UInt64, count: UInt64, _ name: String) throws(ELFFlaw) -> ByteView {
        guard let view = try mapped(at: address, name).part(0, count) else {
            throw .malformed("\(name) is not in any of its segments")
        }
        return view
    }
}
