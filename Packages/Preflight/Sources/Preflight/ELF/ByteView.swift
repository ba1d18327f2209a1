import HostSystem

/// A range of an untrusted file: every read is bounds-checked, and none traps.
struct ByteView: Sendable {
    private let file: MappedFile
    private let start: Int
    /// The number of bytes.
    let count: Int

    /// Creates a view of a whole file.
    init(_ file: MappedFile) {
        self.init(file, start: 0, count: file.bytes.count)
    }

    private init(_ file: MappedFile, start: Int, count: Int) {
        self.file = file
        self.start = start
        self.count = count
    }

    /// Returns the integer, or the record of integers, at an offset. Supported machines have the byte order of readable files.
    ///
    /// - Returns: `nil` when it isn't completely inside the range.
    func value<T: BitwiseCopyable>(at offset: Int) -> T? {
        guard offset >= 0, offset <= count, count - offset >= MemoryLayout<T>.size else { return nil }
        return file.bytes.loadUnaligned(fromByteOffset: start + offset, as: T.self)
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
        return ByteView(file, start: start + offset, count: size)
    }

    /// Returns the bytes from an offset up to the next NUL.
    ///
    /// - Returns: `nil` when there is none within the limit.
    func text(at offset: Int, limit: Int) -> ByteView? {
        guard offset >= 0, offset < count else { return nil }
        let rest = (start + offset)..<(start + min(count, offset + min(limit, count) + 1))
        guard let end = file.firstIndex(of: 0, in: rest) else { return nil }
        return ByteView(file, start: start + offset, count: end - start - offset)
    }

    /// The offset of the range in the file.
    var offset: Int { start }

    /// The bytes, with indices from 0; valid as long as this value.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: file.bytes[start..<start + count])
    }

    /// The bytes as text, with invalid UTF-8 replaced.
    var string: String { String(decoding: bytes, as: UTF8.self) }
}

extension ByteView {
    func hasPrefix(_ text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && bytes.prefix(text.utf8CodeUnitCount).elementsEqual(Self.bytes(of: text))
    }

    func hasSuffix(_ text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && bytes.suffix(text.utf8CodeUnitCount).elementsEqual(Self.bytes(of: text))
    }

    private static func bytes(of text: StaticString) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }
}
