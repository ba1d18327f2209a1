import Processes

/// A range of an untrusted file: every read is bounds-checked, and none traps.
struct ByteView: Sendable {
    private let file: MappedFile
    /// The offset of the range in the file.
    let offset: Int
    /// The number of bytes.
    let count: Int

    /// Creates a view of a whole file.
    init(_ file: MappedFile) {
        (self.file, offset, count) = (file, 0, file.bytes.count)
    }

    private init(_ file: MappedFile, offset: Int, count: Int) {
        (self.file, self.offset, self.count) = (file, offset, count)
    }

    /// Returns the integer, or the record of integers, at an offset. Supported machines have the byte order of readable files.
    ///
    /// - Returns: `nil` when it isn't completely inside the range.
    func value<T: BitwiseCopyable>(at offset: Int) -> T? {
        guard offset >= 0, offset <= count, count - offset >= MemoryLayout<T>.size else { return nil }
        return file.bytes.loadUnaligned(fromByteOffset: self.offset + offset, as: T.self)
    }

    /// Returns the records that fill the range.
    func records<T: BitwiseCopyable>() -> [T] {
        stride(from: 0, to: count, by: MemoryLayout<T>.size).compactMap { value(at: $0) }
    }

    /// Returns a subrange.
    ///
    /// - Returns: `nil` when it isn't completely inside the range.
    func part(_ offset: UInt64, _ size: UInt64) -> ByteView? {
        guard let offset = Int(exactly: offset), let size = Int(exactly: size), offset <= count, count - offset >= size
        else { return nil }
        return ByteView(file, offset: self.offset + offset, count: size)
    }

    /// Returns the bytes from an offset up to the next NUL.
    ///
    /// - Returns: `nil` when there is none within the limit.
    func text(at offset: Int, limit: Int) -> ByteView? {
        guard offset >= 0, offset < count else { return nil }
        let rest = (self.offset + offset)..<(self.offset + min(count, offset + min(limit, count) + 1))
        guard let end = file.firstIndex(of: 0, in: rest) else { return nil }
        return ByteView(file, offset: self.offset + offset, count: end - rest.lowerBound)
    }

    /// The bytes, with indices from 0; valid as long as this value.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: file.bytes[offset..<offset + count])
    }

    /// The bytes as text, with invalid UTF-8 replaced.
    var string: String { String(decoding: bytes, as: UTF8.self) }

    func hasPrefix(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
    func hasSuffix(_ text: String) -> Bool { bytes.suffix(text.utf8.count).elementsEqual(text.utf8) }
}
