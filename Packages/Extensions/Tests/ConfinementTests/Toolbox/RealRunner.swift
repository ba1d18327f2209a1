import Authoring
import BundleFormat
import ConfinementReporting
import ExtensionHost
import Foundation
import Glibc
import HostSystem
import PluginCore
import PluginExtension
import PluginRouter
import PluginRuntime
import Resolver
import Preflight
import Registry
import Signing
import Testing
import Trust

/// A host with an installed extension that makes the attempts in the real program `extension-runner`, where the host is this process.
final class RealRunner {
    private static let point = ExtensionPoint<[String: String], String>("com.example.breakout")
    private static let bundle: BundleIdentifier = "com.example.breakout"
    private static let entry = "libBreakoutExtension.so"
    /// The extension for attempts, and the one whose requests have little time.
    private static let identifiers: (usual: BundleIdentifier, hurried: BundleIdentifier) = (
        "com.example.breakout.usual", "com.example.breakout.hurried"
    )
    /// The attempts that only a deadline or the end of its processor time ends.
    private static let endless: Set = ["compute without end", "compute without end, ignoring the signal"]

    private let manager: PluginRuntime.Host
    private let extensions: ExtensionManager
    private let surroundings: Surroundings
    private let container: String
    /// Eight bytes in this process's memory.
    private let secret: Int

    /// The rights that the kernel has taken from the extension's process.
    let confinement: ConfinementReport

    /// Installs the extension in a folder of the surroundings, and makes the process of the tests the host that it attacks.
    init(in surroundings: Surroundings) async throws {
        self.surroundings = surroundings
        let folder = FilePath(surroundings.folder.path).appending("host")
        let sandbox = Sandbox(root: folder.appending("sandbox"))
        let sealer = Sealer(key: try .generate(), team: "com.example", signedAt: 1_795_262_400)
        try TrustFile(shipped: nil, sandbox: sandbox).change { store throws(AtriumError) in
            try store.adding(team: "com.example", name: "Example", prefixes: ["com.example"], key: sealer.key.publicKey)
        }
        var services = HostServices(languages: ["en"]) { _, _, _ in }
        services.admission = [ExtensionRules()]
        manager = Host(
            at: sandbox, source: DirectoryCatalog(folder: folder.appending("catalog")),
            choosing: .resolver,
            verifying: TeamVerification(shipped: folder.appending("trust.json"), sandbox: sandbox),
            libraryCheck: LibraryPreflight(), services: services)
        let package = folder.appending("package.zip")
        try Self.package().write(
            to: package, of: BundleIdentity(identifier: Self.bundle, version: try #require(SemanticVersion("1.0.0"))),
            sealedBy: sealer)
        try await manager.transactions.install.run(packageAt: package)
        let products = FilePath(try #require(CommandLine.arguments.first)).parent
        extensions = ExtensionManager(
            manager, running: products.appending("extension-runner"),
            points: [
                ExtensionPointDeclaration(
                    identifier: Self.point.identifier, limits: ExtensionLimits(start: 60, request: 60))
            ])
        let first = try await extensions.run(Self.identifiers.usual, input: try CodedValue([String: String]()))
        confinement = first.confinement
        container = try first.output.value()
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        secret = Int(bitPattern: bytes)
        try surroundings.plant(in: container)
    }

    private static func package() throws -> PackageWriter {
        let products = FilePath(try #require(CommandLine.arguments.first)).parent
        let built = try Data(contentsOf: URL(filePath: products.appending(entry).string))
        let library = SearchPath.removingForeign(from: Array(built))
        let entries = ["libBreakout.so", "libUsual.so", "libHurried.so"]
        var package = PackageWriter()
        try package.add(
            Array(
                """
                {"formatVersion": 1, "identifier": "\(bundle)", "version": "1.0.0", "name": "Breakout", "kind": "app",
                 "entry": "\(entries[0])", "coreABI": \(CoreVersion.abi), "extensions": [
                   {"identifier": "\(identifiers.usual)", "point": "\(point.identifier)", "entry": "\(entries[1])", "name": "Usual"},
                   {"identifier": "\(identifiers.hurried)", "point": "\(point.identifier)", "entry": "\(entries[2])",
                    "name": "Hurried", "limits": {"request": 1}}
                 ]}
                """.utf8), as: "manifest.json")
        for entry in entries { try package.add(library, as: "lib/\(Platform.triple)/\(entry)") }
        return package
    }

    /// Makes an attempt in a process of its own, and returns its result.
    func result(of attempt: Attempt) async throws -> String {
        let installed = try manager.registry.requireInstalled(Self.bundle).active
        let limits = ExtensionLimits()
        var input = surroundings.targets
        input["attempt"] = "\(attempt.index)"
        input["bundle"] = manager.sandbox.folder(of: installed.identity, digest: installed.digest).string
        input["registry"] = manager.sandbox.registry.string
        input["container"] = container
        input["host"] = "\(getpid())"
        input["hostAddress"] = "\(secret)"
        // Twice the limit of memory is also more than the process can map.
        input["addressSpace"] = "\(2 * limits.memory)"
        input["openFiles"] = "\(limits.openFiles)"
        input["fileSize"] = "\(limits.fileSize)"
        input["processorSeconds"] = "60"
        let identifier = Self.endless.contains(attempt.name) ? Self.identifiers.hurried : Self.identifiers.usual
        defer {
            // Three crashes in five minutes would disable the extension.
            let crashes = manager.sandbox.hostData.appending("Library/extension-crashes.json")
            try? FileManager.default.removeItem(atPath: crashes.string)
        }
        do {
            return try await extensions.run(identifier, at: Self.point, input).output
        } catch let error as AtriumError where error.code.name == "extensionTimedOut" {
            return "ended by its deadline"
        } catch let error as AtriumError where error.reason?.name == "signal" {
            guard case .text(let signal)? = error.reason?.values["signal"] else { throw error }
            return "ended by \(signal)"
        }
    }

    /// Finds what an attempt has changed outside of the extension's container.
    func damage() throws -> [String] { try surroundings.damage() }

    /// Returns whether a result is as expected of an attempt.
    static func isExpected(_ result: String, of attempt: Attempt) -> Bool {
        // The process has as much processor time as its deadline allows.
        if endless.contains(attempt.name) { return result == "ended by its deadline" }
        if attempt.isPossible { return result == "escaped" }
        return result != "escaped"
            && attempt.expected.contains(result.split(separator: " ").last.map(String.init) ?? "")
    }
}
