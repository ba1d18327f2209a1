/// What a plugin's file says of the Core that it was built against: the note that `plugin_entry.h` leaves in it.
struct CoreNote: Hashable, Sendable {
    let abi: UInt32
    let release: String
    let compiler: String

    /// All of a library, each once: two compilers leave two.
    static func all(in segments: ELFSegments) -> [CoreNote] {
        var notes: [CoreNote] = []
        for content in ELFNotes.contents(of: "Atrium", type: 1, in: segments) {
            guard let note = CoreNote(content), !notes.contains(note) else { continue }
            notes.append(note)
        }
        return notes
    }

    private init?(_ content: ByteView) {
        guard let abi: UInt32 = content.integer(at: 0), let release = content.text(at: 4, limit: 19),
            let compiler = content.text(at: 24, limit: 1024)
        else { return nil }
        self.abi = abi
        self.release = release.string
        self.compiler = compiler.string
    }
}
