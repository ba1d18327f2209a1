import CELF
import PluginCore

/// The segments of a library: the parts of the file and their addresses in memory (elf(5), "Program header").
struct ELFSegments {
    /// The maximum number of program headers; linkers write about a dozen.
    private static let limit = 64
    /// The maximum size in memory, in bytes.
    static let memoryLimit: UInt64 = 1 << 32
    /// The maximum size of notes, in bytes.
    private static let noteLimit: UInt64 = 1 << 16

    private let file: ByteView
    /// All program headers.
    let headers: [Elf64_Phdr]
    /// The loaded segments, sorted by address.
    let loads: [Elf64_Phdr]

    /// Checks that all segments are in the file.
    init(_ headers: [Elf64_Phdr], of file: ByteView) throws(ELFFlaw) {
        (self.file, self.headers) = (file, headers)
        try check(headers.count, atMost: Self.limit, "elfTooManyProgramHeaders")
        var loads: [Elf64_Phdr] = []
        for (number, header) in headers.enumerated() where header.isOf(PT_LOAD) {
            _ = try require(file.part(header.p_offset, header.p_filesz), "elfSegment", number: number)
            guard header.end < .max, header.p_filesz <= header.p_memsz, header.p_vaddr >= loads.last?.end ?? 0 else {
                throw .malformed(ErrorReason("elfSegmentInconsistent", ["number": .integer(number)]))
            }
            loads.append(header)
        }
        try check(!loads.isEmpty, "elfNoSegment")
        self.loads = loads
    }

    /// Returns the dynamic section; `nil` for a statically linked file.
    func dynamic() throws(ELFFlaw) -> ByteView? {
        try headers.last { $0.isOf(PT_DYNAMIC) }.map { header throws(ELFFlaw) in
            try content(of: header, "elfDynamicSection")
        }
    }

    /// Returns the notes in all segments.
    func notes() throws(ELFFlaw) -> [ELFNote] {
        try headers.filter { $0.isOf(PT_NOTE) }.map { header throws(ELFFlaw) in
            ELFNote.all(in: try content(of: header, "elfNotes"), header.noteAlignment).notes
        }.flatMap(\.self)
    }

    /// Returns the content of a segment, which must be the same by its address and by its file offset.
    ///
    /// The loader uses the address, and other tools use the offset.
    func content(of header: Elf64_Phdr, _ part: String) throws(ELFFlaw) -> ByteView {
        if header.isOf(PT_NOTE) || header.isOf(PT_GNU_PROPERTY), header.p_filesz > Self.noteLimit {
            throw .excessive(
                ErrorReason(
                    "elfPartTooLarge",
                    [
                        "part": .reason(ErrorReason(part)), "size": "\(header.p_filesz)",
                        "limit": "\(Self.noteLimit)",
                    ]))
        }
        let file = try require(file.part(header.p_offset, header.p_filesz), part)
        let view = try mapped(at: header.p_vaddr, count: header.p_filesz, part)
        try check(view.offset == file.offset, "elfPartElsewhere", in: part)
        return view
    }

    /// Returns the bytes from an address to the end of its segment in the file.
    func mapped(at address: UInt64, _ part: String) throws(ELFFlaw) -> ByteView {
        guard let load = loads.last(where: { $0.p_vaddr <= address }), address - load.p_vaddr < load.p_filesz else {
            throw .malformed("elfPartUnmapped", in: part)
        }
        let skip = address - load.p_vaddr
        return try require(file.part(load.p_offset + skip, load.p_filesz - skip), part)
    }

    /// Returns a number of bytes at an address.
    func mapped(at address: UInt64, count: UInt64, _ part: String) throws(ELFFlaw) -> ByteView {
        guard let view = try mapped(at: address, part).part(0, count) else {
            throw .malformed("elfPartUnmapped", in: part)
        }
        return view
    }

    /// Returns the segment that contains a range of memory, including memory beyond the file's bytes.
    func load(at address: UInt64, count: UInt64) -> Elf64_Phdr? {
        loads.last { address >= $0.p_vaddr && address <= $0.end && count <= $0.end - address }
    }
}

extension Elf64_Phdr {
    func isOf(_ type: Int32) -> Bool { p_type == UInt32(type) }
    var isExecutable: Bool { p_flags & UInt32(PF_X) != 0 }
    var isWritable: Bool { p_flags & UInt32(PF_W) != 0 }

    /// The end address in memory.
    var end: UInt64 {
        let (end, isOver) = p_vaddr.addingReportingOverflow(p_memsz)
        return isOver ? .max : end
    }

    /// The alignment of the notes in a segment with notes.
    var noteAlignment: Int { p_align == 8 ? 8 : 4 }
}

/// A note that a tool has written into a file (elf(5), "Notes").
struct ELFNote {
    /// The owner's name with the terminating NUL.
    private let owner: ByteView
    private let type: UInt32
    fileprivate let content: ByteView

    /// The notes in a range, and whether they fill it exactly.
    ///
    /// - Parameter alignment: the alignment of each note, 4 or 8.
    static func all(in range: ByteView, _ alignment: Int) -> (notes: [ELFNote], areWhole: Bool) {
        let padded = { (size: UInt32) in (Int(size) + alignment - 1) / alignment * alignment }
        var (notes, place) = ([ELFNote](), 0)
        while place < range.count {
            let start = place + MemoryLayout<Elf64_Nhdr>.size
            guard let header: Elf64_Nhdr = range.value(at: place),
                let owner = range.part(UInt64(start), UInt64(header.n_namesz)),
                let content = range.part(UInt64(start + padded(header.n_namesz)), UInt64(header.n_descsz))
            else { return (notes, false) }
            notes.append(ELFNote(owner: owner, type: header.n_type, content: content))
            place = start + padded(header.n_namesz) + padded(header.n_descsz)
        }
        return (notes, true)
    }

    /// The build ID in lowercase hexadecimal, if the note is one.
    var buildID: String? {
        guard isOf("GNU", type: UInt32(NT_GNU_BUILD_ID)), content.count > 1 else { return nil }
        return content.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns whether the note is of an owner and a type.
    func isOf(_ owner: String, type: UInt32) -> Bool {
        self.type == type && self.owner.bytes.elementsEqual((owner + "\0").utf8)
    }
}

/// The description of the Core that a library was built with, from a note in its file.
///
/// The header `plugin_entry.h` adds the note.
struct CoreNote {
    let abi: UInt32
    let release: String
    let compiler: String

    /// The maximum number of notes that are read.
    private static let limit = 64

    /// Returns the first notes about Core, which are `nil` if they are too short.
    ///
    /// A library whose parts were built by two compilers has two.
    static func all(among notes: [ELFNote]) -> [CoreNote?] {
        notes.filter { $0.isOf("Atrium", type: 1) }.prefix(limit).map { CoreNote($0.content) }
    }

    private init?(_ content: ByteView) {
        guard let abi: UInt32 = content.value(at: 0), let release = content.text(at: 4, limit: 19),
            let compiler = content.text(at: 24, limit: 1024)
        else { return nil }
        (self.abi, self.release, self.compiler) = (abi, release.string, compiler.string)
    }
}
