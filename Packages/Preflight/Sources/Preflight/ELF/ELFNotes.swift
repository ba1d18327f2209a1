/// The notes that tools write into a file (elf(5), "Notes").
enum ELFNotes {
    private static let headerSize = 12
    /// The maximum number of notes of one owner and type.
    private static let limit = 64

    /// Returns the contents of all notes of an owner and type, where each note is aligned to 4 or 8 bytes.
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
            guard let name = notes.part(UInt64(nameStart), UInt64(ownerSize)),
                let content = notes.part(UInt64(start), UInt64(size))
            else { return found }
            // The owner's size includes the terminating NUL.
            let isOwners = name.count == owner.utf8CodeUnitCount + 1 && name.hasPrefix(owner)
            if kind == type, isOwners { found.append(content) }
            place = start + padded(Int(size), alignment)
        }
        return found
    }

    /// Returns whether the notes fill the range exactly.
    static func areWhole(_ notes: ByteView, _ alignment: Int) -> Bool {
        var place = 0
        while place < notes.count {
            guard let ownerSize: UInt32 = notes.integer(at: place), let size: UInt32 = notes.integer(at: place + 4)
            else { return false }
            let start = place + headerSize + padded(Int(ownerSize), alignment)
            guard notes.part(UInt64(start), UInt64(size)) != nil else { return false }
            place = start + padded(Int(size), alignment)
        }
        return true
    }

    private static func padded(_ size: Int, _ alignment: Int) -> Int {
        (size + alignment - 1) / alignment * alignment
    }
}
