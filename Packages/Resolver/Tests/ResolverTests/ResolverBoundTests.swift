import PluginRuntime
import PluginCore
import Testing

@testable import Resolver

@Suite("Bounds of the resolver's search", .tags(.small))
struct ResolverBoundTests {
    private let universe = SampleUniverse()

    private static func need(_ identifier: BundleIdentifier, _ range: String) throws -> BundleRequirement {
        BundleRequirement(identifier: identifier, versions: try #require(VersionRange(range)))
    }

    private static func identity(_ identifier: BundleIdentifier, _ major: Int) -> BundleIdentity {
        BundleIdentity(identifier: identifier, version: SemanticVersion(major: major, minor: 0, patch: 0))
    }

    @Test("The resolver plans a dependency chain of any length, starting with its last link", arguments: [300, 5_000])
    func chain(length: Int) throws {
        for link in 0..<length {
            let next = link + 1 < length ? [try Self.need("com.link\(link + 1)", "^1.0.0")] : []
            universe.add(Self.identity("com.link\(link)", 1), next)
        }
        let steps = try universe.change([.install("com.link0")], stepLimit: 10_000_000).steps
        let links: [BundleIdentifier] = (0..<length).reversed().map { "com.link\($0)" }
        #expect(steps.map(\.identifier) == links)
    }

    @Test("A broken link at the end of a long chain is reported without listing the whole chain")
    func brokenChain() throws {
        for link in 0..<300 {
            universe.add(Self.identity("com.link\(link)", 1), [try Self.need("com.link\(link + 1)", "*")])
        }
        let error = #expect(throws: AtriumError.self) { try universe.plan([.install("com.link0")]) }
        #expect(error?.code == .requirementUnmet)
        #expect(
            error?.reason
                == .need("bundleRequires", of: "com.link299@1.0.0", "com.link300", "*", ErrorReason("catalogHasNone")))
        #expect((error?.problems.count ?? .max) <= 25)
    }

    @Test("The resolver doesn't enumerate choices that take no part in a conflict")
    func backjumping() throws {
        // Twenty free choices of ten versions each stand between two that conflict.
        let free: [BundleIdentifier] = (0..<20).map { "com.free\($0)" }
        for identifier in free { for major in 1...10 { universe.add(Self.identity(identifier, major), []) } }
        let middle = try free.map { try Self.need($0, "*") }
        for major in 1...10 {
            let left = try Self.need("com.left", "*")
            universe.add(Self.identity("com.app", major), [left] + middle + [try Self.need("com.right", "*")])
            universe.add(Self.identity("com.left", major), [try Self.need("com.deep", "*")])
            universe.add(Self.identity("com.right", major), [try Self.need("com.deeper", "*")])
            universe.add(Self.identity("com.deep", major), [try Self.need("com.lib", "1.0.0")])
            universe.add(Self.identity("com.deeper", major), [try Self.need("com.lib", "2.0.0")])
            universe.add(Self.identity("com.lib", major), [])
        }
        let error = #expect(throws: AtriumError.self) { try universe.plan([.install("com.app")]) }
        #expect(error?.code == .dependencyConflict && error?.reason == nil)
        #expect(error?.problems.contains(.need("needs", of: "com.deep@10.0.0", "com.lib", "1.0.0")) == true)
    }

    @Test("The search ends within its bound for a catalog built to exhaust it", .timeLimit(.minutes(15)))
    func hostile() throws {
        // Encodes the coloring of a complete graph of 24 nodes with 23 colors, which has no solution.
        let size = 24
        for bundle in 0..<size {
            for major in 1..<size {
                let others = try (0..<size).filter { $0 > bundle }.flatMap { other in
                    [
                        try Self.need("com.node\(other)", "*"),
                        try Self.need("com.edge\(bundle)x\(other)", "\(major).0.0"),
                    ]
                }
                let before = try (0..<bundle).map { try Self.need("com.edge\($0)x\(bundle)", "<\(major).0.0") }
                universe.add(Self.identity("com.node\(bundle)", major), others + before)
            }
            for other in bundle + 1..<size where other < size {
                for major in 1..<size { universe.add(Self.identity("com.edge\(bundle)x\(other)", major), []) }
            }
        }
        let error = #expect(throws: AtriumError.self) { try universe.plan([.install("com.node0")]) }
        #expect(error?.code == .dependencyConflict)
    }

    @Test("A search that reaches its step limit fails with an error that names the request")
    func givesUp() throws {
        for major in 1...50 {
            universe.add(Self.identity("com.a", major), [try Self.need("com.b", "\(major + 1).0.0")])
        }
        for major in 1...50 { universe.add(Self.identity("com.b", major), [try Self.need("com.a", "\(major).0.0")]) }
        let error = #expect(throws: AtriumError.self) { try universe.change([.install("com.a")], stepLimit: 100) }
        #expect(error?.code == .dependencyConflict && error?.subject == "com.a")
        #expect(error?.reason == ErrorReason("noSolution", ["steps": 1100]))
    }
}
