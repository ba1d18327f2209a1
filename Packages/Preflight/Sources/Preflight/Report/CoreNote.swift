/// The description of the Core that a library was built with, from a note in its file.
///
/// The header `plugin_entry.h` adds the note.
struct CoreNote {
    let abi: UInt32
    let release: String
    let compiler: String

    /// Returns the first notes in a range, which are `nil` if they are too short.
    ///
    /// A library whose parts were built by two compilers has two.
    static func all(in notes: ByteView, _ alignment: Int) -> [CoreNote?] {
        ELFNote.all(in: notes, alignment).notes.filter { $0.isOf("Atrium", type: 1) }.prefix(limit).map {
            CoreNote($0.content)
        }
    }

    /// The maximum number of notes that are read.
    private static let limit = 64

    private init?(_ content: ByteView) {
        guard let abi: UInt32 = content.value(at: 0), let release = content.text(at: 4, limit: 19),
            let compiler = content.text(at: 24, limit: 1024)
        else { return nil }
        self.abi = abi
        self.release = release.string
        self.compiler = compiler.string
    }
}
