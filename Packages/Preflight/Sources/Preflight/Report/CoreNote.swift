/// The description of the Core that a library was built with, from a note in its file.
///
/// The header `plugin_entry.h` adds the note.
struct CoreNote: Hashable, Sendable {
    let abi: UInt32
    let release: String
    let compiler: String

    /// Returns the distinct notes of a library; one that was built by two compilers has two.
    static func all(in segments: ELFSegments) -> [CoreNote] {
        segments.notes.flatMap { notes, alignment in contents(in: notes, alignment).compactMap(CoreNote.init) }.unique
    }

    /// Returns the contents of the first notes in a range, without parsing them.
    static func contents(in notes: ByteView, _ alignment: Int) -> [ByteView] {
        ELFNote.all(in: notes, alignment).notes.filter { $0.isOf("Atrium", type: 1) }.prefix(limit).map(\.content)
    }

    /// The maximum number of notes that are read.
    private static let limit = 64

    /// Returns whether a note names this Core and this compiler, without creating strings.
    ///
    /// - Parameter compiler: the compiler's name with a terminating NUL.
    static func isOf(abi: UInt32, compiler: [UInt8], _ content: ByteView) -> Bool {
        content.value(at: 0) == abi
            && content.part(24, UInt64(compiler.count)).map { $0.bytes.elementsEqual(compiler) } == true
    }

    private init?(_ content: ByteView) {
        guard let abi: UInt32 = content.value(at: 0), let release = content.text(at: 4, limit: 19),
            let compiler = content.text(at: 24, limit: 1024)
        else { return nil }
        self.abi = abi
        self.release = release.string
        self.compiler = compiler.string
    }
}
