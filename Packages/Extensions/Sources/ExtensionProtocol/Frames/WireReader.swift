package import PluginCore

/// The only reader of the values that another process sends, which may be anything.
///
/// It has a budget for the depth and the decoded size of all values, from which each function takes its part. So no decoder can forget the
/// limits, whatever it makes of the values. A value that chooses how another one goes on is read by ``nested(_:)``, ``readOptional(_:)`` or
/// ``readList(copies:_:)``. See Documentation/Decisions/0262-one-reader-with-a-budget.md.
///
/// Bytes after the last value are ignored, so that later versions can add values at the end.
package struct WireReader {
    /// The body ends too early, contains a value that its type does not have, or is larger than the budget when it is decoded.
    package struct Malformed: Error {
        /// A Boolean value that indicates whether only the size or the depth is wrong.
        var isTooLarge = false
    }

    /// The maximum number of values in each other.
    package static let maximumDepth = 64
    /// The maximum decoded size of a message, in bytes, for a receiver that does not count it.
    package static let maximumSize = 16 << 20
    /// The longest deadline, in seconds, which is also that of a manifest.
    package static let longestDeadline = 3600.0
    /// The number of bytes for which a receiver is asked at once, so that it is not asked for each value.
    private static let piece = 64 << 10
    /// The number of bytes as which the decoded form of a value, or of a part of JSON or of an address counts.
    private static let partSize = 64

    private let bytes: [UInt8]
    private var position = 0
    private let files: [AttachmentFile]
    /// The files that a value refers to, one bit each.
    private var usedFiles: UInt64 = 0
    private var depth = 0
    /// The decoded size that may still be read without asking.
    private var sizeLeft: Int
    private let takeMore: (@Sendable (Int) -> Bool)?

    /// Creates a reader that decodes at most ``maximumSize``.
    package init(_ bytes: [UInt8], files: [AttachmentFile] = []) {
        self.bytes = bytes
        self.files = files
        sizeLeft = Self.maximumSize
        takeMore = nil
    }

    /// Creates a reader whose receiver counts the decoded size.
    ///
    /// - Parameter takeMore: Counts some bytes, and returns whether they may be used.
    package init(_ bytes: [UInt8], countedBy takeMore: @escaping @Sendable (Int) -> Bool) {
        self.bytes = bytes
        files = []
        sizeLeft = 0
        self.takeMore = takeMore
    }

    // MARK: The budget

    /// A Boolean value that indicates whether a file was passed that no value refers to.
    package var hasUnusedFiles: Bool { usedFiles.nonzeroBitCount < files.count }

    private mutating func take(_ size: Int) throws {
        if size > sizeLeft, let takeMore {
            let more = max(size - sizeLeft, Self.piece)
            guard takeMore(more) else { throw Malformed(isTooLarge: true) }
            sizeLeft += more
        }
        guard size <= sizeLeft else { throw Malformed(isTooLarge: true) }
        sizeLeft -= size
    }

    /// Begins a value in a value, until ``leave()``.
    package mutating func enter() throws {
        guard depth < Self.maximumDepth else { throw Malformed(isTooLarge: true) }
        depth += 1
    }

    /// Ends a value in a value.
    package mutating func leave() { depth -= 1 }

    /// Returns the size as which an encoding counts before it is decoded: each of its parts becomes a value.
    package static func decodedSize(of encoding: [UInt8], separators: String = "{[,") -> Int {
        encoding.count + partSize * encoding.count { byte in separators.utf8.contains(byte) }
    }

    // MARK: Values

    /// Reads values one after the other.
    package mutating func values<each Value: WireValue>() throws -> (repeat each Value) {
        (repeat try (each Value)(from: &self))
    }

    package mutating func read<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - position >= size else { throw Malformed() }
        defer { position += size }
        return bytes.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self))
        }
    }

    package mutating func readDouble() throws -> Double { Double(bitPattern: try read()) }

    package mutating func readBool() throws -> Bool {
        switch try read(UInt8.self) {
        case 0: false
        case 1: true
        default: throw Malformed()
        }
    }

    package mutating func readBytes() throws -> [UInt8] {
        let count = Int(try read(UInt32.self))
        guard bytes.count - position >= count else { throw Malformed() }
        try take(count)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    package mutating func readText() throws -> String {
        guard let text = String(validating: try readBytes(), as: UTF8.self) else { throw Malformed() }
        return text
    }

    /// Reads an address, which has a part for each parameter.
    package mutating func readAddress() throws -> ResourceURI {
        let text = try readText()
        try take(Self.decodedSize(of: Array(text.utf8), separators: "&/;"))
        guard let uri = try? ResourceURI(text) else { throw Malformed() }
        return uri
    }

    /// Reads the time that something may take. No other number of another process becomes a duration.
    ///
    /// - Throws: ``Malformed``; ``AtriumError`` with code `parameterType` for a number that is not one, or not in the range.
    package mutating func readDeadline(of subject: String) throws -> Duration {
        let seconds = try readDouble()
        guard seconds > 0, seconds <= Self.longestDeadline else {
            throw AtriumError(
                .parameterType, subject, reason: "deadlineInvalid",
                ["deadline": "\(seconds)", "limit": .integer(Int(Self.longestDeadline))])
        }
        return .seconds(seconds)
    }

    /// Reads a reference to a file that was passed with the message.
    package mutating func readFile() throws -> AttachmentFile {
        let index = Int(try read(UInt8.self))
        guard files.indices.contains(index) else { throw Malformed() }
        usedFiles |= 1 << index
        return files[index]
    }

    // MARK: Values in values

    /// Reads a value whose first part says how it goes on.
    package mutating func nested<Value>(_ body: (inout WireReader) throws -> Value) throws -> Value {
        try enter()
        defer { leave() }
        return try body(&self)
    }

    package mutating func readOptional<Value>(_ body: (inout WireReader) throws -> Value) throws -> Value? {
        try readBool() ? try nested(body) : nil
    }

    /// Reads the number of elements of a list, and takes their size from the budget.
    ///
    /// - Parameter copies: How many times the elements are in memory, such as for a list that becomes a dictionary.
    package mutating func readCount<Element>(of type: Element.Type, copies: Int = 1) throws -> Int {
        let count = Int(try read(UInt32.self))
        // Each value has at least one byte.
        guard bytes.count - position >= count else { throw Malformed() }
        try take(count * MemoryLayout<Element>.stride * copies)
        return count
    }

    package mutating func readList<Value>(
        copies: Int = 1, _ body: (inout WireReader) throws -> Value
    ) throws -> [Value] {
        let count = try readCount(of: Value.self, copies: copies)
        return try nested { reader in try (0..<count).map { _ in try body(&reader) } }
    }

    package mutating func readTexts() throws -> [String] { try [String](from: &self) }
}
