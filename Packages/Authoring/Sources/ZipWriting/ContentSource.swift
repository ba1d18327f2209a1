import HostSystem
import Zip

/// The open content of an item, which can be read twice in pieces of the same sizes.
struct ContentSource {
    private static let pieceSize = 1 << 16

    let isExecutable: Bool
    /// The file to read; `nil` for content in memory.
    private var file: FileDescriptor?
    /// The content in memory, or the buffer for pieces of the file.
    private var bytes: [UInt8] = []

    init(_ source: ZipWriter.Item.Source) throws(ZipError) {
        switch source {
        case .folder: isExecutable = false
        case .bytes(let bytes, let executable):
            self.bytes = bytes
            isExecutable = executable
        case .file(let path, let executable):
            let file = try Self.open(path)
            guard case .file(_, let mode) = try file.item else {
                throw ZipError(.specialFile, path: path, detail: "not a regular file")
            }
            self.file = file
            isExecutable = executable ?? (mode & 0o100 != 0)
            bytes = [UInt8](repeating: 0, count: Self.pieceSize)
        }
    }

    mutating func forEachPiece(_ body: (RawSpan) throws(ZipError) -> Void) throws(ZipError) {
        var position = 0
        while true {
            let count = try file?.read(into: &bytes, count: Self.pieceSize, at: UInt64(position))
            let piece = count.map { 0..<$0 } ?? position..<min(position + Self.pieceSize, bytes.count)
            if piece.isEmpty { return }
            try body(bytes.span.bytes.extracting(piece))
            position += piece.count
        }
    }

    private static func open(_ path: String) throws(ZipError) -> FileDescriptor {
        do throws(ZipError) {
            return try FileDescriptor(file: path, followingLinks: false)
        } catch {
            throw error.isLink ? ZipError(.specialFile, path: path, detail: "a symbolic link") : error
        }
    }
}
