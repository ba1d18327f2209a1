import PluginCore
import PluginRouter
import Synchronization
import Testing

@Suite("The registrations of many bundles", .tags(.small))
struct RegistrationSnapshotTests {
    private static let bundles = 240

    /// The state that writers and readers share.
    private final class Progress: Sendable {
        /// The bundle that each of three writers revokes next; `nil` after its last.
        let next = Mutex<[Int?]>([0, 1, 2])
        let lookups = Atomic<Int>(0)

        /// Returns when a reader has looked up one more address.
        func nextLookup() async throws {
            let before = lookups.load(ordering: .relaxed)
            while lookups.load(ordering: .relaxed) == before {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    /// How often a reader has seen none, all, or only some of a bundle's routes.
    private struct Sightings {
        var (none, all, some) = (0, 0, 0)

        mutating func add(_ other: Sightings) {
            none += other.none
            all += other.all
            some += other.some
        }
    }

    @Test("Concurrent readers see all routes of a bundle or none while bundles are revoked")
    func wholeBundles() async throws {
        let fixture = await RouterFixture(installed: [])
        let (registrationStore, router) = (fixture.registrationStore, fixture.router)
        let leases = (0..<Self.bundles).map { Lease(owner: "b\($0)") }
        for (number, lease) in leases.enumerated() {
            // All of them match one address.
            for pattern in ["b\(number)/1", "b\(number)/:id<int>", "b\(number)/:id", "b\(number)/**rest"] {
                try await router.leased(to: lease).register(pattern, kind: .handler) { _ in .object(()) }
            }
        }
        let progress = Progress()
        let sightings = try await withThrowingTaskGroup(of: Sightings.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    for number in stride(from: writer, to: Self.bundles, by: 3) {
                        progress.next.withLock { $0[writer] = number }
                        // On a busy machine the writers could otherwise be done before a reader begins.
                        try await progress.nextLookup()
                        registrationStore.revoke(leases[number])
                    }
                    progress.next.withLock { $0[writer] = nil }
                    return Sightings()
                }
            }
            for _ in 0..<8 {
                group.addTask {
                    var seen = Sightings()
                    var numbers: [Int] = []
                    repeat {
                        // Only a look-up at the moment of the revocation could see a part of the routes.
                        numbers = progress.next.withLock { $0 }.compactMap(\.self)
                        for number in numbers {
                            switch try await router.matches(for: try ResourceURI("app://b\(number)/1")).count {
                            case 0: seen.none += 1
                            case 4: seen.all += 1
                            default: seen.some += 1
                            }
                            progress.lookups.add(1, ordering: .relaxed)
                        }
                        // Else readers would leave no thread to the writers.
                        await Task.yield()
                    } while !numbers.isEmpty
                    return seen
                }
            }
            var sum = Sightings()
            for try await seen in group { sum.add(seen) }
            return sum
        }
        #expect(sightings.all > 0 && sightings.some == 0, "\(sightings)")
        for number in 0..<Self.bundles {
            #expect(try await router.matches(for: try ResourceURI("app://b\(number)/1")).isEmpty)
        }
    }

    /// Does something when it is released.
    private final class Farewell: Sendable {
        let say: @Sendable () -> Void

        init(_ say: @escaping @Sendable () -> Void) {
            self.say = say
        }

        deinit { say() }
    }

    @Test(
        "An object that a registration held can change the registrations when it is released", .timeLimit(.minutes(15)))
    func farewell() async throws {
        let fixture = await RouterFixture(installed: [])
        let (registrationStore, router) = (fixture.registrationStore, fixture.router)
        let (one, other) = (Lease(owner: "one"), Lease(owner: "other"))
        try await router.leased(to: other).register("other", kind: .handler) { _ in .object(()) }
        func register() async throws {
            let farewell = Farewell { registrationStore.revoke(other) }
            try await router.leased(to: one).register("one", kind: .handler) { _ in .object(farewell) }
        }
        try await register()
        #expect(await router.canOpen(try ResourceURI("app://other")))
        registrationStore.revoke(one)
        #expect(await router.canOpen(try ResourceURI("app://other")) == false)
    }
}
