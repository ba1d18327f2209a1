/// What of a file is mapped where (elf(5), "Program header").
struct ELFSegments: Sendable {
    /// A stretch of the file that is mapped.
    private struct Load: Sendable {
        let address: UInt64
        let offset: UInt64
        let fileSize: UInt64
        let end: UInt64
    }

    static let entrySize = 56
    /// More of them are no library's.
    private static let limit = 1024
    /// Longer notes, in bytes, are no tool's.
    private static let noteLimit: UInt64 = 1 << 16

    private let file: ByteView
    private let loads: [Load]
    /// The dynamic section; `nil` for what was linked statically.
    let dynamic: ByteView?
    /// The stretches with notes, and to what each note is aligned there.
    let notes: [(content: ByteView, alignment: Int)]

    /// Reads the table, and checks that all that it names is in the file.
    init(_ table: ByteView, of file: ByteView) throws(ELFFlaw) {
        self.file = file
        guard table.count / Self.entrySize <= Self.limit else { throw .malformed("it has too many program headers") }
        var (loads, notes, dynamic) = ([Load](), [(content: ByteView, alignment: Int)](), ByteView?.none)
        for start in stride(from: 0, to: table.count, by: Self.entrySize) {
            let name = "segment \(start / Self.entrySize)"
            guard let type: UInt32 = table.integer(at: start), let offset: UInt64 = table.integer(at: start + 8),
                let address: UInt64 = table.integer(at: start + 16), let size: UInt64 = table.integer(at: start + 32),
                let memory: UInt64 = table.integer(at: start + 40),
                let alignment: UInt64 = table.integer(at: start + 48)
            else { throw .truncated("its program headers") }
            switch type {
            case 1:
                _ = try ELFFlaw.require(file.part(offset, size), "its \(name)")
                let (end, isOver) = address.addingReportingOverflow(memory)
                guard !isOver, size <= memory, address >= loads.last?.end ?? 0 else {
                    throw .malformed("its \(name) contradicts itself or the one before")
                }
                loads.append(Load(address: address, offset: offset, fileSize: size, end: end))
            case 2: dynamic = try ELFFlaw.require(file.part(offset, size), "its dynamic section")
            case 4:
                guard size <= Self.noteLimit else { throw .malformed("its notes are longer than any tool's") }
                notes.append((try ELFFlaw.require(file.part(offset, size), "its notes"), alignment == 8 ? 8 : 4))
            default: break
            }
        }
        guard !loads.isEmpty else { throw .malformed("nothing of it is loaded into memory") }
        (self.loads, self.notes, self.dynamic) = (loads, notes, dynamic)
    }

    /// What is mapped at an address, as far as the file reaches in its segment.
    func mapped(at address: UInt64, _ name: String) throws(ELFFlaw) -> ByteView {
        for load in loads where address >= load.address && address - load.address < load.fileSize {
            let skip = address - load.address
            return try ELFFlaw.require(file.part(load.offset + skip, load.fileSize - skip), name)
        }
        throw .malformed("\(name) is not in any of its segments")
    }

    /// As many bytes as are mapped at an address.
    func mapped(at address: UInt64, count: UInt64, _ name: String) throws(ELFFlaw) -> ByteView {
        guard let view = try mapped(at: address, name).part(0, count) else {
            throw .malformed("\(name) is not in any of its segments")
        }
        return view
    }
}
