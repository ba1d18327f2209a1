import PluginCore
import PluginRouter
import Synchronization
import Testing

/// Run by Scripts/test under the thread sanitizer as well.
@Suite("A snapshot, sanitized")
struct SnapshotTests {
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

    @Test("shows all routes of a bundle or none to eight tasks that match while bundles come and go")
    func wholeBundles() async throws {
        let cell = SnapshotCell(Table())
        let writers = Writers(3)
        try await withThrowingTaskGroup(of: (matched: Int, missed: Int).self) { group in
            for writer in 0..<3 {
                group.addTask {
                    defer { writers.left.subtract(1, ordering: .relaxed) }
                    for round in 0..<60 {
                        try cell.update { table in try table.toggle(writer * 4 + round % 4) }
                        await Task.yield()
                    }
                    return (0, 0)
                }
            }
            for _ in 0..<8 {
                group.addTask {
                    var (matched, missed) = (0, 0)
                    while writers.left.load(ordering: .relaxed) > 0 {
                        for bundle in 0..<12 {
                            let served = try cell.read { table in try table.served(of: bundle) }
                            #expect(served == 0 || served == 4)
                            if served == 0 { missed += 1 } else { matched += 1 }
                        }
                        await Task.yield()
                    }
                    return (matched, missed)
                }
            }
            var sum = (matched: 0, missed: 0)
            for try await result in group {
                sum.matched += result.matched
                sum.missed += result.missed
            }
            #expect(sum.matched > 0 && sum.missed > 0)
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
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<500 {
                        cell.update { $0 = Guest($0.number + 1) }
                        await Task.yield()
                    }
                }
            }
            for reader in 0..<8 {
                group.addTask {
                    var last = 0
                    for _ in 0..<1_000 {
                        let seen = cell.read { guest in
                            // A value that was freed under its reader would be off the count.
                            Guest.living.load(ordering: .relaxed) > 0 ? guest.number : -1
                        }
                        #expect(seen >= last, "reader \(reader) went back in time")
                        last = seen
                        await Task.yield()
                    }
                }
            }
        }
        #expect(cell.read { $0.number } == 1_000)
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
