package import PluginCore

/// A writer of the values in a message's body: little-endian numbers, and texts and lists with their lengths in front.
package struct WireWriter {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []
    /// The files that the message passes, which its values refer to by index.
    package private(set) var files: [AttachmentFile] = []

    package init() {}

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
