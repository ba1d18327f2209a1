import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("A registry that was harmed on the disk")
struct DamagedRegistryTests {
    private static let commands = [
        ["list"], ["open", "app://shop/item/42"], ["rollback", Scene.shop], ["install", Scene.orders],
    ]

    /// Both versions of Shop, with data, and Account.
    private func scene() async throws -> Scene {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0", Scene.shop, Scene.account)
        try scene.keep("an order", for: Scene.shop)
        return scene
    }

    /// Runs commands, each on a copy of the sandbox with another registry; whatever they make of it, they end as documented, and
    /// neither data nor installed files are harmed.
    private func survives(
        _ scene: Scene, _ damage: String, by commands: [[String]] = commands,
        changing change: (inout [UInt8]) -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try scene.state()
        for command in commands {
            let copy = try scene.copied()
            try copy.rewrite(Scene.registry, change)
            let result = try await copy.host.hostapp.run(command, environment: ["SWIFT_BACKTRACE": "enable=no"])
            #expect(Scene.documented.contains(result.status), "\(damage): \(result)", sourceLocation: sourceLocation)
            let after = try copy.sandbox.tree()
            let harmed = before.tree.nodes.filter { path, node in
                let isKept = path.hasPrefix("Containers/Data/Plugins") || path.hasPrefix("Containers/Bundle/Plugins")
                return isKept && after.nodes[path] != node
            }
            #expect(harmed.keys.sorted() == [], "\(damage): \(command)", sourceLocation: sourceLocation)
        }
    }

