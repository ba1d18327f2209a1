import CBaseline
import Doctor
import FoundationEssentials
import PluginCore
import HostSystem
import Preflight
import Registry
import PluginRuntime

/// The cost of verifying a plugin of one megabyte before it is loaded.
///
/// A load with verification is compared with its time minus that of verification, which is measured separately. As in
/// ``PluginLoad``, each load runs in a separate process that has loaded another plugin before.
struct VerifiedLoad {
    private static let other: BundleIdentifier = "com.example.app.account"
    private static let identifier: BundleIdentifier = "com.benchmark.large"
    private static let entry = "libLargePlugin.so"
    private static var place: String { "lib/\(Platform.triple)/\(entry)" }

    let workshop: Workshop
    /// This program, which starts itself for each load.
    let program: FilePath
    /// The plugin's library as it was built.
    let library: FilePath
    let effort: Effort

    private var runs: Int { effort.count(31) }

    /// The work that is measured.
    enum Subject: String {
        /// Opening the library, looking up the symbol and calling it in C.
        case plain = "large-plain"
        /// The verification without the load.
        case verifying = "large-verifying"
        /// A complete load by the runtime.
        case verified = "large-verified"
    }

    func measure(to report: Report) async throws {
        Report.progress("verifying and loading a plugin of 1 MB")
        let manager = try workshop.manager("large", catalog: workshop.catalog)
        try await manager.install(Self.other)
        try await manager.transactions.install.run(packageAt: try pack())
        try await Prelude.recordSuccessfulRun(Self.identifier, in: manager) {
            try await workshop.call("run", on: "Large", in: "large")
        }
        try await Prelude.recordSuccessfulRun(Self.other, in: manager) {
            try await workshop.call("isSignedIn", on: "Account", in: "large")
        }
        let words = [manager.sandbox.root.string, workshop.trust.string]
        let (plain, verified, verifying) = (
            Program(path: program, arguments: [Subject.plain.rawValue] + words),
            Program(path: program, arguments: [Subject.verified.rawValue] + words),
            Program(path: program, arguments: [Subject.verifying.rawValue] + words)
        )
        var readings: [[Double]] = [[], [], []]
        for _ in 0..<runs {
            for (index, program) in [plain, verified, verifying].enumerated() {
                readings[index].append(try program.reading())
            }
        }
        let medians = readings.map(median)
        report.add(.verifiedLoad, medians[1], beside: medians[1] - medians[2])
        report.add(.loadBesideC, medians[1], beside: medians[0])
    }

    /// Performs one load in this process and returns the time in seconds.
    static func load(_ subject: Subject, from sandbox: FilePath, trust: FilePath) async throws -> Double {
        let manager = try await Prelude.host(sandbox, trust: trust, loading: other)
        let bundle = try manager.registry.requireInstalled(identifier).active
        let library = file(of: bundle, in: manager.sandbox).string
        return try await seconds {
            switch subject {
            case .verified: _ = try await manager.principal(of: identifier)
            case .verifying: try manager.transactions.maintenance.requireVerified(bundle)
            case .plain:
                guard baseline_load_and_call(library, PluginEntry.symbol) != nil else {
                    throw AtriumError(.libraryUnloadable, library)
                }
            }
        }
    }

    private static func file(of bundle: PluginBundle, in sandbox: Sandbox) -> FilePath {
        sandbox.folder(of: bundle.identity, digest: bundle.digest).appending(place)
    }

    private func pack() throws -> FilePath {
        let manifest = """
            {"formatVersion": 1, "identifier": "\(Self.identifier)", "version": "1.0.0", "name": "Large", "kind": "app",
             "entry": "\(Self.entry)", "coreABI": \(CoreVersion.abi),
             "targets": [{"name": "Large", "actions": ["run"]}]}
            """
        let built = Array(try Data(contentsOf: URL(filePath: library.string)))
        return try workshop.team.pack(
            Self.identifier, manifest: manifest, and: [(Self.place, SearchPath.removingForeign(from: built))],
            to: workshop.folder.appending("large-package"))
    }
}
