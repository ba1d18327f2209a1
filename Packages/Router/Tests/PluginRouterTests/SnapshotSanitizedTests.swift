import PluginCore
import PluginRouter
import Synchronization
import Testing

/// Scripts/test runs suites whose name ends like this one's under the thread sanitizer as well.
@Suite("A snapshot")
struct SnapshotSanitizedTests {
    /// The routes of all bundles that are there, and the matcher that they make.
    private struct Table {
        var builder = RouteTableBuilder<String>()
        var matcher = RouteTableBuilder<String>().build()
        var bundles: Set<Int> = []

        static func patterns(of bundle: Int) -> [String] {
            ["b\(bundle)/home", "b\(bundle)/item/:id", "b\(bundle)/:name/**rest", "all/:x/b\(bundle)"]
        }

        static func addresses(of bundle: Int) -> [String] {
            ["b\(bundle)/home", "b\(bundle)/item/7", "b\(bundle)/a/b/c", "app://all/thing/b\(bundle)"]
        }

        /// Adds a bundle that is not there, and removes one that is.
        mutating func toggle(_ bundle: Int) throws {
            if bundles.remove(bundle) == nil {
                bundles.insert(bundle)
                for pattern in Self.patterns(of: bundle) {
                    try builder.add(RoutePattern(pattern), owner: "b\(bundle)", value: pattern)
                }
            } else {
                builder.removeAll(of: "b\(bundle)")
            }
            matcher = builder.build()
        }

        /// How many of a bundle's addresses its own routes serve.
        func served(of bundle: Int) throws -> Int {
            try zip(Self.patterns(of: bundle), Self.addresses(of: bundle)).filter { pattern, address in
                try matcher.withFirst(for: address) { $0.value } == pattern
            }.count
        }
    }

    private final class Writers: Sendable {
        let left: Atomic<Int>

        init(_ count: Int) {
            left = Atomic(count)
        }
    }

    /// How often a reader has seen none, all, or only some of a bundle's routes.
    private struct Sightings {
        var (none, all, some) = (0, 0, 0)
    }

    @Test("shows all routes of a bundle or none to eight tasks that match while bundles come and go")
    func wholeBundles() async throws {
        let cell = SnapshotCell(Table())
        let writers = Writers(3)
        try await withThrowingTaskGroup(of: Sightings.self) { group in
            for writer in 0..<3 {
                group.addTask {
                    defer { writers.left.subtract(1, ordering: .relaxed) }
                    for round in 0..<60 {
                        try cell.update { table in try table.toggle(writer * 4 + round % 4) }
                        await Task.yield()
                    }
                    return Sightings()
                }
            }
            for _ in 0..<8 {
                group.addTask {
                    var seen = Sightings()
                    while writers.left.load(ordering: .relaxed) > 0 {
                        for bundle in 0..<12 {
                            switch try cell.read({ table in try table.served(of: bundle) }) {
                            case 0: seen.none += 1
                            case 4: seen.all += 1
                            default: seen.some += 1
                            }
                        }
                        await Task.yield()
                    }
                    return seen
                }
            }
            var sum = Sightings()
            for try await seen in group {
                sum.none += seen.none
                sum.all += seen.all
                sum.some += seen.some
            }
            #expect(sum.none > 0 && sum.all > 0)
            #expect(sum.some == 0)
        }
    }

    /// Counts how many of it there are.
    private final class Guest: Sendable {
        static let living = Atomic<Int>(0)
        let number: Int

        init(_ number: Int) {
            self.number = number
            Self.living.add(1, ordering: .relaxed)
        }

        deinit { Self.living.subtract(1, ordering: .relaxed) }
    }

    @Test("keeps a value as long as somebody looks at it, and not longer")
    func lifetimes() async {
        let cell = SnapshotCell(Guest(0))
        let writers = Writers(2)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    defer { writers.left.subtract(1, ordering: .relaxed) }
                    // Long enough that it runs beside readers also where there are few processors for many.
                    for round in 0..<10_000 {
                        cell.update { $0 = Guest($0.number + 1) }
                        if round.isMultiple(of: 50) { await Task.yield() }
                    }
                    return true
                }
            }
            for _ in 0..<8 {
                group.addTask {
                    // Expectations and yields order what tasks do; the fewer there are, the more the sanitizer sees.
                    var (last, isSorted) = (0, true)
                    while writers.left.load(ordering: .relaxed) > 0 {
                        for _ in 0..<50 {
                            let seen = cell.read { $0.number }
                            isSorted = isSorted && seen >= last
                            last = seen
                        }
                        await Task.yield()
                    }
                    return isSorted
                }
            }
            for await isSorted in group { #expect(isSorted, "a reader went back in time") }
        }
        #expect(cell.read { $0.number } == 20_000)
        #expect(Guest.living.load(ordering: .relaxed) == 1)
    }

    /// A value that is a reference, so that one that was freed too early is not there any more.
    private final class Number: Sendable {
        let value: Int

        init(_ value: Int) {
            self.value = value
        }
    }

    @Test("lets a writer replace what a reader is looking at")
    func nested() {
        let cell = SnapshotCell(Number(1))
        let seen = cell.read { outer in
            cell.update { $0 = Number($0.value + 1) }
            let inner = cell.read { inner in
                cell.update { $0 = Number($0.value + 1) }
                return inner.value
            }
            return [outer.value, inner, cell.load().value]
        }
        #expect(seen == [1, 2, 3])
    }

    /// Does something when it goes.
    private final class Farewell: Sendable {
        let say: @Sendable () -> Void

        init(_ say: @escaping @Sendable () -> Void) {
            self.say = say
        }

        deinit { say() }
    }

    @Test("can be written to by what goes with a value", .timeLimit(.minutes(15)))
    func farewell() {
        let cell = SnapshotCell<(guest: Farewell?, count: Int)>((nil, 0))
        cell.update { $0.guest = Farewell { [weak cell] in cell?.update { $0.count += 1 } } }
        cell.update { $0.guest = nil }
        #expect(cell.load().count == 1)
    }

    @Test("stays as it is when a writer throws")
    func failure() {
        struct Stop: Error {}
        let cell = SnapshotCell([1])
        #expect(throws: Stop.self) {
            try cell.update { value throws(Stop) in
                value.append(2)
                throw Stop()
            }
        }
        #expect(cell.load() == [1])
    }
}
