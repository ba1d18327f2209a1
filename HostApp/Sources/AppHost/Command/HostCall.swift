import PluginRouter
import Resolver
import Trust
import Registry
import Console
import BundleStorage
import ExtensionHost
import PluginCatalog
import PluginCore
import PluginRuntime
import RemoteCatalog
import Synchronization
import Glibc
import Preflight
import Processes

/// One parsed invocation of the command line, with its sandbox, catalog, languages and output format.
@MainActor
final class HostCall {
    let parsed: ParsedCommand
    let isJSON: Bool
    /// The terminal that answers are written to, queried each time because a window can be resized.
    var terminal: Terminal { Terminal(.output) }
    let progress: InstallProgress
    /// The results of the installs on demand in the open session.
    private let installed = Mutex<[InstallReport]>([])
    /// The open session.
    private(set) var session: Session?
    private var sessionEnd: SessionEnd?
    /// A Boolean value that indicates whether a signal has ended the open session.
    var isEnding: Bool { sessionEnd?.isBySignal ?? false }
    private var sharedExtensions: ExtensionManager?
    let environment: HostEnvironment
    /// Asks the user whether a link may leave the app, in place of a question on the terminal.
    var linkQuestion: OutboundLinks.Question?
    /// The screens of the open session, if it has any.
    weak var screens: ScreenSession?
    /// The links that must not be passed on to the system again.
    let passedLinks = PassedLinks()
    let sandbox: Sandbox
    /// The place that the user has named; `nil` for the catalogs of the sandbox, or else the host's own.
    private let namedPlace: CatalogPlace?
    /// The certificate authorities of web servers in this call; `nil` for those of the catalogs, or else the system's.
    private let namedAuthorities: FilePath?
    /// The app, whose bundle.json is the given file, the one in the program, or the file beside it.
    private(set) var app: CallApp
    /// Receives the progress of installs in place of the lines on standard error.
    var installObserver: LifecycleObserver?
    /// The theme that pages are drawn with, cached after the first page was drawn.
    var theme: Theme??

    /// Creates a call from parsed arguments.
    ///
    /// - Parameter sandbox: the sandbox of the enclosing call, if there is one.
    /// - Throws: `UsageError` for an empty option or argument, because an unset shell variable would otherwise name the working
    ///   folder, and if no sandbox is given and the user has no home folder.
    init(
        parsed: ParsedCommand, environment: HostEnvironment, takesEmptyArguments: Bool = false, sandbox: Sandbox? = nil
    ) throws(UsageError) {
        self.parsed = parsed
        self.environment = environment
        func path(_ option: String) throws(UsageError) -> FilePath? {
            try parsed.value(option).map(environment.resolve)
        }
        var root = try path("sandbox")
        if sandbox == nil, root == nil { root = try environment.sandbox() }
        let named = root.map { Sandbox(root: $0, isForDevelopment: parsed.flag("development")) }
        guard let sandbox = sandbox ?? named else {
            throw parsed.missing("--sandbox <DIR>", adding: "--sandbox <DIR>")
        }
        self.sandbox = sandbox
        namedPlace = try parsed.value("catalog").map(environment.catalogPlace)
        namedAuthorities = try path("catalog-ca")
        app = CallApp(named: try path("composition"), in: environment)
        isJSON = parsed.flag("json")
        progress = InstallProgress(of: parsed.path.first)
        for option in HostCommands.root.globalOptions where parsed.value(option.name) == "" {
            throw UsageError(
                .missingValue, subject: "--\(option.name)",
                expected: ["--\(option.name) <\(option.placeholder ?? "")>"], command: ["hostapp"] + parsed.path)
        }
        guard !takesEmptyArguments else { return }
        for argument in parsed.command.arguments where parsed.arguments(argument.name).contains("") {
            throw parsed.missing("<\(argument.name)>")
        }
    }

    /// The catalogs, of which nothing is fetched until it is needed.
    private(set) lazy var catalogs = CallCatalogs(
        namedPlace, trusting: namedAuthorities, of: sandbox, in: environment)

