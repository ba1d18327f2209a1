import PluginCore
import PluginRuntime
import Zip

/// Makes catalogs and sandboxes to measure on.
struct Workshop {
    let build: FilePath
    let folder: FilePath

    var hostapp: FilePath { build.appending("bin/hostapp") }
    var catalog: FilePath { build.appending("catalog") }

    /// The bundles of a sandbox, installed from a catalog.
    func manager(_ sandbox: String, catalog: FilePath) -> BundleManager {
        BundleManager(
            sandbox: Sandbox(root: folder.appending(sandbox)), catalog: DirectoryCatalog(folder: catalog),
            services: HostServices(languages: ["en"], log: { _, _, _ in })
        )
    }

    /// `hostapp open` of Shop's page in a sandbox.
    func open(in sandbox: String) -> Program {
        Program(
            path: hostapp,
            arguments: [
                "--sandbox", folder.appending(sandbox).string, "--catalog", catalog.string, "open",
                "app://shop/item/42",
            ]
        )
    }

    /// A package without code that serves two addresses of its own.
    func writeSynthetic(_ number: Int, to catalog: FilePath) throws {
        let identifier = "com.example.synthetic.n\(number)"
        let manifest = """
            {"formatVersion": 1, "identifier": "\(identifier)", "version": "1.0.0", "name": "Synthetic \(number)",
             "kind": "assets", "routes": [
               {"pattern": "synthetic\(number)", "page": "home", "layout": "pages/home"},
               {"pattern": "synthetic\(number)/item/:id", "page": "item", "layout": "pages/item"}
             ]}
            """
        var writer = ZipWriter()
        try writer.add(Array(manifest.utf8), as: "manifest.json")
        try writer.write(to: catalog.appending("\(identifier)-1.0.0.zip").string)
    }
}
