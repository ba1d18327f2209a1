package import PluginCore

/// A reader of the values in a message's body, which may contain anything.
///
/// Bytes after the last value are ignored, so that later versions can add values at the end.
package struct WireReader {
    /// The body ends too early, or contains a value that its type does not have.
    package struct Malformed: Error {
        package init() {}
    }

    private let bytes: [UInt8]
    private var position = 0
    private let files: [AttachmentFile]

    package init(_ bytes: [UInt8], files: [AttachmentFile] = []) {
        self.bytes = bytes
        self.files = files
    }

    package mutating func read<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws(Malformed) -> Number
    {
        let size = MemoryLayout<Number>.size
        guard bytes.count - position >= size else { throw Malformed() }
        defer { position += size }
        return bytes.withUnsafeBytes {
            Number(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: Number.self))
        }
    }

    package mutating func readDouble() throws(Malformed) -> Double { Double(bitPattern: try read()) }

    package mutating func readBool() throws(Malformed) -> Bool {
        switch try read(UInt8.self) {
        case 0: false
        case 1: true
        default: throw Malformed()
        }
    }

    package mutating func readBytes() throws(Malformed) -> [UInt8] {
        let count = Int(try read(UInt32.self))
        guard bytes.count - position >= count else { throw Malformed() }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    package mutating func readText() throws(Malformed) -> String {
        guard let text = String(validating: try readBytes(), as: UTF8.self) else { throw Malformed() }
        return text
    }

    package mutating func readOptional<Value>(
        _ body: (inout WireReader) throws(Malformed) -> Value
    ) throws(Malformed) -> Value? {
        try readBool() ? try body(&self) : nil
    }

    package mutating func readList<Value>(
        _ body: (inout WireReader) throws(Malformed) -> Value
    ) throws(Malformed) -> [Value] {
        let count = Int(try read(UInt32.self))
        // Each value has at least one byte, so the count cannot make this process reserve memory for nothing.
        guard bytes.count - position >= count else { throw Malformed() }
        var values: [Value] = []
        for _ in 0..<count { values.append(try body(&self)) }
        return values
    }

    package mutating func readTexts() throws(Malformed) -> [String] {
        try readList { (reader: inout WireReader) throws(Malformed) in try reader.readText() }
    }

    /// Reads a reference to a file that was passed with the message.
    package mutating func readFile() throws(Malformed) -> AttachmentFile {
        let index = Int(try read(UInt8.self))
        guard files.indices.contains(index) else { throw Malformed() }
        return files[index]
    }
}
