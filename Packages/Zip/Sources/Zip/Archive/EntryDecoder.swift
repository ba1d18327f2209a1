import CZlib
import HostSystem

/// A decoder that streams an entry's content through two fixed buffers and checks its size and its CRC.
struct EntryDecoder {
    private static let bufferSize = 1 << 16

    private let file: FileDescriptor
    private var input = [UInt8](repeating: 0, count: bufferSize)
    private var output = [UInt8](repeating: 0, count: bufferSize)

    init(_ file: FileDescriptor) {
        self.file = file
    }

    /// Passes the content to a closure piece by piece, never more than the entry declares.
    ///
    /// The content is known to be correct only after this method has returned.
    mutating func decode(_ entry: ZipEntry, to sink: (RawSpan) throws(ZipError) -> Void) throws(ZipError) {
        var size: UInt64 = 0
        var crc = CRC32()
        do throws(ZipError) {
            try readPieces(of: entry) { (piece) throws(ZipError) in
                size += UInt64(piece.byteCount)
                guard size <= entry.uncompressedSize else {
                    throw ZipError(.sizeMismatch, "more than the declared \(entry.uncompressedSize) bytes")
                }
                crc.update(piece)
                try sink(piece)
            }
            guard size == entry.uncompressedSize else {
                throw ZipError(.sizeMismatch, "\(size) bytes where \(entry.uncompressedSize) are declared")
            }
            guard crc.value == entry.crc32 else { throw ZipError(.checksumMismatch) }
        } catch {
            throw error.inEntry(entry.name).inArchive(file)
        }
    }

    private mutating func readPieces(
        of entry: ZipEntry, to sink: (RawSpan) throws(ZipError) -> Void
    ) throws(ZipError) {
        var position: UInt64 = 0
        guard entry.method == .deflated else {
            while position < entry.compressedSize {
                let count = try fill(entry, position: &position)
                try sink(input.span.bytes.extracting(first: count))
            }
            return
        }
        let inflater = try ZlibStream()
        var isFinished = false
        while !isFinished {
            guard position < entry.compressedSize else {
                throw ZipError(.corruptData, "the deflate stream is not terminated")
            }
            let count = try fill(entry, position: &position)
            let source = input
            var used = 0
            var (status, produced): (CInt, Int)
            repeat {
                let piece = source.span.bytes.extracting(first: count)
                (status, produced) = inflater.step(piece, position: &used, output: &output)
                guard [Z_OK, Z_BUF_ERROR, Z_STREAM_END].contains(status) else {
                    throw ZipError(.corruptData, "not a deflate stream (zlib \(status))")
                }
                isFinished = status == Z_STREAM_END
                if produced > 0 { try sink(output.span.bytes.extracting(first: produced)) }
            } while !isFinished && (used < count || produced == output.count)
            if isFinished, used < count || position < entry.compressedSize {
                throw ZipError(.corruptData, "bytes after the end of the deflate stream")
            }
        }
    }

    /// Reads the next piece into the input buffer and advances the position in the entry.
    private mutating func fill(_ entry: ZipEntry, position: inout UInt64) throws(ZipError) -> Int {
        let wanted = Int(min(UInt64(Self.bufferSize), entry.compressedSize - position))
        let count = try file.read(into: &input, count: wanted, at: entry.dataOffset + position)
        guard count == wanted else {
            throw ZipError(.corruptData, "the archive ends inside the data")
        }
        position += UInt64(count)
        return count
    }
}
