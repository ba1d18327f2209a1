import CBaseline
import FoundationEssentials
import HostSystem
import PluginCore
import PluginRuntime
import Registry

/// The load of a plugin from its recorded manifest to its principal object, compared with dlopen and dlsym in C.
///
/// Each load runs in a separate process that has loaded another plugin before, as a host usually has. Until the measurement starts,
/// all processes do the same.
struct PluginLoad {
    private static let shop: BundleIdentifier = "com.example.app.shop"
    /// A plugin that links the same library as the measured one, so that this library is already loaded in every case.
    private static let other: BundleIdentifier = "com.example.app.orders"

    let workshop: Workshop
    /// This program, which starts itself for each load.
    let program: FilePath
    let effort: Effort

    func measure(to report: Report) async throws {
        Report.progress("loading a plugin")
        let manager = try workshop.manager("load", catalog: workshop.catalog)
        for identifier in [Self.other, Self.shop] { try await manager.install(identifier) }
        try await Prelude.recordSuccessfulRun(Self.shop, in: manager) { _ = try await workshop.open(in: "load").time() }
        try await Prelude.recordSuccessfulRun(Self.other, in: manager) {
            try await workshop.call("count", on: "Orders", in: "load")
        }
        let sandbox = manager.sandbox.root.string
        let trust = workshop.trust.string
        let plain = Program(path: program, arguments: ["load-plain", sandbox, trust])
        let record = Program(path: program, arguments: ["load-plugin", sandbox, trust])
        var (baseline, records): ([Double], [Double]) = ([], [])
        for _ in 0..<effort.count(61) {
            baseline.append(try plain.reading())
            records.append(try record.reading())
        }
        report.add(.load, median(records), beside: median(baseline))
    }

    /// The work that is measured.
    enum Subject: String {
        /// The C baseline.
        case plain = "load-plain"
        /// A load by the runtime.
        case record = "load-plugin"
    }

    /// Performs one load in this process and returns the time in seconds.
    static func load(_ subject: Subject, from sandbox: FilePath, trust: FilePath) async throws -> Double {
        let manager = try await Prelude.host(sandbox, trust: trust, loading: other)
        let bundle = try manager.registry.requireInstalled(shop).active
        let library = manager.sandbox.folder(of: bundle.identity, digest: bundle.digest)
            .appending("lib/\(Platform.triple)/libShop.so").string
        return try await seconds {
            switch subject {
            case .record: _ = try await manager.principal(of: shop)
            case .plain:
                guard baseline_load(library, PluginEntry.symbol) != nil else {
                    throw AtriumError(.libraryUnloadable, library)
                }
            }
        }
    }
}
