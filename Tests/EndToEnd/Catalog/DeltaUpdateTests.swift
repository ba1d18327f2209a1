import Foundation
import PluginCore
import PluginTestKit
import TestServer
import Testing

@Suite("Updates by deltas over HTTP", .tags(.large), .timeLimit(.minutes(5)))
struct DeltaUpdateTests {
    private static let line = ".heading(greeting), .list(items), .divider,"

    @Test("One changed line in a real plugin costs an update at most a tenth of its package")
    func oneLine() async throws {
        let fixture = try await PublishedFixture()
        let old = try await ShopVersion.pack("2.0.0", in: fixture.folder, with: fixture.build)
        let changed = ".heading(greeting), .text(\"There are \\(items.count) items.\"), .list(items), .divider,"
        let newest = try await ShopVersion.pack(
            "2.0.1", changing: [Self.line: changed], in: fixture.folder, with: fixture.build)
        try await fixture.publishPackages("account", "orders", "money")
        try await fixture.publish(["publish", old.string])
        let server = try await fixture.serve()
        try await fixture.run("install", Scene.shop)
        try await fixture.publish(["publish", newest.string])
        let count = server.requests.count
        let result = try await fixture.run("update", Scene.shop, "--json")
        let fetched = server.requests.dropFirst(count).filter { !$0.path.hasPrefix("/metadata/") }
        let size = try #require(FileManager.default.contents(atPath: newest.string)?.count)
        #expect(fetched.count == 1 && fetched.allSatisfy { $0.path.hasSuffix(".delta") && $0.status == 200 })
        let bytes = fetched.map(\.count).reduce(0, +)
        print("table: update of a plugin with one changed line: \(bytes) of \(size) bytes")
        #expect(bytes * 10 <= size, "\(bytes) of \(size)")
        #expect(result.stdout.contains(#""delta": "2.0.0""#), "\(result)")
        #expect(try await fixture.run("open", "app://shop").stdout.contains("There are "))
        try await fixture.run("verify")
    }
}
