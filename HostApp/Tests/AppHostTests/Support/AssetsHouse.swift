import PluginCore
import PluginRuntime
import Zip

@testable import AppHost

/// A sandbox and a catalog for bundles of resources alone, whose pages need no code.
final class AssetsHouse: Sendable {
    let folder: TemporaryFolder
    let manager: BundleManager

    init() throws {
        folder = try TemporaryFolder()
        manager = BundleManager(
            sandbox: Sandbox(root: folder.path.appending("sandbox")),
            catalog: DirectoryCatalog(folder: folder.path.appending("catalog")),
            services: HostServices(languages: ["en"]) { _, _, _ in }
        )
        try folder.write("", to: "catalog/README")
    }

    /// Puts a bundle with the pages `one` and `two` into the catalog. Their titles name the bundle, the page and the
    /// parameter `from`.
    ///
    /// - Parameter requires: what it needs, in JSON.
    func offer(_ identifier: String, version: String = "1.0.0", routes: String = "", requires: String = "") throws {
        let pages = ["one", "two"].map { "\"\($0)\": {\"title\": \"\(identifier) \($0) {from}\", \"content\": []}" }
        let manifest = """
            {
              "formatVersion": 1, "identifier": "\(identifier)", "version": "\(version)", "name": "Notes", "kind": "assets",
              "routes": [\(routes)], "requires": [\(requires)]
            }
            """
        var writer = ZipWriter()
        try writer.add(Array(manifest.utf8), as: "manifest.json")
        try writer.add(Array("{\"pages\": {\(pages.joined(separator: ", "))}}".utf8), as: "Resources/Pages/help.json")
        try writer.write(to: folder.path.appending("catalog/\(identifier)-\(version).zip").string)
    }

    /// A composition of these bundles, and of what else its file says.
    func composed(_ bundles: String, _ fields: String = "") throws -> ComposedRoutes {
        let more = fields.isEmpty ? "" : fields + ", "
        let text = "{\"formatVersion\": 1, \"name\": \"App\", \(more)\"bundles\": [\(bundles)]}"
        return try CompositionReader.read(folder.write(text, to: "bundle.json"))
    }

    /// A session of the composition.
    @MainActor
    func session(_ composed: ComposedRoutes) async throws -> Session {
        let stack = PageStack()
        let (router, mediator) = try await composed.connect(manager, to: stack)
        return Session(router: router, mediator: mediator, stack: stack) { _ in }
    }
}
