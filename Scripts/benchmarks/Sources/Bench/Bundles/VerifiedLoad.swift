import CBaseline
import FoundationEssentials
import PluginCore
import PluginRouter
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
        /// A load without verification and without records of what is loaded.
        case unverified = "large-unverified"
        /// The verification without the load.
        case verifying = "large-verifying"
        /// A complete load by the runtime, with the registry's record already read.
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
        let bundle = try manager.registry.requireInstalled(Self.identifier).active
        let file = Self.file(of: bundle, in: manager.sandbox)
        let words = [manager.sandbox.root.string, workshop.trust.string]
        let (plain, unverified, verified, verifying) = (
            Program(path: program, arguments: [Subject.plain.rawValue] + words),
            Program(path: program, arguments: [Subject.unverified.rawValue] + words),
            Program(path: program, arguments: [Subject.verified.rawValue] + words),
            Program(path: program, arguments: [Subject.verifying.rawValue] + words)
        )
        var readings: [[Double]] = [[], [], [], [], []]
        for _ in 0..<runs {
            readings[0].append(try plain.reading())
            readings[1].append(try unverified.reading())
            readings[2].append(try verified.reading())
            readings[4].append(try verifying.reading())
        }
        for _ in 0..<runs {
            // The changed stamp forces the file to be hashed.
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.string)
            readings[3].append(try verified.reading())
        }
        add(readings.map(median), to: report)
    }

    private func add(_ medians: [Double], to report: Report) {
        let (plain, unverified, known, hashed, verifying) = (medians[0], medians[1], medians[2], medians[3], medians[4])
        report.add(.verifiedLoad, known, beside: known - verifying)
        report.add(.hashedLoad, hashed, beside: known - verifying)
        report.add(.loadBesideUnverified, known, beside: unverified)
        report.add(.loadBesideC, known, beside: plain)
    }

    /// Performs one load in this process and returns the time in seconds.
    static func load(_ subject: Subject, from sandbox: FilePath, trust: FilePath) async throws -> Double {
        let (manager, router, mediator) = try await Prelude.host(sandbox, trust: trust, loading: other)
        let bundle = try manager.registry.requireInstalled(identifier).active
        let library = file(of: bundle, in: manager.sandbox).string
        let trusting = await TrustingLoader(manager, router, mediator)
        if case .unverified = subject {
            // The runtime has loaded another plugin before, too.
            let bundle = try manager.registry.requireInstalled(other).active
            try await trusting.load(bundle, "libAccount.so")
        }
        return try await seconds {
            switch subject {
            case .verified: _ = try await manager.principal(of: bundle)
            case .unverified: try await trusting.load(bundle, entry)
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
