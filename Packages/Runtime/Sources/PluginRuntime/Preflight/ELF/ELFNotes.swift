/// The notes that tools leave in a file (elf(5), "Notes").
enum ELFNotes {
    private static let headerSize = 12
    /// More of one sort are no tool's.
    private static let limit = 64

    /// The contents of all notes of an owner and type in a stretch where each note is aligned to 4 or 8.
    static func contents(
        of owner: StaticString, type: UInt32, in notes: ByteView, _ alignment: Int
    ) -> [ByteView] {
        var (found, place) = ([ByteView](), 0)
        while found.count < limit, let ownerSize: UInt32 = notes.integer(at: place),
            let size: UInt32 = notes.integer(at: place + 4),
            let kind: UInt32 = notes.integer(at: place + 8)
        {
            let nameStart = place + headerSize
            let start = nameStart + padded(Int(ownerSize), alignment)
            guard let name = notes.text(at: nameStart, limit: 64), let content = notes.part(UInt64(start), UInt64(size))
            else { return found }
            if kind == type, name.count == owner.utf8CodeUnitCount, name.hasPrefix(owner) { found.append(content) }
            place = start + padded(Int(size), alignment)
        }
        return found
    }

    private static func padded(_ size: Int, _ alignment: Int) -> Int {
        (size + alignment - 1) / alignment * alignment
    }
}
