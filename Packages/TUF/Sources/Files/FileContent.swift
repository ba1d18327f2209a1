/// The content of an open file, in pieces of 64 KiB.
public struct FilePieces {
    private let file: Descriptor

    init(of file: Descriptor) {
        self.file = file
    }

    /// Returns the next piece, or nil at the end of the file.
    public func next() throws(FileError) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = try file.read(into: &piece)
        guard count > 0 else { return nil }
        piece.removeLast(piece.count - count)
        return piece
    }
}
