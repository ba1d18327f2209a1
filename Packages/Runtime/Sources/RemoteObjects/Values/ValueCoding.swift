package import ExtensionProtocol
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
    /// The plain values.
    package var plain: WireReader
    let objects: ObjectConnection
    private let values: ReceivedValues

    /// Begins to read values.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `parameterType` for values in a file that cannot be read or are too large.
    init(_ values: ReceivedValues) throws {
        plain = WireReader(try values.load())
        objects = values.objects
        self.values = values
    }

    /// Reads a reference to an object.
    mutating func readReference() throws(WireReader.Malformed) -> RemoteReference {
        try values.take(try plain.read()) { number throws(WireReader.Malformed) in try objects.reference(number) }
    }

    /// Reads a reference to a page of the other process.
    mutating func readRemotePage() throws(WireReader.Malformed) -> RemotePage {
        try values.take(try plain.read()) { number throws(WireReader.Malformed) in try objects.page(number) }
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
        guard let kind = ValueKind(rawValue: try plain.read()) else { throw WireReader.Malformed() }
        switch kind {
        case .nothing: return ()
        case .copy:
            let type = try CopiedTypes.read(from: &plain)
            return try type.init(from: &plain)
        case .closure:
            let name = try plain.readText()
            guard let type = ClosureTypes.type(named: name) else { throw WireReader.Malformed() }
            return type.make(try readReference())
        case .page: return try readPage()
        case .target: return try readTarget()
        case .interception: return try readInterception()
        case .parameters: return try readParameters()
        }
    }

    /// Reads named values.
    package mutating func readParameters() throws -> ActionParameters {
        var values: [String: any Sendable] = [:]
        for _ in 0..<(try plain.read(UInt32.self)) { values[try plain.readText()] = try readAny() }
        return ActionParameters(values)
    }
}
