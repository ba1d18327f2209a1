import ExtensionProcess
import ExtensionProtocol
import HostSystem
public import PluginCore
public import PluginExtension
public import PluginIsolation
public import PluginRuntime
import Registry

/// The extensions of the installed bundles: a host asks it which extensions accept an input, and runs them.
///
/// An extension whose process crashes, exceeds a limit or breaks the protocol three times in five minutes, in any hosts of the sandbox, is
/// disabled, as if the user had chosen so: the error says it, and the user can enable it again. Each extension is counted alone, and
/// the plugin that contains it goes on.
///
/// ```swift
/// services.admission = [ExtensionRules()]
/// let extensions = ExtensionManager(manager, running: runner)
/// for found in try extensions.accepting(items, at: "share") { print(found.declaration.name) }
/// let result = try await extensions.run(identifier, at: ExtensionPoints.share, NoValue(), items: items)
/// await extensions.endAll()
/// ```
public final class ExtensionManager: Sendable {
    private let manager: Host
    private let runner: FilePath
    private let declared: [ExtensionPointDeclaration]
    private let warm = WarmProcesses()
    /// The extensions that were run.
    private let runnable = GenerationCache<BundleIdentifier, RunnableExtension>(room: 1_024)

    private var registry: Registry { manager.registry }

    /// Creates a manager of the extensions in the sandbox of a host, without reading or starting anything.
    ///
    /// - Parameters:
    ///   - manager: The host, with whose services extensions log and print.
    ///   - runner: The program `extension-runner`.
    ///   - points: The extension points that the host declares in addition to the standard ones.
    public init(_ manager: Host, running runner: FilePath, points: [ExtensionPointDeclaration] = []) {
        self.manager = manager
        self.runner = runner
        declared = points
        manager.setIdleUsersEnd { [warm] bundle in await warm.end { $1 == bundle } }
    }

    // MARK: Finding

    /// Returns the extension points: the standard ones, those of the host, and those of the installed bundles.
    ///
    /// - Throws: The errors of the registry.
    public func points() throws(AtriumError) -> [OfferedExtensionPoint] {
        let own = (ExtensionPoints.standard + declared).map {
            OfferedExtensionPoint(declaration: $0, bundle: nil)
        }
        return own + (try registry.extensionPoints).map { OfferedExtensionPoint(declaration: $0, bundle: $1) }
    }

    /// Returns an extension point.
    ///
    /// - Throws: ``AtriumError`` with code `extensionPointUnknown` and similar identifiers.
    public func point(_ identifier: String) throws(AtriumError) -> ExtensionPointDeclaration {
        let points = try points().map(\.declaration)
        if let point = points.first(where: { $0.identifier == identifier }) { return point }
        throw AtriumError(
            .extensionPointUnknown, identifier,
            nearest: Nearest.words(to: identifier, in: points.map(\.identifier).sorted()))
    }

    /// Returns the extensions of a point, or all, in the user's order.
    ///
    /// - Throws: As ``point(_:)``.
    public func all(at identifier: String? = nil) throws(AtriumError) -> [InstalledExtension] {
        guard let identifier else { return try registry.extensions.all() }
        return try registry.extensions.all(point: point(identifier).identifier)
    }

    /// Returns an installed extension.
    ///
    /// - Throws: ``AtriumError`` with code `extensionUnknown` and similar identifiers.
    public func `extension`(_ identifier: BundleIdentifier) throws(AtriumError) -> InstalledExtension {
        try registry.extensions.require(identifier)
    }

    /// Returns the enabled extensions of a point that accept some items, in the user's order.
    ///
    /// The time depends on the extensions that may accept one of the items' types, and not on the number of installed extensions.
    ///
    /// - Throws: The errors of the registry.
    public func accepting(_ items: [ExtensionItem], at point: String) throws(AtriumError) -> [InstalledExtension] {
        var accepting: [InstalledExtension] = []
        for found in try registry.extensions.candidates(point: point, keys: items.ruleKeys)
        where found.choice.isEnabled {
            // An extension with a rule that this host does not know is not offered, and hides no other.
            if (try? found.rule()?.activates(for: items) ?? true) == true { accepting.append(found) }
        }
        return accepting
    }

    /// Returns why the rule of an extension does not accept some items; nothing if it accepts them.
    ///
    /// - Throws: As ``extension(_:)``.
    public func activationFailures(
        of identifier: BundleIdentifier, for items: [ExtensionItem]
    ) throws(AtriumError) -> [ErrorReason] {
        try self.extension(identifier).rule()?.failures(for: items) ?? []
    }

    /// Returns the limits of an extension: those of its point, lowered by its own.
    ///
    /// - Throws: As ``point(_:)``.
    public func limits(of found: InstalledExtension) throws(AtriumError) -> ExtensionLimits {
        let limits = try point(found.declaration.point).limits.lowered(to: found.declaration.limits)
        try ExtensionRules.require(limits, of: found.declaration.identifier)
        return limits
    }

    // MARK: Choosing

    /// Enables or disables an extension. The choice holds for all versions.
    ///
    /// - Throws: As ``extension(_:)``; ``AtriumError`` with code `sandboxUnwritable` or `sandboxBusy`.
    public func setEnabled(_ isEnabled: Bool, of identifier: BundleIdentifier) throws(AtriumError) {
        try registry.extensionChoices.setEnabled(isEnabled, of: identifier)
    }

    /// Moves an extension to a position in the list of its point, which begins with 0.
    ///
    /// - Throws: As ``setEnabled(_:of:)``.
    public func move(_ identifier: BundleIdentifier, to position: Int) throws(AtriumError) {
        try registry.extensionChoices.move(identifier, to: position)
    }

