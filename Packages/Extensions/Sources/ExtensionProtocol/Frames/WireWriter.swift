import PluginCore
package import PluginExtension

/// A writer of the values in a message's body: little-endian numbers, and texts and lists with their lengths in front.
package struct WireWriter {
    /// The bytes so far.
    package private(set) var bytes: [UInt8] = []
    /// The files that the message passes, which its values refer to by index.
    package private(set) var files: [AttachmentFile] = []
    /// The numbers of this process's objects, once for each reference that was written.
    private(set) var references: [UInt32] = []
    /// The error of the first value that cannot pass.
    private(set) var failure: AtriumError?
    /// The connection to which objects belong; nil for a message without objects.
    let objects: ObjectConnection?

    /// Creates a writer with values one after the other.
    package init<each Value: WireEncodable>(_ values: repeat each Value) {
        objects = nil
        write(repeat each values)
    }

    /// Creates a writer of the values of a call.
    init(for objects: ObjectConnection) { self.objects = objects }

    /// Writes values one after the other.
    package mutating func write<each Value: WireEncodable>(_ values: repeat each Value) {
        repeat (each values).write(to: &self)
    }

    package mutating func write<Value>(_ values: [Value], _ body: (inout WireWriter, Value) -> Void) {
        append(UInt32(truncatingIfNeeded: values.count))
        for value in values { body(&self, value) }
    }

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ content: some Collection<UInt8>) {
        append(UInt32(truncatingIfNeeded: content.count))
        bytes += content
    }

    /// Writes a reference to a file that is passed with the message.
    mutating func write(_ file: AttachmentFile) {
        append(UInt8(truncatingIfNeeded: files.count))
        files.append(file)
    }

    /// Writes a reference to an object of this process.
    ///
    /// - Parameter export: Returns the number of the object.
    mutating func writeReference(_ export: (ObjectConnection) -> UInt32) {
        let number = objects.map(export) ?? 0
        append(number)
        references.append(number)
    }

    /// Records that a value cannot pass.
    mutating func fail(_ error: AtriumError) { failure = failure ?? error }
}
