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
            guard let name = notes.part(UInt64(nameStart), UInt64(ownerSize)),
                let content = notes.part(UInt64(start), UInt64(size))
            else { return found }
            // The owner's size counts the NUL that ends it.
            let isOwners = name.count == owner.utf8CodeUnitCount + 1 && name.hasPrefix(owner)
            if kind == type, isOwners { found.append(content) }
            place = start + padded(Int(size), alignment)
        }
        return found
    }

    /// Returns whether each note ends within the stretch, and the last with it.
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
