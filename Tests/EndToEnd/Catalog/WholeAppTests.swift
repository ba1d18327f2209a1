import PluginCore
import PluginTestKit
import FaultInjection
import Testing

@Suite("The app as a whole", .tags(.large), .timeLimit(.minutes(10)))
struct WholeAppTests {
    @Test("An install of the app that is killed leaves the old versions or the new ones, whole, and can be repeated")
    func killed() async throws {
        let build = try HostApp.find()
        let folder = try ThrowawayFolder()
        let file = try folder.write(
            """
            {
              "formatVersion": 1, "name": "Sample",
              "bundles": [
                {"uri": "shop", "pkg": "com.example.app.shop", "version": "^1.0.0"},
                {"uri": "account", "pkg": "com.example.app.account"}
              ]
            }
            """, to: "app/bundle.json")
        let scratch = try ThrowawaySandbox()
        try await build.with(sandbox: scratch).run("app", "lock", "--composition", file.string).succeeded()
        var harness = try await FaultHarness(host: build, catalog: build.catalog)
        harness.every = 61
        harness.seed = 7
        let operation = FaultOperation(
            "app", preparation: [.run("install", "\(Scene.shop)@1.0.0"), .run("open", "app://shop")],
            command: ["app", "install", "--composition", file.string])
        let report = try await harness.run([operation], faults: [.kill, .powerCut])
        #expect(report.violations.isEmpty && report.missed.isEmpty, "\(report)")
        #expect(report.rows.allSatisfy { $0.points > 100 && $0.tried > 3 }, "\(report)")
    }
}
