import PluginCore
import PluginTestKit
import Testing

@Suite("Unreachable catalogs", .tags(.large))
struct CatalogTests {
    private static func refusal(_ catalog: String, _ cause: String) -> Refusal {
        Refusal(
            status: 69, code: "catalogUnreachable", subject: catalog,
            message: "the catalog \"\(catalog)\" cannot be reached: reading the folder failed: \(cause)",
            remedy: "check that it exists and is readable, or choose another with \"--catalog DIR|URL\"")
    }

    private func host(_ scene: Scene, _ catalog: String) -> Executable {
        Executable(
            scene.host.hostapp.path, leading: ["--sandbox", scene.sandbox.root.string, "--catalog", catalog])
    }

    @Test(
        "A command that needs the catalog reports that it is unreachable",
        arguments: [["catalog"], ["install", Scene.shop], ["install", "no.such.thing@1.0.0"]],
        Scene.Start.allCases)
    func needed(arguments: [String], start: Scene.Start) async throws {
        let scene = try await Scene(start)
        let folder = try ThrowawayFolder()
        let file = try folder.write("no folder", to: "file").string
        for (catalog, cause) in [(file + "s", "No such file or directory"), (file, "Not a directory")] {
            try await scene.refuses(arguments, by: host(scene, catalog), with: Self.refusal(catalog, cause))
        }
    }

    @Test(
        "An unknown address is reported as an unreachable catalog, not as an empty one", arguments: Scene.Start.allCases
    )
    func unknownAddress(start: Scene.Start) async throws {
        let scene = try await Scene(start)
        try await scene.refuses(
            ["open", "app://shop"], by: host(scene, "/nowhere"),
            with: Refusal(
                status: 66, code: "routeUnknown", subject: "app://shop",
                message: "no plugin handles \"app://shop\": "
                    + "none is installed, and the catalog cannot be reached",
                remedy: AddressTests.unknownRemedy))
    }

    @Test("Installed plugins can be used without the catalog")
    func notNeeded() async throws {
        let scene = try await Scene(.another)
        for arguments in [["list"], ["info", Scene.account], ["history"], ["open", "app://account"]] {
            let result = try await host(scene, "/nowhere").run(arguments)
            #expect(result.status == 0, "\(result)")
            #expect(result.stderr == "")
        }
    }
}
