import CAllocations
import PluginCore
import PluginRouter
import Testing

@Suite("A match", .enabled(if: allocations_are_counted()))
struct AllocationTests {
    private static func matcher(_ patterns: [String]) throws -> RouteMatcher<Int> {
        var builder = RouteTableBuilder<Int>()
        for (number, pattern) in patterns.enumerated() {
            try builder.add(try RoutePattern(pattern), owner: "test", value: number)
        }
        return builder.build()
    }

    /// How often `body` asks for memory. What is made once, on first use, is made before. What `body` does itself must not
    /// ask for any: without optimization, going through an array's elements does, and through its indices does not.
    private static func allocations(_ body: () throws -> Int) rethrows -> (count: UInt, result: Int) {
        _ = try body()
        let before = allocations_of_this_thread()
        let result = try body()
        return (UInt(allocations_of_this_thread() - before), result)
    }

    /// Everything that a match tells without decoding: its value, and of each capture the name's length and the place.
    private static func sum(_ match: borrowing RouteMatcher<Int>.MatchView) -> Int {
        var sum = match.value
        match.forEachCapture { sum += $0.number + $0.range.count }
        return sum
    }

    @Test("takes nothing from the heap, captures and all, on the 130 routes of GitHub")
    func github() throws {
        #expect(Fixture.github.count == 130)
        let matcher = try Self.matcher(Fixture.github.map(\.pattern))
        let texts = Fixture.github.map(\.address)
        let addresses = try texts.map { try ResourceURI($0) }
        let lent = try Self.allocations {
            var sum = 0
            for _ in 0..<200 {
                for index in texts.indices {
                    sum += try matcher.withFirst(for: texts[index]) { Self.sum($0) } ?? -1_000
                }
            }
            return sum
        }
        let handedOut = try Self.allocations {
            var sum = 0
            for _ in 0..<200 {
                for index in texts.indices {
                    let match = try matcher.first(for: texts[index])
                    sum += match?.value ?? -1_000
                    match?.forEachCapture { sum += $0.number + $0.range.count }
                }
            }
            return sum
        }
        let parsed = Self.allocations {
            var sum = 0
            for _ in 0..<200 {
                for index in addresses.indices {
                    sum += matcher.withFirst(for: addresses[index]) { Self.sum($0) } ?? -1_000
                }
            }
            return sum
        }
        #expect(lent.count == 0)
        #expect(handedOut.count == 0)
        #expect(parsed.count == 0)
        #expect(lent.result > 0 && lent.result == handedOut.result && lent.result == parsed.result)
    }

    @Test(
        "takes nothing from the heap whatever the pattern and the address",
        arguments: [
            ("img/:{name}-x.:{ext}", "img/a-very-long-name-of-a-picture-x.jpeg"),
            ("files/**path", "files/" + String(repeating: "a/long/way/", count: 20)),
            ("t/:n<int>/:d<double>/:u<uuid>", "t/-9223372036854775808/1.25e-10/00000000-0000-0000-0000-000000000000"),
            ("doc/:a#/page/:n", "app://doc/x?query=" + String(repeating: "q", count: 100) + "#/page/7"),
            ("long/:a/:b", "long/" + String(repeating: "x", count: 500) + "/y"),
            ("app://Host/:x", "APP://hOST/value"), ("a/:x", "a/%C3%A9%2F%41"), ("p/:{x}.html", "p/%41%2E.html"),
            ("a/:x/c", "a/b/d"),
        ]
    )
    func others(pattern: String, address: String) throws {
        let matcher = try Self.matcher([pattern, "t/:n<int>/none", "long/*", "*/:x<bool>"])
        let found = try Self.allocations {
            var sum = 0
            for _ in 0..<100 { sum += try matcher.withFirst(for: address) { Self.sum($0) } ?? 0 }
            return sum
        }
        #expect(found.count == 0)
    }

    @Test("with a dictionary of its captures does take something, and that is counted")
    func control() throws {
        let matcher = try Self.matcher(["a/:x"])
        let found = try Self.allocations { try matcher.withFirst(for: "a/b") { $0.captures.values.count } ?? 0 }
        #expect(found.count > 0 && found.result == 1)
    }
}
