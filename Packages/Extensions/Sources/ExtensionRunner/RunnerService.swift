import BundleStorage
import Confinement
import ConfinementReporting
import ExtensionProtocol
import HostSystem
import PluginCore
import PluginExtension
import Processes
import Synchronization

/// The extension's side of the connection: it loads the extension and handles the host's requests.
final class RunnerService: ConnectionHandler {
    /// The exit status after the host has closed the connection.
    private static let closed: Int32 = 0
    /// The exit status if the system denies what the connection needs.
    private static let failed: Int32 = 71
    /// The exit status after the host has broken a rule of the protocol.
    private static let violated: Int32 = 76

    /// The address space for code, files and what threads reserve without using it, such as 64 MiB for the heap of each, in bytes.
    private static let reservedSpace: UInt64 = 1 << 30

    private let launch: Launch
    private let confinement: Result<ConfinementReport, AtriumError>
    private let connection: Connection
    private let reader: FrameReader
    private let principal = Mutex<(any ExtensionDelegate)?>(nil)
    private let plugin = Mutex<ExportedPrincipal?>(nil)
    private let shared = Mutex<ObjectConnection?>(nil)
    private let requests = Mutex<[UInt32: RunnerRequest]>([:])

    /// Receives the extension to launch, and takes from this process all rights that it does not need for it.
    ///
    /// - Parameters:
    ///   - connection: The descriptor of the socket.
    ///   - note: The descriptor of the note that describes a crash.
    init(connectedBy connection: Int32, reportingCrashesTo note: Int32) throws {
        Inheritance.closeFiles(from: max(connection, note) + 1)
        Inheritance.clearEnvironment()
        try Inheritance.resetSignals()
        let socket = MessageSocket(taking: connection)
        (launch, reader) = try Handshake(socket).receiveLaunch()
        try ProcessCrash.install(in: note)
        var policy = ConfinementPolicy(parent: launch.host)
        policy.limits.addressSpace = launch.memory + Self.reservedSpace
        policy.limits.data = launch.memory
        policy.limits.openFiles = UInt64(launch.openFiles)
        policy.limits.processorSeconds = launch.processorSeconds == 0 ? nil : UInt64(launch.processorSeconds)
        policy.limits.fileSize = launch.fileSize
        policy.readable = launch.readable.map { FilePath($0) }
        policy.writable = launch.writable.map { FilePath($0) }
        policy.isNetworkAllowed = launch.hasNetwork
        confinement = Result { try policy.apply() }.mapError { error in
            error as? AtriumError ?? AtriumError(.init("confinementFailed"), "", reason: .verbatim("\(error)"))
        }
        do {
            self.connection = try Connection(socket, limits: launch.isPlugin ? .ofPlugin : .ofExtension)
        } catch {
            Self.end(after: error)
        }
    }

