import PluginCore
import PluginTestKit
import Testing

@Suite("Unreachable catalogs", .tags(.large))
struct CatalogTests {
    private func host(_ scene: Scene, _ catalog: String) -> Executable {
        Executable(
            scene.host.hostapp.path, leading: ["--sandbox", scene.sandbox.root.string, "--catalog", catalog])
    }

    @Test("A command that needs the catalog reports that it is unreachable, and an address that it is no empty one")
    func needed() async throws {
        let scene = try Scene()
        let folder = try ThrowawayFolder()
        let file = try folder.write("no folder", to: "file").string
        for (catalog, cause) in [(file + "s", "No such file or directory"), (file, "Not a directory")] {
            for arguments in [["catalog"], ["install", Scene.shop], ["install", "no.such.thing@1.0.0"]] {
                try await scene.refuses(
                    arguments, by: host(scene, catalog), status: 69, code: "catalogUnreachable", saying: catalog, cause)
            }
        }
        try await scene.refuses(
            ["open", "app://shop"], by: host(scene, "/nowhere"), status: 66, code: "routeUnknown",
            saying: "none is installed, and the catalog cannot be reached")
    }

    @Test("Installed plugins can be used without the catalog")
    func notNeeded() async throws {
        let scene = try await Scene(installed: Scene.account)
        for arguments in [["list"], ["info", Scene.account], ["history"], ["open", "app://account"]] {
            let result = try await host(scene, "/nowhere").run(arguments)
            #expect(result.status == 0, "\(result)")
            #expect(result.stderr == "")
        }
    }

    @Test("An invalid bundle.json does not affect commands that do not read it")
    func composition() async throws {
        let folder = try ThrowawayFolder()
        let file = try folder.write("{", to: "bundle.json").string
        let scene = try await Scene(installed: Scene.account)
        try await scene.run("list", "--composition", file)
        try await scene.run("info", Scene.account, "--composition", file)
        // An install needs it, because it may exclude versions.
        for arguments in [["install", Scene.account], ["open", "app://account"]] {
            try await scene.refuses(
                arguments + ["--composition", file], status: 65, code: "compositionInvalid", saying: file)
        }
    }
}
