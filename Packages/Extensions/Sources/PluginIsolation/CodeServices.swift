import CrashReports
import ExtensionProcess
package import HostSystem
package import PluginCore
package import PluginRuntime
package import Registry

/// The services of a host for a process that runs prepared code.
package struct CodeServices: ExtensionServices {
    private let code: PreparedCode
    private let `extension`: BundleIdentifier?
    private let registry: Registry
    private let crashReports: CrashReportFolder
    private let log: HostServices.Log
    private let output: @Sendable (String, String) -> Void
    private let open: @Sendable (String) async throws -> Void

    private var bundle: BundleIdentity { code.bundle.identity }
    private var name: String { (`extension` ?? bundle.identifier).text }

    /// Creates the services.
    ///
    /// - Parameters:
    ///   - extension: The extension; nil for the bundle's plugin.
    ///   - open: Opens an address that the code has requested.
    package init(
        _ code: PreparedCode, extension: BundleIdentifier? = nil, in sandbox: Sandbox, _ registry: Registry,
        log: @escaping HostServices.Log, output: @escaping @Sendable (String, String) -> Void,
        open: @escaping @Sendable (String) async throws -> Void
    ) {
        self.code = code
        self.extension = `extension`
        self.registry = registry
        crashReports = CrashReportFolder(sandbox)
        // From now on, a message of the process can end this one.
        CrashNotes.report(in: sandbox.crashReports)
        self.log = log
        self.output = output
        self.open = open
    }

    package func open(_ address: String) async throws { try await open(address) }

    package func resource(_ name: String) async throws -> [UInt8] { try code.resource(name) }

    package func setHasContent(_ hasContent: Bool, for identifier: String) async throws {
        try registry.extensionChoices.setHasContent(hasContent, of: identifier, by: bundle.identifier)
    }

    package func reportCrash(_ crash: CrashDescription, _ cause: CrashCause, process: Int32) {
        do throws(AtriumError) {
            try crashReports.add(
                RecordedCrash(
                    crash, cause, process: process,
                    purpose: RecordedCrash.Purpose(bundle: bundle, extension: `extension`), libraries: code.origins,
                    at: Clock.now()))
        } catch {
            log("host", .error, .error(error))
        }
    }

    package func output(_ line: String) { output(name, line) }

    package func log(_ level: BundleLogger.Level, _ message: String) { log(name, level, .verbatim(message)) }
}
