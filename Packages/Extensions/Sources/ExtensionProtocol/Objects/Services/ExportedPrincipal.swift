package import PluginCore
import Synchronization

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

    package func run(_ number: UInt8, _ arguments: inout WireReader) async throws -> any WireEncodable {
        let function = Function(rawValue: number)
        if function == .start, let objects = arguments.objects { return try await start(in: objects) }
        guard let principal = started.withLock({ $0 }) else { throw WireReader.Malformed() }
        switch function {
        case .accepts: return await principal.accepts(try arguments.read())
        case .resource: return try await principal.resource(for: arguments.read())
        case .unload: await principal.bundleWillUnload()
        case .start, nil: throw WireReader.Malformed()
        }
        return EmptyReply()
    }

    /// Releases the principal object, which thereby closes its files.
    package func release() { started.withLock { $0 = nil } }

    @MainActor
    private func start(in objects: ObjectConnection) async throws -> [ActionTarget] {
        let principal = try await type.start(context(objects))
        started.withLock { $0 = principal }
        return type.declarations.targets.compactMap { principal.target(named: $0.name) }
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
        let list: [ActionTarget] = try await objects.call(ExportedPrincipal.Function.start)
        let targets = Dictionary(list.map { ($0.name, $0) }) { $1 }
        self.init(object) { request in
            // A route that cannot be asked gets the request, so that its caller sees the error.
            (try? await objects.call(ExportedPrincipal.Function.accepts, request, as: Bool.self)) ?? true
        } resource: { request in
            let resource: Resource = try await objects.call(ExportedPrincipal.Function.resource, request)
            if case .page(let page as RemotePage) = resource { page.request = request }
            return resource
        } target: { name in
            targets[name]
        } unload: {
            try? await objects.call(ExportedPrincipal.Function.unload)
        }
    }
}

extension ActionTarget: WireValue {
    /// Writes the target, whose actions the other process can perform.
    package func write(to writer: inout WireWriter) {
        let perform: @Sendable (String, ActionParameters) async throws -> AnyValue = { name, parameters in
            let value: any Sendable
            if let action = action(name) {
                value = try await action.body(parameters)
            } else if let notFound {
                value = try await notFound(name, parameters)
            } else {
                throw WireReader.Malformed()
            }
            return AnyValue(value, named: "\(self.name).\(name)")
        }
        writer.write(name, actionNames, notFound != nil, ExportedClosure(perform))
    }

    package init(from reader: inout WireReader) throws {
        let (name, actions, handlesUnknown): (String, [String], Bool) = try reader.read()
        let reference = try reader.read(RemoteReference.self)
        let perform: NotFound = { name, parameters in
            try await reference.call(name, parameters, as: AnyValue.self).value
        }
        self.init(
            name, actions: actions.map { name in Action(name) { try await perform(name, $0) } },
            notFound: handlesUnknown ? perform : nil)
    }
}
