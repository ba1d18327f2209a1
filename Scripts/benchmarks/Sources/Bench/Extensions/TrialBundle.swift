import ExtensionHost
import FoundationEssentials
import HostSystem
import PluginCore
import PluginExtension
import PluginRuntime
import Preflight

/// A bundle with the extension of the measurements, which returns its input or ends its process.
struct TrialBundle {
    static let point = ExtensionPoint<String, String>("com.benchmark.trial")

    let workshop: Workshop
    private let library: [UInt8]

    /// Creates a bundle.
    ///
    /// - Parameter library: The library as it was built.
    init(in workshop: Workshop, library: FilePath) throws {
        self.workshop = workshop
        let built = Array(try Data(contentsOf: URL(filePath: library.string)))
        self.library = SearchPath.removingForeign(from: built)
    }

    /// Installs a version with one extension, and returns the extension's identifier.
    ///
    /// - Parameters:
    ///   - name: The end of the bundle's identifier.
    ///   - limits: The extension's limits as JSON.
    func install(_ name: String, limits: String = "{}", in manager: Host) async throws -> BundleIdentifier {
        let bundle = try BenchTeam.bundle(name)
        let identifier = try BenchTeam.bundle("\(name).n0")
        let files = [(file("libTrial.so"), library), (file("libTrial-0.so"), library)]
        let manifest = """
            {"formatVersion": 1, "identifier": "\(bundle)", "version": "1.0.0", "name": "Trial", "kind": "app",
             "entry": "libTrial.so", "coreABI": \(CoreVersion.abi), "extensions": [
               {"identifier": "\(identifier)", "point": "\(Self.point.identifier)", "entry": "libTrial-0.so",
                "name": "Trial", "limits": \(limits)}]}
            """
        let package = try workshop.team.pack(
            bundle, manifest: manifest, and: files, to: workshop.folder.appending("trial-packages"))
        defer { try? FileManager.default.removeItem(atPath: package.string) }
        try await manager.transactions.install.run(packageAt: package)
        return identifier
    }

    private func file(_ entry: String) -> String { "lib/\(Platform.triple)/\(entry)" }

    /// Returns the manager of a sandbox, with an empty catalog, and that of its extensions.
    ///
    /// - Parameter limits: The limits of the measurements' extension point.
    func host(
        _ sandbox: String, limits: ExtensionLimits = ExtensionLimits()
    ) throws -> (manager: Host, extensions: ExtensionManager) {
        let manager = try workshop.manager(sandbox, catalog: workshop.folder.appending("trial-catalog"))
        return (manager, workshop.extensions(of: manager, limits: limits))
    }
}

extension Workshop {
    /// Returns the manager of the extensions in a sandbox, which starts the build's runner.
    func extensions(of manager: Host, limits: ExtensionLimits = ExtensionLimits()) -> ExtensionManager {
        ExtensionManager(
            manager, running: build.appending("bin/extension-runner"),
            points: [ExtensionPointDeclaration(identifier: TrialBundle.point.identifier, limits: limits)])
    }
}