    @Test("in single bytes of each page ends no host by a signal and costs no data", arguments: Seed.all)
    func flipped(seed: UInt64) async throws {
        var random = Seed(seed)
        let scene = try await scene()
        let size = try scene.bytes(of: Scene.registry).count
        for page in 0..<(size / 4096) {
            // The page's head, which says where everything is, and anything else.
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

    @Test("by cutting its end off ends no host by a signal and costs no data")
    func truncated() async throws {
        let scene = try await scene()
        let size = try scene.bytes(of: Scene.registry).count
        let lengths = [16, 99, 100, 512, 4095, 4096, 4097, 8192, size / 2, size - 4096, size - 1]
        for length in lengths {
            try await survives(scene, "\(length) bytes are left") { $0.removeLast($0.count - length) }
        }
    }

    @Test("until nothing is left of it is made anew, and until then nothing is changed", arguments: [true, false])
    func empty(isThere: Bool) async throws {
        let scene = try await scene()
        let before = try scene.state()
        try isThere ? scene.rewrite(Scene.registry) { $0 = [] } : await scene.removes(Scene.registry)
        let lost = try scene.sandbox.tree()
        for command in [
            ["install", "\(Scene.shop)@1.0.0"], ["install", Scene.orders], ["uninstall", Scene.shop, "--delete-data"],
            ["rollback", Scene.shop], ["update"], ["gc"],
        ] {
            let result = try await scene.host.hostapp.run(command + ["--json"])
            #expect(result.status == 74, "\(result)")
            #expect(result.stdout.contains("registryDamaged"))
            #expect(lost.changes(to: try scene.sandbox.tree()).filter { !$0.contains("registry.sqlite") } == [])
        }
        let doctor = try await scene.host.hostapp.run("doctor")
        #expect(doctor.status == 77)
        #expect(doctor.stdout.contains("hostapp doctor --rebuild"))
        #expect(!doctor.stdout.contains("hostapp gc"))
        try await scene.does("doctor", "--rebuild")
        let after = try scene.state()
        #expect(after.installed == before.installed)
        #expect(after.nodes(below: "Containers/Data") == before.nodes(below: "Containers/Data"))
        #expect(try after.registry.get().problems == [])
        try await scene.does("doctor")
    }

    @Test("beside a journal that is none of its own is read all the same", arguments: ["-journal", "-wal"])
    func strangeJournal(ending: String) async throws {
        let scene = try await scene()
        // What has run closes the way back to what never has.
        try await scene.does("open", "app://shop/item/42")
        let before = try scene.state().installed
        var random = Seed(1)
        for size in [1, 512, 9000] {
            let junk = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            try Data(junk).write(to: URL(filePath: scene.path(Scene.registry + ending)))
            #expect(try scene.state().installed == before)
            try await scene.does("list")
            try await scene.does("open", "app://shop/item/42")
        }
        try await scene.does("uninstall", Scene.shop)
    }

    /// What a kill in the middle of an update's commit leaves: the registry half written, and the journal that takes it back.
    private func halfWritten() async throws -> (Scene, ThrowawayFolder, FaultOutcome) {
        let build = try HostApp.find()
        let harness = try await FaultHarness(host: build, catalog: build.catalog)
        let operation = FaultOperation(
            "update", preparation: [.run("install", "\(Scene.shop)@1.0.0")], command: ["update", Scene.shop])
        let points = try await harness.points(of: operation)
        let point = try #require(
            points.last { $0.call == "pwrite64" && $0.excerpt.contains("registry.sqlite>") })
        let kept = try ThrowawayFolder()
        let report = try await harness.run(
            [operation], faults: [.kill], only: [point], keeping: kept.appending("sandbox"))
        let scene = try Scene()
        try FileManager.default.copyItem(
            atPath: kept.appending("sandbox").string, toPath: scene.sandbox.root.string)
        return (scene, kept, try #require(report.rows.first?.outcomes.first))
    }

    @Test("by a kill in the middle of a commit is the old one again, by its hot journal")
    func hotJournal() async throws {
        let (scene, kept, outcome) = try await halfWritten()
        withExtendedLifetime(kept) {}
        #expect(outcome.isTried)
        #expect(outcome.violations == [])
        #expect(FileManager.default.fileExists(atPath: scene.path(Scene.registry + "-journal")))
        let result = try await scene.does("list")
        #expect(result.stdout.contains("1.0.0"))
        #expect(!FileManager.default.fileExists(atPath: scene.path(Scene.registry + "-journal")))
        try await scene.does("update", Scene.shop)
    }

    @Test("by a kill whose hot journal was taken away ends no host by a signal and costs no data")
    func lostJournal() async throws {
        let (scene, kept, _) = try await halfWritten()
        withExtendedLifetime(kept) {}
        try await scene.removes(Scene.registry + "-journal")
        try await survives(scene, "its journal is gone") { _ in }
    }

    @Test("from the future is refused and left as it is by every command that changes", arguments: commands.dropFirst())
    func future(command: [String]) async throws {
        let scene = try await scene()
        try scene.rewrite(Scene.registry) { $0.replaceSubrange(60..<64, with: [0, 0, 1, 0]) }
        let before = try scene.sandbox.tree()
        let result = try await scene.host.hostapp.run(command + ["--json"])
        #expect(result.status == 74)
        #expect(result.stdout.contains("registryNewer"))
        #expect(before.changes(to: try scene.sandbox.tree()) == [])
    }

    @Test("by making it read-only can be read, and what would change it is refused", .enabled(if: !isRoot))
    func readOnly() async throws {
        let scene = try await scene()
        for name in [Scene.registry, "Containers/Bundle"] {
            let result = try await Executable("/bin/chmod").run("a-w", scene.path(name))
            try #require(result.status == 0)
        }
        try await scene.does("list")
        try await scene.does("open", "app://shop/item/42")
        for command in [["rollback", Scene.shop], ["install", Scene.orders], ["uninstall", Scene.shop]] {
            let before = try scene.sandbox.tree()
            let result = try await scene.host.hostapp.run(command + ["--json"])
            #expect(result.status == 74)
            #expect(result.stdout.contains("sandboxUnwritable"))
            #expect(before.changes(to: try scene.sandbox.tree()) == [])
        }
    }
}
