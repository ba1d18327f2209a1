import ExtensionProcess
import HostSystem
import PluginCore
import PluginRouter
import PluginRuntime
import Registry

/// The services of a host for the process of a plugin, besides those that the plugin's context has.
struct IsolatedServices: ExtensionServices {
    private let code: PreparedCode
    private var owner: BundleIdentifier { code.bundle.identity.identifier }
    private let host: PluginProcessHost
    private let crashReports: ProcessCrashReports

    init(_ code: PreparedCode, _ host: PluginProcessHost) {
        self.code = code
        self.host = host
        crashReports = ProcessCrashReports(of: code, in: host.sandbox) { [log = host.services.log] in
            log("host", .error, .error($0))
        }
    }

    func open(_ address: String) async throws {
        try await Lease.servingConfined {
            _ = try await host.communication.router.routing(for: .plugin(owner.text)).open(address)
        }
    }

    func resource(_ name: String) async throws -> [UInt8] {
        try code.resource(name)
    }

    func setHasContent(_ hasContent: Bool, for identifier: String) async throws {
        try host.registry.extensionChoices.setHasContent(hasContent, of: identifier, by: owner)
    }

    func reportCrash(_ crash: CrashDescription, _ cause: CrashCause, process: Int32) {
        crashReports.add(crash, cause, process: process)
    }

    func output(_ line: String) { host.services.output(owner.text, line) }

    func log(_ level: BundleLogger.Level, _ message: String) {
        host.services.log(owner.text, level, .verbatim(message))
    }
}
