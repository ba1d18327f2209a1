internal import ExtensionProtocol
internal import PluginCore

/// A target whose actions the other process can perform.
struct ExportedTarget: ExportedObject {
    /// The functions of a target.
    enum Function: UInt8 {
        /// Performs an action; the arguments are its name and its parameters.
        case perform
    }

    let target: ActionTarget

    func run(_ function: UInt8, _ arguments: inout ValueReader, _ result: inout ValueWriter) async throws {
        guard Function(rawValue: function) == .perform else { throw WireReader.Malformed() }
        let name = try arguments.plain.readText()
        let parameters = try arguments.readParameters()
        let value: any Sendable
        if let action = target.action(name) {
            value = try await action.body(parameters)
        } else if let notFound = target.notFound {
            value = try await notFound(name, parameters)
        } else {
            throw WireReader.Malformed()
        }
        try result.write(any: value, named: "\(target.name).\(name)")
    }
}

extension ValueWriter {
    mutating func write(_ target: ActionTarget) {
        plain.write(target.name)
        plain.write(target.actionNames)
        plain.write(target.notFound != nil)
        write(ExportedTarget(target: target))
    }
}

extension ValueReader {
    mutating func readTarget() throws(WireReader.Malformed) -> ActionTarget {
        let (name, actions) = (try plain.readText(), try plain.readTexts())
        let handlesUnknown = try plain.readBool()
        let reference = try readReference()
        let perform: ActionTarget.NotFound = { name, parameters in
            var result = try await reference.call(ExportedTarget.Function.perform) { writer in
                writer.plain.write(name)
                try writer.write(parameters)
            }
            return try result.readAny()
        }
        return ActionTarget(
            name, actions: actions.map { name in Action(name) { try await perform(name, $0) } },
            notFound: handlesUnknown ? perform : nil)
    }
}
