import PluginCore
import PluginTestKit
import FaultInjection
import Testing

@Suite("Concurrent processes on one sandbox", .tags(.large))
struct CrowdTests {
    private static let commands = [
        ["install", "\(Scene.shop)@1.0.0"], ["install", Scene.shop], ["update"], ["rollback", Scene.shop],
        ["uninstall", Scene.shop], ["install", Scene.account], ["uninstall", Scene.account], ["install", Scene.orders],
        ["uninstall", Scene.orders], ["open", "app://shop/item/42"], ["open", "app://account"], ["list"], ["history"],
    ]
    /// The accepted exit statuses.
    ///
    /// These are success, not found, sandbox locked, and rejected, because a change would be a downgrade, there is no rollback
    /// target, or an address needs a plugin that was uninstalled by name.
    private static let expected: Set<Int32> = [0, 66, 75, 77]

    @Test(
        "Eight processes with random commands leave the sandbox intact and end with documented statuses",
        arguments: Seed.all)
    func crowd(seed: UInt64) async throws {
        let scene = try Scene()
        let ends = try await withThrowingTaskGroup(of: [ProcessResult].self) { group in
            for member in 0..<8 {
                group.addTask {
                    var random = Seed(seed &* 8 &+ UInt64(member))
                    var results: [ProcessResult] = []
                    for _ in 0..<15 {
                        let command = Self.commands.randomElement(using: &random) ?? []
                        results.append(try await scene.host.hostapp.run(command))
                    }
                    return results
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        for end in ends { #expect(Self.expected.contains(end.status), "\(end)") }
        #expect(ends.contains { $0.status == 0 })

        // This is the state before any process has cleaned up.
        let reference = try await FaultReference.samples()
        let left = try scene.state()
        let always: [SandboxInvariant] = [.registryIsSound, .activeVersionsVerify, .onlyWholeFoldersAreNamed]
        for invariant in always { #expect(invariant.violations(in: left, reference) == []) }
        #expect(try left.registry.get().mirroredMinimumVersions == left.minimumVersions)

        // The next process that changes the sandbox cleans up.
        try await scene.run("install", Scene.shop)
        try await scene.run("install", Scene.account)
        let state = try scene.state()
        for invariant in always + [.diskHoldsWhatIsNamed] { #expect(invariant.violations(in: state, reference) == []) }
        try await scene.run("open", "app://shop/item/42")
    }
}
