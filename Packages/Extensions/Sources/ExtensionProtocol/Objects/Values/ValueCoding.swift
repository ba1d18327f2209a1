internal import HostSystem
package import PluginCore

/// A writer of values for the other process, in which objects become references.
package struct ValueWriter {
    /// The plain values. Their methods write numbers and texts.
    package var plain = WireWriter()
    /// The numbers of this process's objects, once for each reference that was written.
    private(set) var written: [UInt32] = []
    let objects: ObjectConnection

    init(_ objects: ObjectConnection) {
        self.objects = objects
    }

    var bytes: [UInt8] { plain.bytes }

    /// Writes a reference to an object.
    mutating func write(_ object: any ExportedObject) { writeExport(objects.export(object)) }

    /// Writes the number of an object of this process.
    mutating func writeExport(_ number: UInt32) {
        plain.write(number)
        written.append(number)
    }
}

/// A reader of values from the other process.
package struct ValueReader {
    /// The plain values, which are read from the budget that all values of the message have.
    package var plain: WireReader
    let objects: ObjectConnection
    private let values: ReceivedValues
    private let sender: MessageSender?

    /// Begins to read values.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `parameterType` for values in a file that cannot be read or are too large.
    init(_ values: ReceivedValues) throws {
        plain = WireReader(try values.load(), countedBy: values.take)
        objects = values.objects
        sender = objects.sender
        self.values = values
    }

    /// Reads a value whose first part says how it goes on. If that ends this process, its crash report names the sender.
    mutating func nested<Value>(_ body: (inout ValueReader) throws -> Value) throws -> Value {
        try plain.enter()
        defer { plain.leave() }
        let before = MessageSender.begin(sender)
        defer { MessageSender.end(before) }
        return try body(&self)
    }

    /// Reads a list of values.
    ///
    /// - Parameter copies: How many times the elements are in memory.
    mutating func readList<Value>(copies: Int = 1, _ body: (inout ValueReader) throws -> Value) throws -> [Value] {
        let count = try plain.readCount(of: Value.self, copies: copies)
        return try nested { reader in try (0..<count).map { _ in try body(&reader) } }
    }

    /// Reads a reference to an object.
    mutating func readReference() throws -> RemoteReference {
        try values.take(try plain.read()) { try objects.reference($0) }
    }

    /// Reads a reference to a page of the other process.
    mutating func readRemotePage() throws -> RemotePage {
        try values.take(try plain.read()) { try objects.page($0) }
    }
}

/// The ways in which a value passes to the other process.
private enum ValueKind: UInt8 {
    /// No value.
    case nothing
    /// A copy, after the description of its type.
    case copy
    /// A closure, after the name of its type.
    case closure
    /// A page.
    case page
    /// A target with its actions.
    case target
    /// The decision of an interceptor.
    case interception
    /// Named values.
    case parameters
}

extension ValueWriter {
    /// Writes a value of any type.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` and the given name for a value that cannot pass.
    package mutating func write(any value: any Sendable, named name: String) throws {
        switch value {
        case is Void: write(.nothing)
        case let value as any CopiedValue:
            write(.copy)
            type(of: value).writeType(to: &plain)
            value.write(to: &plain)
        case let page as any Page:
            write(.page)
            write(page)
        case let target as ActionTarget:
            write(.target)
            write(target)
        case let interception as Interception:
            write(.interception)
            try write(interception)
        case let parameters as ActionParameters:
            write(.parameters)
            try write(parameters)
        default:
            guard let type = ClosureTypes.type(of: value) else {
                throw AtriumError(
                    .parameterType, name, reason: "notTransferable", ["type": "\(Swift.type(of: value))"])
            }
            write(.closure)
            plain.write(type.name)
            write(try type.export(value))
        }
    }

    private mutating func write(_ kind: ValueKind) { plain.write(kind.rawValue) }

    /// Writes named values.
    package mutating func write(_ parameters: ActionParameters) throws {
        let values = parameters.values.sorted { $0.key < $1.key }
        plain.write(UInt32(values.count))
        for (name, value) in values {
            plain.write(name)
            try write(any: value, named: name)
        }
    }
}

extension ValueReader {
    /// Reads a value of any type.
    package mutating func readAny() throws -> any Sendable {
        try nested { reader in
            guard let kind = ValueKind(rawValue: try reader.plain.read()) else { throw WireReader.Malformed() }
            switch kind {
            case .nothing: return ()
            case .copy:
                let type = try CopiedTypes.read(from: &reader.plain)
                return try type.init(from: &reader.plain)
            case .closure:
                let name = try reader.plain.readText()
                guard let type = ClosureTypes.type(named: name) else { throw WireReader.Malformed() }
                return type.make(try reader.readReference())
            case .page: return try reader.readPage()
            case .target: return try reader.readTarget()
            case .interception: return try reader.readInterception()
            case .parameters: return try reader.readParameters()
            }
        }
    }

    /// Reads named values.
    package mutating func readParameters() throws -> ActionParameters {
        let values: [(String, any Sendable)] = try readList(copies: 3) { reader in
            (try reader.plain.readText(), try reader.readAny())
        }
        return ActionParameters(Dictionary(values) { $1 })
    }
}