    /// The items of the sandbox and its catalogs that a user can name.
    var hostItems: HostItems { HostItems(sandbox, namedPlace, app, in: environment) }

    /// The list of the catalogs that were added to the sandbox.
    var catalogSources: CatalogSourceFile { CatalogSourceFile(catalogs: sandbox.catalogs) }

    /// Returns a catalog that is about to be added to the sandbox.
    func catalog(of source: CatalogSource) throws(AtriumError) -> RemoteCatalog {
        try RemoteCatalog(source, authorities: namedAuthorities, in: sandbox)
    }

    /// The policy and the observer of installs on demand.
    private(set) var onDemand = OnDemandSettings()

    /// The manager of the sandbox; it reads and writes nothing until its first use.
    private(set) lazy var manager = makeManager(.installingOnDemand(PageStack(), onDemand), nil)

    /// The trust store of the sandbox.
    var trust: TrustFile { TrustFile(shipped: environment.trust, sandbox: sandbox) }

    /// The registry of the versions in the sandbox.
    var registry: Registry { manager.registry }
    /// The changes that can be made to the sandbox.
    var transactions: SandboxTransactions { manager.transactions }

    private func makeManager(_ routing: HostRouting, _ composition: ComposedRoutes?) -> Host {
        let host = HostConfiguration.current
        var services = HostServices(languages: languages, converters: host.converters, log: log)
        services.targets = host.targets
        services.provided = host.services
        services.command = command
        services.isolation = isolation(in: composition)
        services.defaults = DefaultsFile.init(in:report:)
        services.appGroup = AppGroupFolder.init(at:report:)
        services.watchRegistry = { try FolderWatch(database: $0, onChange: $1) }
        services.willLoad = { [reports = sandbox.crashReports] in
            CodeOwners.add($0, owner: $1)
            CrashReporting.begin(in: reports)
        }
        services.onHang = { [isJSON] in
            $0.stack.report()
            HostProcess.end(for: $0, isJSON: isJSON)
        }
        services.observer = observer
        // A line that a process of a plugin or extension has printed to standard error, as those of a plugin in this process.
        services.output = { name, line in StandardOutput.note("\(printable(name)): \(printable(line))\n") }
        services.admission = [app, ExtensionRules()]
        let builtIn = environment.builtIn.map { DirectoryCatalog(folder: $0) }
        return Host(
            at: sandbox, source: builtIn.map { LayeredCatalog([$0, catalogs.catalog]) } ?? catalogs.catalog,
            builtIn: builtIn, choosing: .resolver, verifying: TeamVerification(trust),
            libraryCheck: LibraryPreflight(offering: host.libraries), services: services, routing: routing)
    }

    /// Creates the manager of a session, which works by a composition and replaces the manager of this call.
    ///
    /// - Throws: ``AtriumError`` if a guard or a fallback of the composition cannot be registered.
    func manager(for composed: ComposedRoutes, on stack: PageStack) throws(AtriumError) -> Host {
        manager = makeManager(composed.routing(on: stack, onDemand), composed)
        try composed.install(in: manager)
        sharedExtensions = nil
        return manager
    }

    /// The manager of the extensions in this call's sandbox.
    ///
    /// All commands in a session use the same one, so that a process can wait for the next request.
    var extensions: ExtensionManager {
        let extensions = sharedExtensions ?? ExtensionManager(manager, running: environment.extensionRunner)
        sharedExtensions = extensions
        return extensions
    }

    /// The origin of requests, which is the host's user or, with `--external`, a link from outside the app.
    var origin: RequestOrigin { parsed.flag("external") ? .external : .host }

    /// Resolves a path from the command line against the folder that the program was started in.
    func resolve(_ path: String) throws(UsageError) -> FilePath { try environment.resolve(path) }

