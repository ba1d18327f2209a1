import ExtensionProcess
import HostSystem
import PluginCore
import PluginRouter
import Registry

/// The services of a host for the process of a plugin, besides those that the plugin's context has.
struct IsolatedServices: ExtensionServices {
    private let bundle: PluginBundle
    private let sandbox: Sandbox
    private let registry: Registry
    private let router: Router
    private let crashReports: ProcessCrashReports
    private let log: HostServices.Log
    private let output: @Sendable (String, String) -> Void

    init(
        _ code: PreparedCode, _ sandbox: Sandbox, _ registry: Registry, _ router: Router, _ services: HostServices
    ) {
        let log = services.log
        bundle = code.bundle
        self.sandbox = sandbox
        self.registry = registry
        self.router = router
        crashReports = ProcessCrashReports(of: code, in: sandbox) { log("host", .error, .error($0)) }
        self.log = log
        output = services.output
    }

    func open(_ address: String) async throws {
        try await Lease.servingConfined {
            _ = try await router.routing(for: .plugin(bundle.identity.identifier.text)).open(address)
        }
    }

    func resource(_ name: String) async throws -> [UInt8] {
        try SealedResources(of: bundle, in: sandbox).bytes(of: name)
    }

    func setHasContent(_ hasContent: Bool, for identifier: String) async throws {
        try registry.extensionChoices.setHasContent(hasContent, of: identifier, by: bundle.identity.identifier)
    }

    func reportCrash(_ crash: CrashDescription, _ cause: CrashCause, process: Int32) {
        crashReports.add(crash, cause, process: process)
    }

    func output(_ line: String) { output(bundle.identity.identifier.text, line) }

    func log(_ level: BundleLogger.Level, _ message: String) {
        log(bundle.identity.identifier.text, level, .verbatim(message))
    }
}