    // MARK: Running

    /// Runs an extension for one request of its extension point.
    ///
    /// - Parameters:
    ///   - identifier: The extension.
    ///   - point: The extension point.
    ///   - input: The input.
    ///   - items: The items of the request.
    ///   - stack: The stack on which the extension can show a page, or nil for none.
    ///   - onProgress: Receives the completed part, from 0 to 1.
    /// - Returns: The output and the returned items.
    /// - Throws: As ``run(_:input:items:on:onProgress:)``; ``AtriumError`` with code `extensionMismatch` for an extension of another point.
    public func run<Input, Output>(
        _ identifier: BundleIdentifier, at point: ExtensionPoint<Input, Output>, _ input: Input,
        items: [ExtensionItem] = [], on stack: PageStack? = nil,
        onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> (output: Output, items: [ExtensionItem]) {
        let found = try runnable(identifier)
        guard found.declaration.point == point.identifier else {
            throw AtriumError.mismatch(identifier, declared: found.declaration.point, found: point.identifier)
        }
        let result = try await run(found, input: CodedValue(input), items: items, on: stack, onProgress: onProgress)
        return (try result.output.value(), result.items)
    }

    /// Runs an extension for one request.
    ///
    /// The process is started if none waits for a request of this extension. After three crashes in five minutes, the extension is disabled.
    ///
    /// - Parameters:
    ///   - identifier: The extension.
    ///   - input: The input of the extension point's contract, as JSON.
    ///   - items: The items of the request.
    ///   - stack: The stack on which the extension can show a page, or nil for none.
    ///   - onProgress: Receives the completed part, from 0 to 1.
    /// - Throws: ``AtriumError`` with code `extensionUnknown`, `extensionDisabled`, `extensionMismatch`, `extensionCrashed`,
    ///   `extensionOutOfMemory`, `extensionTimedOut`, `extensionProtocolBroken`, `extensionEnded`, or `requestCanceled` if the user has left
    ///   its page; the errors of loading a bundle; and the error with which the extension has canceled the request.
    public func run(
        _ identifier: BundleIdentifier, input: CodedValue, items: [ExtensionItem] = [], on stack: PageStack? = nil,
        onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> ExtensionResult {
        try await run(runnable(identifier), input: input, items: items, on: stack, onProgress: onProgress)
    }

    private func run(
        _ found: RunnableExtension, input: CodedValue, items: [ExtensionItem], on stack: PageStack?,
        onProgress: @escaping @Sendable (Double) -> Void
    ) async throws -> ExtensionResult {
        let identifier = found.declaration.identifier
        let interval = Tracing.begin(.extension, identifier.text)
        defer { interval?.end() }
        let content = RequestContent(input, items: try items.transferable())
        do {
            let waiting = await warm.take(found)
            let running =
                if let waiting { waiting } else { try await RunningExtension(found, by: manager, running: runner) }
            let result = try await running.perform(content, on: stack, onProgress: onProgress)
            await warm.keep(running, for: found.limits.idle, as: identifier)
            return result
        } catch let error as AtriumError where error.isExtensionFailure {
            var isDisabled = false
            do {
                isDisabled = try manager.countFailure(of: identifier, in: found.bundle)
            } catch {
                // The caller has to know of the crash in the first place.
                manager.log(identifier.text, .error, .error(error))
            }
            guard isDisabled else { throw error }
            throw AtriumError(
                error.code, error.subject, reason: "disabledAfterFailures",
                [
                    "extension": .text(identifier), "limit": .integer(Host.failureLimit),
                    "cause": .reason(.all(of: error.reasons) ?? .error(error)),
                ])
        }
    }

    /// Starts an extension without a request and ends its process, which shows whether it can be loaded.
    ///
    /// - Throws: As ``run(_:input:items:on:onProgress:)``.
    public func tryStart(_ identifier: BundleIdentifier) async throws {
        // Without a reference, the process ends.
        _ = try await RunningExtension(runnable(identifier), by: manager, running: runner)
    }

    /// Ends the processes that wait for requests of an extension point, for example when its view has been left.
    public func leave(_ point: String) async {
        let identifiers = (try? registry.extensions.all(point: point).map(\.declaration.identifier)) ?? []
        await warm.end { identifier, _ in identifiers.contains(identifier) }
    }

    /// The numbers of the processes that wait for requests.
    public var waitingProcesses: [BundleIdentifier: Int32] { warm.numbers }

    /// Ends all processes at the end of a session.
    public func endAll() async { await warm.end() }

    /// Returns an extension that can be run.
    private func runnable(_ identifier: BundleIdentifier) throws(AtriumError) -> RunnableExtension {
        // Determined before reading, so that what a concurrent write makes outdated is not cached for the state after it.
        let generation = try registry.generation()
        if let generation, let cached = runnable.value(of: identifier, in: generation) { return cached }
        let found = try self.extension(identifier)
        guard found.choice.isEnabled else { throw AtriumError(.extensionDisabled, identifier) }
        guard let bundle = try registry.active.version(of: found.bundle) else {
            throw AtriumError(.bundleNotInstalled, found.bundle)
        }
        let read = RunnableExtension(declaration: found.declaration, bundle: bundle, limits: try limits(of: found))
        if let generation { runnable.store(read, for: identifier, in: generation) }
        return read
    }
}

extension InstalledExtension {
    /// Returns the activation rule, or `nil` for an extension that accepts any input.
    ///
    /// - Throws: ``AtriumError`` with code `activationInvalid` for a rule that this host doesn't know.
    func rule() throws(AtriumError) -> ActivationRule? {
        guard let text = declaration.activation else { return nil }
        return try ActivationRule(text)
    }
}