    /// Creates a call of another command that shares this call's session, manager, sandbox and catalog.
    func nested(_ parsed: ParsedCommand) throws(UsageError) -> HostCall {
        let call = try HostCall(parsed: parsed, environment: environment, sandbox: sandbox)
        call.manager = manager
        call.onDemand = onDemand
        call.app = app
        call.catalogs = catalogs
        call.session = session
        call.sharedExtensions = extensions
        return call
    }

    /// The app's composition: from the given file, the file beside the program, or the installed bundle that it names.
    ///
    /// - Throws: ``AtriumError`` with code `compositionInvalid`, `fileUnknown`, `inputOutput`, or the reason why the bundle is not used.
    func composition() throws(AtriumError) -> ComposedRoutes { try app.composition(in: manager) }

    /// The app's composition at the start of a session, which keeps it until the session ends.
    func sessionComposition() async throws -> ComposedRoutes {
        // A staged bundle.json becomes active before it is read.
        if try app.own().composed.bundle != nil { try await manager.prepareForLaunch() }
        return try composition()
    }

    /// Runs a body with a session on the manager's router.
    ///
    /// However the body ends, the session is closed and the active bundles are deactivated.
    ///
    /// - Parameters:
    ///   - origin: the origin of the requests that the session makes.
    func inSession<Outcome: Sendable>(
        _ composed: ComposedRoutes, as origin: RequestOrigin = .host,
        onNotice: @escaping @MainActor (String) -> Void,
        _ body: @escaping @MainActor (Session) async throws -> Outcome
    ) async throws -> Outcome {
        let stack = PageStack()
        let manager = try manager(for: composed, on: stack)
        try passLinksOn(from: manager.router, in: composed)
        onDemand.allow(by: onDemandPolicy(in: composed))
        onDemand.observe { [weak self] reports in
            self?.installed.withLock { $0 += reports }
            let lines = reports.map(\.permissionLines).joined()
            if !lines.isEmpty { StandardOutput.note(lines) }
        }
        let session = Session(
            router: manager.router.routing(for: origin), mediator: manager.mediator.mediator(for: origin),
            stack: stack, onNotice: onNotice)
        self.session = session
        try await manager.prepareForLaunch()
        let updates = BackgroundUpdates(manager: manager, composition: composed, show: onNotice)
        updates.start()
        let end = SessionEnd { [self] isBySignal in
            if isBySignal { await session.interruptAll() }
            await updates.stop()
            await session.close()
            await sharedExtensions?.endAll()
            await manager.deactivateAll()
        }
        sessionEnd = end
        let outcome = await attempt { try await body(session) }
        await end.finish()
        end.close()
        (self.session, sessionEnd) = (nil, nil)
        return try outcome.get()
    }

    /// The permissions that the installs on demand in the open session have added, for scripts.
    var permissionsJSON: [JSONText] { installed.withLock { $0 }.permissionsJSON }

    /// The command and its arguments without options.
    var command: String {
        let arguments = parsed.command.arguments.flatMap { parsed.arguments($0.name) }
        return redacted((["hostapp"] + parsed.path + arguments).joined(separator: " "))
    }

    var languages: [String] {
        parsed.value("language").map { [HostEnvironment.tag(ofLocale: $0)] } ?? environment.languages
    }

    /// An observer that shows the progress of installs and, with `--verbose`, every step of every version.
    private var observer: LifecycleObserver {
        if let installObserver { return installObserver }
        let progress = progress
        guard parsed.flag("verbose") else { return progress.observe }
        return { event in
            progress.observe(event)
            // Downloads are shown by the progress bar.
            if case .downloading = event.state { return }
            StandardOutput.note("\(printable(event.identity.description)): \(printable(event.state.words))\n")
        }
    }

    var log: HostServices.Log {
        let threshold = parsed.flag("verbose") ? BundleLogger.Level.debug : .error
        return { bundle, level, message in
            guard level >= threshold else { return }
            StandardOutput.note("\(printable(bundle)): \(level.rawValue): \(printable(message.sentence))\n")
        }
    }
}
