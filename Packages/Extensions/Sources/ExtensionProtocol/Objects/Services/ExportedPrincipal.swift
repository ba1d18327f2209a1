package import PluginCore
internal import Synchronization

/// The principal object of a plugin, which the host calls: the object with number 0 of the plugin's process.
package final class ExportedPrincipal: ExportedObject {
    /// The functions of a principal object.
    enum Function: UInt8 {
        /// Creates the object, and returns its targets.
        case start
        case accepts, resource, unload
    }

    private let type: PrincipalType
    private let context: @Sendable (ObjectConnection) -> BundleContext
    private let started = Mutex<Principal?>(nil)

    /// Creates the object of a plugin that the host has yet to start.
    ///
    /// - Parameters:
    ///   - type: The type of the principal object.
    ///   - context: Returns the plugin's context.
    package init(_ type: PrincipalType, context: @escaping @Sendable (ObjectConnection) -> BundleContext) {
        self.type = type
        self.context = context
    }

    package func run(
        _ number: UInt8, _ arguments: inout ValueReader, _ result: inout ValueWriter
    ) async throws {
        guard let function = Function(rawValue: number) else { throw WireReader.Malformed() }
        if function == .start { return try await start(in: arguments.objects, &result) }
        guard let principal = started.withLock({ $0 }) else { throw WireReader.Malformed() }
        switch function {
        case .start: break
        case .accepts: result.plain.write(await principal.accepts(try arguments.readRequest()))
        case .resource: try result.write(await principal.resource(for: try arguments.readRequest()))
        case .unload: await principal.bundleWillUnload()
        }
    }

    /// Releases the principal object, which thereby closes its files.
    package func release() { started.withLock { $0 = nil } }

    @MainActor
    private func start(in objects: ObjectConnection, _ result: inout ValueWriter) async throws {
        let principal = try await type.start(context(objects))
        started.withLock { $0 = principal }
        let targets = type.declarations.targets.compactMap { principal.target(named: $0.name) }
        result.plain.write(UInt32(targets.count))
        for target in targets { result.write(target) }
    }
}

extension Principal {
    /// Starts a plugin in another process.
    ///
    /// - Parameters:
    ///   - object: An object that keeps the process alive.
    ///   - objects: The connection to the process.
    /// - Throws: The errors of the plugin's `init`, and those of a call.
    package init(starting object: any AnyObject & Sendable, calledBy objects: ObjectConnection) async throws {
        var reply = try await objects.callRoot(ExportedPrincipal.Function.start)
        let list = try reply.readList(copies: 3) { reader in try reader.readTarget() }
        let targets = Dictionary(list.map { ($0.name, $0) }) { $1 }
        self.init(object) { request in
            // A route that cannot be asked gets the request, so that its caller sees the error.
            var reply = try? await objects.callRoot(ExportedPrincipal.Function.accepts) { try $0.write(request) }
            return (try? reply?.plain.readBool()) ?? true
        } resource: { request in
            var reply = try await objects.callRoot(ExportedPrincipal.Function.resource) { try $0.write(request) }
            let resource = try reply.readResource()
            if case .page(let page as RemotePage) = resource { page.request = request }
            return resource
        } target: { [targets] name in
            targets[name]
        } unload: {
            _ = try? await objects.callRoot(ExportedPrincipal.Function.unload)
        }
    }
}

extension ValueWriter {
    /// Writes a target whose actions the other process can perform.
    mutating func write(_ target: ActionTarget) {
        plain.write(all: target.name, target.actionNames, target.notFound != nil)
        write(
            ExportedClosure { arguments, result in
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
            })
    }
}

extension ValueReader {
    mutating func readTarget() throws -> ActionTarget {
        let (name, actions, handlesUnknown): (String, [String], Bool) = try plain.values()
        let reference = try readReference()
        let perform: ActionTarget.NotFound = { name, parameters in
            var result = try await reference.callClosure { writer in
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
