import PluginCore
import PluginTestKit
import Testing

@Suite("Eight processes on one sandbox")
struct CrowdTests {
    private static let commands = [
        ["install", "\(Scene.shop)@1.0.0"], ["install", Scene.shop], ["update"], ["rollback", Scene.shop],
        ["uninstall", Scene.shop], ["install", Scene.account], ["uninstall", Scene.account], ["install", Scene.orders],
        ["uninstall", Scene.orders], ["open", "app://shop/item/42"], ["open", "app://account"], ["list"], ["history"],
    ]
    /// Done; not there; somebody else is at work; refused, because it would be a downgrade, there is no way back, or somebody
    /// uninstalled by name what an address needs.
    private static let expected: Set<Int32> = [0, 66, 75, 77]

    @Test("that do anything at once leave it whole, and end as documented", arguments: Seed.all)
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

        // As they have left it, before anybody clears up.
        let reference = try await FaultReference.samples()
        let left = try scene.state()
        let always: [any SandboxInvariant] = [RegistryIsSound(), ActiveVersionsVerify(), OnlyWholeFoldersAreNamed()]
        for invariant in always { #expect(invariant.violations(in: left, reference) == []) }
        #expect(try left.registry.get().mirroredFloors == left.floors)

        // Whoever comes next clears up.
        try await scene.does("install", Scene.shop)
        try await scene.does("install", Scene.account)
        let state = try scene.state()
        let invariants: [any SandboxInvariant] = [
            RegistryIsSound(), ActiveVersionsVerify(), OnlyWholeFoldersAreNamed(), DiskHoldsWhatIsNamed(),
        ]
        for invariant in invariants { #expect(invariant.violations(in: state, reference) == []) }
        try await scene.does("open", "app://shop/item/42")
    }
}
