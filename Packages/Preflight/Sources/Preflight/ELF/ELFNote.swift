import CELF

/// A note that a tool has written into a file (elf(5), "Notes").
struct ELFNote: Sendable {
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
