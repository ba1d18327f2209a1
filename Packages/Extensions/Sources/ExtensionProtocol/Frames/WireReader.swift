import HostSystem
import PluginCore
package import PluginExtension
import Processes

/// The only reader of the values that another process sends, which may be anything.
///
/// It has a budget for the depth and the decoded size of all values, from which each function takes its part. So no decoder can forget the
/// limits, whatever it makes of the values. A value that chooses how another one goes on is read by ``nested(_:)`` or
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
    static let maximumDepth = 64
    /// The maximum decoded size of a message, in bytes, for a receiver that does not count it.
    static let maximumSize = 16 << 20
    /// The longest deadline, in seconds, which is also that of a manifest.
    static let longestDeadline = 3600.0
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
    /// The values of a call, which count the decoded size of all calls and have objects; nil for another message.
    private let values: ReceivedValues?

    /// Creates a reader that decodes at most ``maximumSize``.
    package init(_ bytes: [UInt8], files: [AttachmentFile] = []) {
        self.bytes = bytes
        self.files = files
        sizeLeft = Self.maximumSize
        values = nil
    }

    /// Creates a reader of the values of a call.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `parameterType` for values in a file that cannot be read or are too large.
    init(_ values: ReceivedValues) throws {
        bytes = try values.load()
        files = []
        sizeLeft = 0
        self.values = values
    }

    // MARK: The budget

    /// A Boolean value that indicates whether a file was passed that no value refers to.
    var hasUnusedFiles: Bool { usedFiles.nonzeroBitCount < files.count }

    private mutating func take(_ size: Int) throws {
        if size > sizeLeft, let values {
            let more = max(size - sizeLeft, Self.piece)
            guard values.hold(more, as: \.decoded) else { throw Malformed(isTooLarge: true) }
            sizeLeft += more
        }
        guard size <= sizeLeft else { throw Malformed(isTooLarge: true) }
        sizeLeft -= size
    }

    /// Returns the size as which an encoding counts before it is decoded: each of its parts becomes a value.
    static func decodedSize(of encoding: [UInt8], separators: String = "{[,") -> Int {
        var isSeparator = [Bool](repeating: false, count: 256)
        for separator in separators.utf8 { isSeparator[Int(separator)] = true }
        // An iterator would take most of the time of receiving a page with megabytes.
        var (parts, index) = (0, 0)
        while index < encoding.count {
            if isSeparator[Int(encoding[index])] { parts += 1 }
            index += 1
        }
        return encoding.count + partSize * parts
    }

    // MARK: Values

    /// Reads values one after the other.
    package mutating func read<each Value: WireDecodable>() throws -> (repeat each Value) {
        (repeat try (each Value)(from: &self))
    }

    package mutating func read<Value: WireDecodable>(_ type: Value.Type) throws -> Value { try Value(from: &self) }

    mutating func readNumber<Number: FixedWidthInteger>() throws -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - position >= size else { throw Malformed() }
        defer { position += size }
        return bytes.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self))
        }
    }

    mutating func readBytes() throws -> [UInt8] {
        let count = Int(try readNumber() as UInt32)
        guard bytes.count - position >= count else { throw Malformed() }
        try take(count)
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// Reads a value from JSON, which has a part for each value in it.
    mutating func readJSON<Value: Decodable>() throws -> Value {
        let json = try readBytes()
        try take(Self.decodedSize(of: json))
        return try StrictJSON.decode(Value.self, from: json)
    }

    /// Reads an address, which has a part for each parameter.
    mutating func readAddress() throws -> ResourceURI {
        let text = try read(String.self)
        try take(Self.decodedSize(of: Array(text.utf8), separators: "&/;"))
        guard let uri = try? ResourceURI(text) else { throw Malformed() }
        return uri
    }

    /// Reads the time that something may take. No other number of another process becomes a duration.
    ///
    /// - Throws: ``Malformed``; ``AtriumError`` with code `parameterType` for a number that is not one, or not in the range.
    mutating func readDeadline(of subject: String) throws -> Duration {
        let seconds = try read(Double.self)
        guard seconds > 0, seconds <= Self.longestDeadline else {
            throw AtriumError(
                .parameterType, subject, reason: "deadlineInvalid",
                ["deadline": "\(seconds)", "limit": .integer(Int(Self.longestDeadline))])
        }
        return .seconds(seconds)
    }

    /// Reads a reference to a file that was passed with the message.
    mutating func readFile() throws -> AttachmentFile {
        let index = Int(try read(UInt8.self))
        guard files.indices.contains(index) else { throw Malformed() }
        usedFiles |= 1 << index
        return files[index]
    }

    // MARK: Objects

    /// The connection whose other side has sent the values; nil for a message without objects.
    var objects: ObjectConnection? { values?.objects }

    /// Reads a reference to an object of the other process.
    ///
    /// - Parameter make: Returns the object with a number.
    mutating func readReference<Object>(_ make: (UInt32, ObjectConnection) throws -> Object) throws -> Object {
        guard let values else { throw Malformed() }
        return try values.take(readNumber(), make)
    }

    // MARK: Values in values

    /// Reads a value whose first part says how it goes on. If that ends this process, its crash report names the sender.
    package mutating func nested<Value>(_ body: (inout WireReader) throws -> Value) throws -> Value {
        guard depth < Self.maximumDepth else { throw Malformed(isTooLarge: true) }
        depth += 1
        defer { depth -= 1 }
        guard let sender = objects?.sender else { return try body(&self) }
        let before = MessageSender.begin(sender)
        defer { MessageSender.end(before) }
        return try body(&self)
    }

    /// Reads a list, whose elements take their size from the budget first.
    ///
    /// - Parameter copies: How many times the elements are in memory, such as for a list that becomes a dictionary.
    mutating func readList<Value>(copies: Int = 1, _ body: (inout WireReader) throws -> Value) throws -> [Value] {
        let count = Int(try readNumber() as UInt32)
        // Each value has at least one byte.
        guard bytes.count - position >= count else { throw Malformed() }
        try take(count * MemoryLayout<Value>.stride * copies)
        return try nested { reader in try (0..<count).map { _ in try body(&reader) } }
    }
}
