import FoundationEssentials
import PluginCore
import PluginTestKit
import FaultInjection
import Testing

@Suite("Damaged registry files", .tags(.large))
struct DamagedRegistryTests {
    private static let commands = [
        ["list"], ["open", "app://shop/item/42"], ["rollback", Scene.shop], ["install", Scene.orders],
    ]

    /// Creates a scene with both versions of Shop, data of Shop, and Account.
    private func scene() async throws -> Scene {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop, Scene.account)
        try scene.storeData("an order", for: Scene.shop)
        return scene
    }

    /// Runs each command on a copy of the sandbox with a damaged registry.
    ///
    /// The command must end with a documented status and must not damage data or installed files.
    private func survives(
        _ scene: Scene, _ damage: String, by commands: [[String]] = commands,
        changing change: (inout [UInt8]) -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try scene.sandbox.tree()
        for command in commands {
            let copy = try Scene(copying: scene)
            try copy.rewrite(Scene.registry, change)
            let result = try await copy.host.hostapp.run(command, environment: ["SWIFT_BACKTRACE": "enable=no"])
            #expect(Scene.documented.contains(result.status), "\(damage): \(result)", sourceLocation: sourceLocation)
            let after = try copy.sandbox.tree()
            let harmed = before.nodes.filter { path, node in
                let isKept = path.hasPrefix("Containers/Data/Plugins") || path.hasPrefix("Containers/Bundle/Plugins")
                return isKept && after.nodes[path] != node
            }
            #expect(harmed.keys.sorted() == [], "\(damage): \(command)", sourceLocation: sourceLocation)
        }
    }

    @Test("Changed bytes on any page of the registry cause neither a crash nor a loss of data", arguments: Seed.all)
    func flipped(seed: UInt64) async throws {
        var random = Seed(seed)
        let scene = try await scene()
        let size = try scene.bytes(of: Scene.registry).count
        for page in 0..<(size / 4096) {
            // This changes the header of the page, which contains the positions of its cells, and its content.
            for range in [0..<12, 12..<4096] {
                let place = page * 4096 + Int.random(in: range, using: &random)
                let mask = UInt8.random(in: 1...255, using: &random)
                let commands = Self.commands.shuffled(using: &random).prefix(2)
                try await survives(scene, "byte \(place) changed by \(mask)", by: Array(commands)) {
                    $0[place] ^= mask
                }
            }
        }
    }

    @Test("A truncated registry causes neither a crash nor a loss of data")
    func truncated() async throws {
        let scene = try await scene()
        let size = try scene.bytes(of: Scene.registry).count
        for length in [16, 100, 4096, size - 4096] {
            try await survives(scene, "\(length) bytes are left") { $0.removeLast($0.count - length) }
        }
    }

    @Test("A foreign journal beside the registry is ignored", arguments: ["-journal", "-wal"])
    func strangeJournal(ending: String) async throws {
        let scene = try await scene()
        // After the new version has run, a version that never ran is no longer a rollback target.
        try await scene.run("open", "app://shop/item/42")
        let before = try scene.state().installed
        var random = Seed(1)
        for size in [1, 512, 9000] {
            let junk = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            try Data(junk).write(to: URL(filePath: scene.path(Scene.registry + ending)))
            #expect(try scene.state().installed == before)
            try await scene.run("list")
            try await scene.run("open", "app://shop/item/42")
        }
        try await scene.run("uninstall", Scene.shop)
    }

    /// Creates the state after a kill during an update's commit, with a half-written registry and its hot journal.
    private func halfWritten() async throws -> (Scene, ThrowawayFolder, FaultOutcome) {
        let harness = try await FaultHarness.samples()
        let operation = FaultOperation(
            "update", preparation: [.run("install", "\(Scene.shop)@1.0.0")], command: ["update", Scene.shop])
        let points = try await harness.points(of: operation)
        let point = try #require(
            points.last { $0.call == "pwrite64" && $0.excerpt.contains("registry.sqlite>") })
        let kept = try ThrowawayFolder()
        let report = try await harness.run(
            [operation], faults: [.kill], only: [point], keeping: kept.appending("sandbox"))
        let scene = try Scene()
        try kept.appending("sandbox").copy(to: scene.sandbox.root)
        return (scene, kept, try #require(report.rows.first?.outcomes.first))
    }

    @Test("After a kill during a commit, the hot journal restores the old registry")
    func hotJournal() async throws {
        let (scene, kept, outcome) = try await halfWritten()
        withExtendedLifetime(kept) {}
        #expect(outcome.isTried)
        #expect(outcome.violations == [])
        let journal = scene.sandbox.root.appending(Scene.registry + "-journal")
        #expect(journal.exists)
        #expect(try await scene.run("list").stdout.contains("1.0.0"))
        #expect(!journal.exists)
        try await scene.run("update", Scene.shop)
    }

    @Test("A lost hot journal causes neither a crash nor a loss of data")
    func lostJournal() async throws {
        let (scene, kept, _) = try await halfWritten()
        withExtendedLifetime(kept) {}
        try await scene.removes(Scene.registry + "-journal")
        try await survives(scene, "its journal is gone") { _ in }
    }
}
