/// The content of an open file, which is read at any position.
public struct FileContent: Sendable {
    private let file: Descriptor

    /// The length in bytes when the file was opened.
    public let length: Int64

    init(of file: Descriptor) throws(FileError) {
        self.file = file
        length = try file.status().length
    }

    /// Returns the bytes from a position on: fewer than the given number only at the end of the file.
    public func bytes(at offset: Int64, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = try file.read(into: &bytes[done...], at: offset + Int64(done))
            if read == 0 { break }
            done += read
        }
        bytes.removeLast(count - done)
        return bytes
    }
}

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
