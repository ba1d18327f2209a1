/// A note that a tool has written into a file (elf(5), "Notes").
struct ELFNote {
    /// The owner's name with the terminating NUL.
    private let owner: ByteView
    private let type: UInt32
    let content: ByteView

    /// The notes in a range, and whether they fill it exactly.
    ///
    /// - Parameter alignment: the alignment of each note, 4 or 8.
    static func all(in range: ByteView, _ alignment: Int) -> (notes: [ELFNote], areWhole: Bool) {
        let padded = { (size: UInt32) in (Int(size) + alignment - 1) / alignment * alignment }
        var (notes, place) = ([ELFNote](), 0)
        while place < range.count {
            guard let (ownerSize, size, type): (UInt32, UInt32, UInt32) = range.value(at: place),
                let owner = range.part(UInt64(place + 12), UInt64(ownerSize)),
                let content = range.part(UInt64(place + 12 + padded(ownerSize)), UInt64(size))
            else { return (notes, false) }
            notes.append(ELFNote(owner: owner, type: type, content: content))
            place += 12 + padded(ownerSize) + padded(size)
        }
        return (notes, true)
    }

    /// Returns whether the note is of an owner and a type.
    func isOf(_ owner: String, type: UInt32) -> Bool {
        self.type == type && self.owner.bytes.elementsEqual((owner + "\0").utf8)
    }
}
