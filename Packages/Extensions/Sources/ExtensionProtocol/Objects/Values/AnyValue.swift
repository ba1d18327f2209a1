package import PluginCore

/// A value of any type that can pass to the other process.
package struct AnyValue: WireValue {
    package let value: any Sendable
    /// The name that the error about a value that cannot pass has as its subject.
    private let name: String

    package init(_ value: any Sendable, named name: String) {
        self.value = value
        self.name = name
    }

    /// The ways in which a value passes to the other process.
    private enum Kind: UInt8 {
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

    /// Writes the value. One that cannot pass is an error with code `parameterType`.
    package func write(to writer: inout WireWriter) {
        func write(_ kind: Kind, _ value: some WireEncodable) { writer.write(kind.rawValue, value) }
        switch value {
        case is Void: write(.nothing, EmptyReply())
        case let value as any CopiedValue:
            writer.write(Kind.copy.rawValue)
            for byte in type(of: value).typeDescription { writer.write(byte) }
            value.write(to: &writer)
        case let page as any Page: write(.page, PassedPage(page))
        case let target as ActionTarget: write(.target, target)
        case let interception as Interception: write(.interception, interception)
        case let parameters as ActionParameters: write(.parameters, parameters)
        default:
            guard let type = ClosureTypes.type(of: value), let closure = type.export(value) else {
                return writer.fail(
                    AtriumError(.parameterType, name, reason: "notTransferable", ["type": "\(Swift.type(of: value))"]))
            }
            writer.write(Kind.closure.rawValue, type.name, closure)
        }
    }

    package init(from reader: inout WireReader) throws {
        name = ""
        value = try reader.nested { reader in
            guard let kind = Kind(rawValue: try reader.read()) else { throw WireReader.Malformed() }
            switch kind {
            case .nothing: return ()
            case .copy: return try CopiedTypes.read(from: &reader).init(from: &reader)
            case .closure:
                let (name, reference): (String, RemoteReference) = try reader.read()
                guard let type = ClosureTypes.type(named: name) else { throw WireReader.Malformed() }
                return type.make(reference)
            case .page: return try reader.read(PassedPage.self).page
            case .target: return try reader.read(ActionTarget.self)
            case .interception: return try reader.read(Interception.self)
            case .parameters: return try reader.read(ActionParameters.self)
            }
        }
    }
}

extension ActionParameters: WireValue {
    package init(from reader: inout WireReader) throws {
        self.init(
            Dictionary(try reader.readList(copies: 3) { try $0.read() as (String, AnyValue) }) { $1 }.mapValues(\.value)
        )
    }

    package func write(to writer: inout WireWriter) {
        let values = values.sorted { $0.key < $1.key }
        writer.write(values) { $0.write($1.key, AnyValue($1.value, named: $1.key)) }
    }
}