    /// Handles requests until the host closes the connection, and then ends the process.
    func run() async {
        do {
            try connection.start(after: reader, handler: self)
        } catch {
            Self.end(after: error)
        }
        // The thread of the connection ends the process.
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    private static func end(after error: AtriumError) -> Never {
        CurrentProcess.report("extension-runner: \(error)")
        CurrentProcess.end(status: failed)
    }

    // MARK: Messages

    func receive(_ request: IncomingRequest) throws(ProtocolViolation) {
        switch request.method {
        case Messages.launch.number: request.reply { @MainActor in try await self.start() }
        case Messages.begin.number:
            let content = try request.decode(Messages.begin)
            let task = Task { @MainActor in await begin(content, request) }
            request.onCancel { task.cancel() }
        case Messages.end.number:
            request.reply { @MainActor [self] in
                await principal.withLock { $0 }?.extensionWillEnd()
                // The objects that the host uses are released, so that they close their files.
                shared.withLock { $0 }?.releaseAll()
                plugin.withLock { $0 }?.release()
                return EmptyReply()
            }
        default:
            guard let objects = shared.withLock({ $0 }) else { throw .messageUnknown(request.method) }
            try objects.receive(request)
        }
    }

    func receive(_ event: Frame) throws(ProtocolViolation) {
        guard event.method == Messages.expire.number else {
            guard let objects = shared.withLock({ $0 }) else { throw .messageUnknown(event.method) }
            return try objects.receive(event)
        }
        let (request, milliseconds) = try event.decode(Messages.expire)
        requests.withLock { $0[request] }?.expire(in: .milliseconds(Int(milliseconds)))
    }

    func connectionEnded(_ end: Connection.End) {
        if case .violation = end { CurrentProcess.end(status: Self.violated) }
        CurrentProcess.end(status: Self.closed)
    }

    // MARK: The code

    /// Loads the libraries. Creates the principal object of an extension; that of a plugin is created by a call of the host.
    @MainActor
    private func start() async throws -> Launch.Reply {
        let report = try confinement.get()
        let identity = try identity()
        let entry = try load(identity)
        if launch.isPlugin, let type = entry?.principalType {
            try offer(type, of: identity)
            return Launch.Reply(point: nil, confinement: report)
        }
        guard let type = entry?.extensionType else {
            throw AtriumError(.libraryIncompatible, launch.identifier, reason: "entryNoExtension")
        }
        let environment = try environment(identity)
        share(root: nil, storingIn: environment.container)
        let started = try await type.start(environment)
        principal.withLock { $0 = started }
        return Launch.Reply(point: type.declaration.identifier, confinement: report)
    }

    /// Lets the host start the plugin, whose mediator, router, services and events are those of the host.
    private func offer(_ type: PrincipalType, of identity: BundleIdentity) throws {
        let environment = try environment(identity)
        let groups = groups(environment.logger)
        let principal = ExportedPrincipal(type) { objects in
            let host = RemoteHost(of: objects) { environment.logger.error($0) }
            return BundleContext(
                identity: identity, resources: environment.resources, container: environment.container,
                defaults: environment.defaults, groups: groups, widgets: environment.widgets,
                logger: environment.logger,
                mediator: host, router: host, services: host, events: host)
        }
        plugin.withLock { $0 = principal }
        share(root: principal, storingIn: environment.container)
    }

    /// Begins to share objects with the host.
    private func share(root: ExportedPrincipal?, storingIn container: BundleContainer) {
        var settings = ObjectConnectionSettings()
        settings.folder = container.temporary
        let objects = ObjectConnection(root: root, settings)
        objects.start(on: connection)
        shared.withLock { $0 = objects }
    }

    private func identity() throws(AtriumError) -> BundleIdentity {
        guard let identifier = BundleIdentifier(launch.bundle), let version = SemanticVersion(launch.version) else {
            throw AtriumError(.libraryIncompatible, launch.bundle, reason: "identityInvalid")
        }
        return BundleIdentity(identifier: identifier, version: version)
    }

    /// Opens the libraries by their descriptors, so that what the host has verified is what is loaded.
    private func load(_ identity: BundleIdentity) throws(AtriumError) -> EntryDescription? {
        var entry: EntryDescription?
        for (number, library) in launch.libraries.enumerated() {
            let name = LibraryFile.name(of: library.descriptor)
            CodeOwners.add(name, number: number)
            let opened = try DynamicLibrary(opening: name, at: FilePath(name), after: [], of: identity)
            entry = try opened.entry(of: identity)
        }
        return entry
    }

    private func environment(_ identity: BundleIdentity) throws(AtriumError) -> ExtensionEnvironment {
        guard let identifier = BundleIdentifier(launch.identifier) else {
            throw AtriumError(.libraryIncompatible, launch.identifier, reason: "identityInvalid")
        }
        let container = BundleContainer(root: FilePath(launch.container))
        let logger = BundleLogger { [connection] level, text in
            connection.send(Messages.log, level.rawValue, String(text.prefix(10_000)))
        }
        let resources = BundleResources(root: FilePath(launch.resources), languages: launch.languages) {
            [weak self] name, limit throws(AtriumError) in
            guard let self else { throw AtriumError(.resourceUnknown, name) }
            return try content(of: name, limit: limit)
        } onRefusedTexts: { error in
            logger.error("texts are not shown: \(error)")
        }
        return ExtensionEnvironment(
            identifier: identifier, bundle: identity, resources: resources, container: container,
            defaults: DefaultsFile(in: container) { logger.error("\($0)") },
            groups: groups(logger), widgets: widgets, logger: logger)
    }

    private func groups(_ logger: BundleLogger) -> [AppGroup] {
        launch.groups.map { name, path in
            AppGroup(name, storage: AppGroupFolder(at: FilePath(path)) { logger.error("\($0)") })
        }
    }

    private var widgets: WidgetController {
        WidgetController { [connection] hasContent, widget in
            _ = try await connection.request(Messages.setHasContent, widget.text, hasContent)
        }
    }

    /// Returns the content of a resource from the host, which verifies it. Blocks the calling thread.
    private func content(of name: String, limit: Int) throws(AtriumError) -> [UInt8] {
        do {
            let content = try connection.requestBlocking(Messages.resource, name)
            guard try content.size <= limit else {
                throw AtriumError(.resourceInvalid, name, reason: "fileTooLarge", ["limit": .integer(limit)])
            }
            return try content.load(limit: limit)
        } catch {
            throw error as? AtriumError ?? AtriumError(.inputOutput, name)
        }
    }

    @MainActor
    private func begin(_ content: RequestContent, _ incoming: IncomingRequest) async {
        guard let principal = principal.withLock({ $0 }), let objects = shared.withLock({ $0 }) else {
            return incoming.fail(AtriumError(.bundleUnavailable, launch.identifier))
        }
        let request = RunnerRequest(
            incoming, connection, objects, storingIn: BundleContainer(root: FilePath(launch.container)).temporary
        ) { [weak self] in
            self?.requests.withLock { $0[incoming.number] = nil }
        }
        requests.withLock { $0[incoming.number] = request }
        do {
            try await principal.beginRequest(content.value, items: content.items, host: request)
        } catch {
            request.cancel(
                error as? AtriumError ?? AtriumError(.pluginFailed, launch.identifier, reason: .verbatim("\(error)")))
        }
    }
}
