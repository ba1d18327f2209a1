package import PluginCore
package import PluginExtension
import Processes

/// A call of a function of an object in the other process.
package struct Call: WireValue {
    /// The number that the other process has given to the object. 0 is the object with which a connection begins.
    package let object: UInt32
    /// The number of the function.
    package let function: UInt8
    /// The number of the other process's request in whose handling the call is made, or 0.
    package let context: UInt32
    /// The arguments.
    package let arguments: TransferredValues

    package init(object: UInt32, function: UInt8, context: UInt32, arguments: TransferredValues) {
        self.object = object
        self.function = function
        self.context = context
        self.arguments = arguments
    }

    package init(from reader: inout WireReader) throws { (object, function, context, arguments) = try reader.read() }

    package func write(to writer: inout WireWriter) { writer.write(object, function, context, arguments) }
}

/// The arguments or the result of a call, and the sender's objects that they refer to.
package struct TransferredValues: WireValue {
    /// The maximum number of references in one message.
    static let maximumObjects = 10_000

    /// The number of each object, once for each reference to it.
    package let objects: [UInt32]
    /// The values, whose form depends on the function.
    package let bytes: TransferredBytes

    package init(objects: [UInt32] = [], _ bytes: TransferredBytes) {
        self.objects = objects
        self.bytes = bytes
    }

    /// Creates the values that a closure writes. If they cannot cross, the other process does not get the objects.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` for a value that cannot pass, or as for ``TransferredBytes``.
    init(
        of connection: ObjectConnection, storingIn folder: FilePath?, _ write: (inout WireWriter) -> Void
    ) throws {
        var writer = WireWriter(for: connection)
        write(&writer)
        do {
            if let failure = writer.failure { throw failure }
            guard writer.references.count <= Self.maximumObjects else {
                throw AtriumError(
                    .parameterType, "", reason: "referencesMany", ["limit": .integer(Self.maximumObjects)])
            }
            self.init(objects: writer.references, try TransferredBytes(writer.bytes, storingIn: folder))
        } catch {
            connection.removeExports(writer.references)
            throw error
        }
    }

    package init(from reader: inout WireReader) throws {
        objects = try [UInt32](from: &reader)
        guard objects.count <= Self.maximumObjects else { throw WireReader.Malformed() }
        bytes = try TransferredBytes(from: &reader)
    }

    package func write(to writer: inout WireWriter) { writer.write(objects, bytes) }
}

/// Bytes that cross in a message or, if there are many of them, in a file.
package struct TransferredBytes: WireValue {
    /// The maximum number of bytes in a message.
    static let maximumInMessage = 64 << 10

    /// The bytes, without a type and a name.
    package let attachment: ItemAttachment

    private init(_ content: ItemAttachment.Content) {
        attachment = ItemAttachment(types: [], content: content)
    }

    /// Creates bytes that cross in a message.
    package static func message(_ bytes: [UInt8]) -> TransferredBytes { TransferredBytes(.bytes(bytes)) }

    /// Creates bytes that are ready to cross.
    ///
    /// - Parameter folder: The folder for a file, which gets no name there, or nil for a file in memory.
    /// - Throws: ``AtriumError`` with code `inputOutput` if there is no space for a file.
    package init(_ bytes: [UInt8], storingIn folder: FilePath? = nil) throws(AtriumError) {
        self.init(bytes.count <= Self.maximumInMessage ? .bytes(bytes) : .file(try .unnamed(bytes, in: folder)))
    }

    package init(from reader: inout WireReader) throws {
        let content = try ItemAttachment.Content(from: &reader)
        if case .bytes(let bytes) = content, bytes.count > Self.maximumInMessage { throw WireReader.Malformed() }
        self.init(content)
    }

    package func write(to writer: inout WireWriter) { attachment.content.write(to: &writer) }
}

extension AttachmentFile {
    /// Creates a file without a name.
    ///
    /// - Parameter folder: The folder in whose file system it lies, or nil for a file in memory.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    static func unnamed(
        _ bytes: [UInt8], in folder: FilePath?, for purpose: String = "values"
    ) throws(AtriumError) -> AttachmentFile {
        if let folder { return AttachmentFile(taking: try UnnamedFile.create(bytes, in: folder)) }
        let file = try MemoryFile(bytes, named: purpose)
        defer { withExtendedLifetime(file) {} }
        return try AttachmentFile(duplicating: file.descriptor)
    }
}
