public import PluginCore
public import PluginExtension
public import PluginRuntime
public import Registry

/// The settings of a host for plugins that run in processes of their own.
///
/// ```swift
/// var isolation = IsolationSettings(runner: folder.appending("extension-runner")) { ended in
///     EndedPageTexts(content: ["\(ended.name) has ended unexpectedly."], restart: "Start again")
/// }
/// isolation.policy = { $0.seal.team == "com.example" ? $0.isolation : .process }
/// services.isolation = isolation
/// ```
public struct IsolationSettings: Sendable {
    /// The program `extension-runner`.
    public var runner: FilePath
    /// The limits for the process of a plugin. The time for a request is the one for which the plugin may block its main thread.
    public var limits = ExtensionLimits(
        start: 30, request: 20, end: 10, memory: 1 << 30, fileSize: 1 << 30, openFiles: 256)
    /// Returns where the plugin of a version runs; by default, where its manifest asks for.
    public var policy: @Sendable (PluginBundle) -> BundleIsolation = { $0.isolation }
    /// Returns the texts of a page whose process has ended.
    public var endedPageTexts: @Sendable (EndedPlugin) -> EndedPageTexts

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - runner: The program `extension-runner`.
    ///   - endedPageTexts: Returns the texts of a page whose process has ended.
    public init(runner: FilePath, endedPageTexts: @escaping @Sendable (EndedPlugin) -> EndedPageTexts) {
        self.runner = runner
        self.endedPageTexts = endedPageTexts
    }
}

extension IsolationSettings: PluginProcesses {
    /// Returns whether the policy isolates a version.
    public func isolates(_ bundle: PluginBundle) -> Bool { policy(bundle) == .process }

    /// Starts the runner, which loads the verified libraries.
    public func start(
        _ entry: String, of bundle: PluginBundle, for host: PluginProcessHost
    ) async throws -> any PluginProcess {
        let code = try PreparedCode(entry, of: bundle, using: host.data, by: host.policy)
        return try await IsolatedPlugin(code, self, for: host)
    }

    /// Counts a crash of a version, which is quarantined after three in five minutes.
    public func count(_ crash: AtriumError, of bundle: PluginBundle, in host: LiveUpdates) async throws {
        try await ProcessCrashCounter(host).count(crash, in: bundle)
    }

    /// Counts the ends of hosts that crashed while they handled a message of a process.
    public func countEndsOfHosts(in host: LiveUpdates) async {
        await ProcessCrashCounter(host).countEndsOfHosts()
    }

    /// Hides a widget on behalf of the bundle that contains it, or shows it again.
    public func setHasContent(
        _ hasContent: Bool, of widget: String, by bundle: BundleIdentifier, in registry: Registry
    ) throws(AtriumError) {
        try registry.extensionChoices.setHasContent(hasContent, of: widget, by: bundle)
    }
}
