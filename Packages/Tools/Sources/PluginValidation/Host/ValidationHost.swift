import BundleFormat
import BundleStorage
import Console
import ExtensionHost
import HostSystem
import PageLayouts
import PluginCore
import PluginExtension
import PluginIsolation
import PluginRouter
import PluginRuntime
import Preflight
import Processes
import Resolver
import Registry
import Trust

/// A host without a user, in whose sandbox the plugin and its dependencies are installed.
///
/// The plugin gets the same context as in any other host. Only its routes have no guards.
@MainActor
final class ValidationHost {
    /// The answer of the plugin to a request.
    enum Answer {
        case page(any Page)
        case value
        case refused(String)
        /// There was no answer within the deadline.
        case late(String)
    }

    let navigator = ValidationNavigator()
    let log = ValidationLog()
    let manifest: Manifest
    let extensions: ExtensionManager
    let manager: Host
    let settings: ValidationSettings
    private let progress: CheckProgress
    /// Receives what has ended the process of a plugin that has its own.
    var onProcessEnd: (String) -> Void = { _ in }

    /// Creates a host, which reads and writes nothing yet.
    ///
    /// - Parameter onHang: called on a thread of its own when code blocks the main actor for too long.
    init(
        _ manifest: Manifest, in sandbox: FilePath, _ settings: ValidationSettings, languages: [String],
        _ progress: CheckProgress, onHang: @escaping @Sendable (HangReport) -> Void
    ) {
        self.manifest = manifest
        self.settings = settings
        self.progress = progress
        var services = HostServices(languages: languages) { [log] bundle, _, reason in log.add(bundle, reason) }
        services.crashMonitorLimits = CrashMonitorLimits(firstUse: settings.limit)
        services.defaults = DefaultsFile.init(in:report:)
        services.appGroup = AppGroupFolder.init(at:report:)
        services.willLoad = CodeOwners.add(_:owner:)
        services.onHang = onHang
        // As in a host, such plugins run confined.
        var isolation = IsolationSettings(runner: settings.runner) { EndedPageTexts(content: [$0.name], restart: "") }
        isolation.limits = ExtensionLimits(
            start: 30, request: Double(settings.deadline), end: 10, memory: isolation.limits.memory,
            fileSize: isolation.limits.fileSize, openFiles: isolation.limits.openFiles)
        services.isolation = isolation
        services.admission = [ExtensionRules()]
        var routing = HostRouting(navigator)
        routing.layoutPage = { try LayoutPage($0, of: $1, parameters: $2, router: $3) }
        routing.directory = { UnguardedRoutes(declared: $0.routes) }
        routing.limits.handlerDeadline = settings.limit
        routing.drainDeadline = settings.limit
        let sandbox = Sandbox(root: sandbox)
        manager = Host(
            at: sandbox, source: DirectoryCatalog(folder: settings.packages), choosing: .resolver,
            verifying: TeamVerification(
                shipped: ValidationPackages.trust(in: settings.folder), sandbox: sandbox),
            libraryCheck: LibraryPreflight(), services: services, routing: routing)
        extensions = ExtensionManager(manager, running: settings.runner)
        navigator.draw = { [weak self] in _ = self?.texts(of: $0) }
    }

    var identifier: BundleIdentifier { manifest.identity.identifier }

    /// Installs or updates the plugin to its version in the manifest, and installs all other packages of the validation.
    func install(_ what: String = "the package") async throws {
        progress.begin("install \(what)")
        let others = try DirectoryCatalog(folder: settings.packages).listing().packages.map(\.manifest.identity)
        let identities = [manifest.identity] + others.filter { $0.identifier != identifier }
        try await manager.change(identities.map { .install($0.identifier, $0.version) })
    }

    /// Loads the plugin, and creates its principal object.
    func load() async throws {
        progress.begin("load the plugin")
        try await noticingEnd { _ = try await manager.principal(of: identifier) }
    }

    /// Unloads the plugin.
    func unload() async {
        progress.begin("unload the plugin")
        await manager.deactivateAll()
    }

    /// Returns the folders that the installed bundles may write to.
    func writableFolders() throws -> [FilePath] {
        let sandbox = manager.sandbox
        return try manager.registry.active.all().map { sandbox.container(of: $0.active) }
            + manifest.appGroups.map { try sandbox.group($0) }
    }

