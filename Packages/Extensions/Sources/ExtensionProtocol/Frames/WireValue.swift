package import PluginCore

/// A value that crosses to the other process in a message's body.
package protocol WireValue: Sendable {
    init(from reader: inout WireReader) throws
    func write(to writer: inout WireWriter)
}

/// A writer of the values in a message's body: little-endian numbers, and texts and lists with their lengths in front.
package struct WireWriter {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []
    /// The files that the message passes, which its values refer to by index.
    package private(set) var files: [AttachmentFile] = []

    package init() {}

    /// Creates a writer with values one after the other.
    package init<each Value: WireValue>(_ values: repeat each Value) { write(all: repeat each values) }

    /// Writes values one after the other.
    package mutating func write<each Value: WireValue>(all values: repeat each Value) {
        repeat (each values).write(to: &self)
    }

    package mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ number: Double) { write(number.bitPattern) }

    package mutating func write(_ isTrue: Bool) { write(UInt8(isTrue ? 1 : 0)) }

    package mutating func write(_ content: [UInt8]) {
        write(UInt32(truncatingIfNeeded: content.count))
        bytes += content
    }

    package mutating func write(_ text: String) {
        write(UInt32(truncatingIfNeeded: text.utf8.count))
        bytes += text.utf8
    }

    package mutating func write<Value>(_ value: Value?, _ body: (inout WireWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    package mutating func write<Value>(_ values: [Value], _ body: (inout WireWriter, Value) -> Void) {
        write(UInt32(truncatingIfNeeded: values.count))
        for value in values { body(&self, value) }
    }

    package mutating func write(_ texts: [String]) { write(texts) { $0.write($1) } }

    /// Writes a reference to a file that is passed with the message.
    package mutating func write(_ file: AttachmentFile) {
        write(UInt8(truncatingIfNeeded: files.count))
        files.append(file)
    }
}

// MARK: The values of Swift

extension WireValue where Self: FixedWidthInteger {
    package init(from reader: inout WireReader) throws { self = try reader.read() }
    package func write(to writer: inout WireWriter) { writer.write(self) }
}

extension Bool: CopiedScalar {
    package init(from reader: inout WireReader) throws { self = try reader.readBool() }
    package func write(to writer: inout WireWriter) { writer.write(self) }
}

extension String: CopiedScalar {
    package init(from reader: inout WireReader) throws { self = try reader.readText() }
    package func write(to writer: inout WireWriter) { writer.write(self) }
}

extension Double: CopiedScalar {
    package init(from reader: inout WireReader) throws { self = try reader.readDouble() }
    package func write(to writer: inout WireWriter) { writer.write(self) }
}

extension Optional: WireValue where Wrapped: WireValue {
    package init(from reader: inout WireReader) throws { self = try reader.readOptional { try Wrapped(from: &$0) } }
    package func write(to writer: inout WireWriter) { writer.write(self) { $1.write(to: &$0) } }
}

extension Array: WireValue where Element: WireValue {
    package init(from reader: inout WireReader) throws {
        // Bytes in one step, because there can be many.
        if Element.self == UInt8.self, let bytes = try reader.readBytes() as? [Element] {
            self = bytes
            return
        }
        self = try reader.readList { try Element(from: &$0) }
    }
    package func write(to writer: inout WireWriter) {
        if let bytes = self as? [UInt8] { return writer.write(bytes) }
        writer.write(self) { $1.write(to: &$0) }
    }
}

extension Dictionary: WireValue where Key: WireValue, Value: WireValue {
    package init(from reader: inout WireReader) throws {
        let items = try reader.readList(copies: 3) { (try Key(from: &$0), try Value(from: &$0)) }
        self = Dictionary(items) { first, _ in first }
    }
    package func write(to writer: inout WireWriter) {
        writer.write(Array(self)) { $0.write(all: $1.key, $1.value) }
    }
}
