import PluginCore
import PluginTestKit
import Testing

@Suite("Unreachable catalogs", .tags(.large))
struct CatalogTests {
    private func host(_ scene: Scene, _ catalog: String) -> Executable {
        Executable(
            scene.host.hostapp.path, leading: ["--sandbox", scene.sandbox.root.string, "--catalog", catalog])
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
