import ExtensionProcess
import ExtensionProtocol
import HostSystem
import PluginCore
import PluginIsolation
import PluginRouter
import PluginRuntime
import Registry

/// An extension of an installed version, in its process.
struct RunningExtension: Sendable {
    let process: ExtensionProcess
    let bundle: PluginBundle
    private let data: DataUse
    private let log: @Sendable (AtriumError) -> Void

    /// Starts the process of an extension, and loads the extension in it.
    ///
    /// - Throws: The errors of loading a bundle and of the process; ``AtriumError`` with code `extensionMismatch` if the library names another
    ///   extension point than the manifest.
    init(
        _ declaration: ExtensionDeclaration, of bundle: PluginBundle, limits: ExtensionLimits,
        by manager: BundleManager,
        _ settings: ExtensionSettings
    ) async throws {
        let prepared = try await manager.prepareCode(declaration.entry, of: bundle)
        let process: ExtensionProcess
        do {
            let launch = try prepared.launch(
                declaration.identifier, limits: limits, languages: settings.languages)
            let services = BundleServices(declaration.identifier, prepared, manager, settings)
            process = try await ExtensionProcess(
                running: settings.runner, launch, limits: limits, findingLibrariesIn: HostLibraryFolders.all,
                services)
        } catch {
            // A library that was replaced while it was loaded explains the failure better than what it caused.
            try prepared.finishLoading()
            throw error
        }
        do {
            try prepared.finishLoading()
            guard process.launched.point == declaration.point else {
                throw AtriumError.mismatch(
                    declaration.identifier, declared: declaration.point, found: process.launched.point ?? "")
            }
        } catch {
            await process.end()
            throw error
        }
        self.process = process
        self.bundle = bundle
        data = prepared.data
        log = { settings.log(declaration.identifier.text, .error, .error($0)) }
    }

    /// Ends the process, and logs the reason if the extension's code is to blame that it did not end as it was asked to.
    func end() async {
        guard let failure = await process.end(), ProcessFailure.crashCodes.contains(failure.code) else { return }
        log(failure)
    }
}

/// The services of a host for an extension of a bundle.
private struct BundleServices: ExtensionServices {
    private let identifier: BundleIdentifier
    private let code: PreparedCode
    private let crashReports: ProcessCrashReports
    private let manager: BundleManager
    private let settings: ExtensionSettings

    init(
        _ identifier: BundleIdentifier, _ code: PreparedCode, _ manager: BundleManager, _ settings: ExtensionSettings
    ) {
        self.identifier = identifier
        self.code = code
        crashReports = ProcessCrashReports(of: code, extension: identifier, in: manager.sandbox) { error in
            settings.log("host", .error, .error(error))
        }
        self.manager = manager
        self.settings = settings
    }

    func open(_ address: String) async throws {
        let origin = RequestOrigin.extension(code.bundle.identity.identifier.text)
        try await manager.router.routing(for: origin).open(address)
    }

    func resource(_ name: String) async throws -> [UInt8] { try code.resource(name) }

    func setHasContent(_ hasContent: Bool, for identifier: String) async throws {
        try manager.registry.extensionChoices.setHasContent(
            hasContent, of: identifier, by: code.bundle.identity.identifier)
    }

    func reportCrash(_ crash: CrashDescription, _ cause: CrashCause, process: Int32) {
        crashReports.add(crash, cause, process: process)
    }

    func output(_ line: String) { settings.output(identifier.text, line) }

    func log(_ level: BundleLogger.Level, _ message: String) {
        settings.log(identifier.text, level, .verbatim(message))
    }
}