    /// Sends all sample requests and calls, and performs each action of each page once.
    func useEverything() async {
        _ = await SampleCall.all(in: self)
        for request in await SampleRequest.all(in: self) {
            guard case .page(let page) = request.answer else { continue }
            navigator.keep(page)
            await use(page)
            navigator.close()
        }
    }

    /// Draws a page, and performs each of its actions once.
    func use(_ page: any Page) async {
        _ = texts(of: page)
        for action in watched(page).actions.map(\.description) {
            try? await perform(action.identifier, input: action.sampleInput, on: page)
        }
    }

    /// Begins a step, which is named if the plugin crashes or hangs during it.
    func begin(_ step: String) { progress.begin(step) }

    // MARK: Requests

    private var router: any Routing { manager.router.routing(for: .host) }

    /// Runs a request, and reports the end of a process that has a plugin of its own.
    ///
    /// Such an end is an error of the request, but no answer of the plugin.
    private func noticingEnd<R>(_ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch let error as AtriumError where error.code == .pluginCrashed || error.code == .pluginEnded {
            onProcessEnd("\(error.sentence), during: \(progress.step)")
            throw error
        }
    }

    /// Returns the page of an address.
    func page(for uri: ResourceURI, userInfo: ActionParameters = [:]) async throws -> any Page {
        try await noticingEnd { try await router.page(for: uri, userInfo: userInfo) }
    }

    /// Sends a request for an address, in the way that the kind of its route asks for.
    func request(_ uri: ResourceURI, as kind: RouteKind, userInfo: ActionParameters = [:]) async throws -> Answer {
        progress.begin("open \(uri.text)")
        switch kind {
        case .page: return .page(try await page(for: uri, userInfo: userInfo))
        case .object: _ = try await noticingEnd { try await router.object(for: uri, userInfo: userInfo) }
        case .handler:
            let open = navigator.pages.count
            defer { navigator.close(downTo: open) }
            _ = try await noticingEnd { try await router.open(uri, userInfo: userInfo, presentation: .push) }
        @unknown default: break
        }
        return .value
    }

    /// Calls an action with a deadline, which the mediator doesn't set.
    func call(_ action: String, on target: String, _ parameters: ActionParameters) async throws -> any Sendable {
        progress.begin("call \(target).\(action) with \(words(for: parameters.values))")
        return try await noticingEnd {
            try await Deadline(settings.limit).run("\(target).\(action)", of: identifier.text) { [manager] in
                try await manager.mediator.perform(action, on: target, parameters)
            }
        }
    }

    /// Performs an action of a page, and closes the pages that it opens.
    func perform(_ action: String, input: [String: String], on page: any Page) async throws {
        progress.begin("perform \(action) on the page \"\(watched(page).title)\" with \(words(for: input))")
        let open = navigator.pages.count
        defer { navigator.close(downTo: open) }
        try await noticingEnd {
            try await Deadline(settings.limit).runOnMain(action, of: identifier.text) { [self] in
                try await watched(page).perform(action, input: input, on: navigator)
            }
        }
    }

    /// Returns all texts that a page shows, as the user would read them.
    func texts(of page: any Page) -> [String] {
        let page = watched(page)
        var texts = [page.title]
        texts += page.content.flatMap(Self.texts)
        for action in page.actions.map(\.description) {
            texts += [action.title]
            for field in action.fields {
                texts += [field.label, field.initial, field.message ?? ""]
                if case .choice(let options) = field.kind { texts += options.map(\.title) }
            }
        }
        return texts
    }

    private static func texts(of element: PageElement) -> [String] {
        switch element {
        case .heading(let text), .text(let text): [text]
        case .field(let label, let value): [label, value]
        case .list(let rows): rows.flatMap { [$0.title, $0.detail, $0.image?.text ?? ""] }
        case .image(let image): [image.text]
        case .progress(let label, _): [label]
        case .section(let title, let elements): [title] + elements.flatMap(texts)
        default: []
        }
    }

    /// Returns parameters as a text for a step.
    private func words(for values: [String: any Sendable]) -> String {
        if values.isEmpty { return "no parameters" }
        return values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }

    func watched(_ page: any Page) -> any Page { manager.pageWatcher.watched(page) }
}
