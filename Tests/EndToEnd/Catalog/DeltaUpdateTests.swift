import Foundation
import PluginCore
import PluginTestKit
import TestServer
import Testing

@Suite("Updates by deltas over HTTP", .tags(.large), .timeLimit(.minutes(5)))
struct DeltaUpdateTests {
    private static let shop = "com.example.app.shop"
    private static let line = ".heading(greeting), .list(items), .divider,"

    /// A host that has installed Shop 2.0.0, and a catalog that offers 2.0.1, in which one line is another.
    private struct Fixture {
        let published: PublishedFixture
        let server: WebServer
        let newest: FilePath

        init() async throws {
            published = try await PublishedFixture()
            let old = try await ShopVersion.pack("2.0.0", in: published.folder, with: published.build)
            newest = try await ShopVersion.pack(
                "2.0.1",
                changing: [
                    line: ".heading(greeting), .text(\"There are \\(items.count) items.\"), .list(items), .divider,"
                ],
                in: published.folder, with: published.build)
            try await published.publish(
                ["publish", old.string] + (try published.packages().filter { !$0.contains("app.shop") }))
            server = try WebServer(serving: published.repository.string)
            try await published.add(server.address)
            try await published.run("install", shop)
        }

        /// Publishes the newest version, and returns what the update says and which packages and deltas it fetches.
        func update(
            _ change: () throws -> Void = {}
        ) async throws -> (result: ProcessResult, fetched: [WebServer.Request]) {
            try await published.publish(["publish", newest.string])
            try change()
            let count = server.requests.count
            let result = try await published.run("update", shop, "--json", "--verbose")
            return (result, server.requests.dropFirst(count).filter { !$0.path.hasPrefix("/metadata/") })
        }

        /// The published deltas to the newest version.
        func deltas() throws -> [FilePath] {
            let folder = published.repository.appending("targets/\(shop)")
            return try FileManager.default.contentsOfDirectory(atPath: folder.string)
                .filter { $0.hasSuffix("_to_2.0.1.delta") }.map { folder.appending($0) }
        }
    }

    @Test("One changed line in a real plugin costs an update at most a tenth of its package")
    func oneLine() async throws {
        let fixture = try await Fixture()
        let (result, fetched) = try await fixture.update()
        let size = try #require(FileManager.default.contents(atPath: fixture.newest.string)?.count)
        #expect(fetched.count == 1 && fetched.allSatisfy { $0.path.hasSuffix(".delta") && $0.status == 200 })
        let bytes = fetched.map(\.count).reduce(0, +)
        print("table: update of a plugin with one changed line: \(bytes) of \(size) bytes")
        #expect(bytes * 10 <= size, "\(bytes) of \(size)")
        #expect(result.stdout.contains(#""delta": "2.0.0""#), "\(result)")
        #expect(try await fixture.published.run("open", "app://shop").stdout.contains("There are "))
        try await fixture.published.run("verify")
    }

    @Test(
        "A delta that is damaged or missing on the server costs no update, and the answer says why",
        arguments: [true, false])
    func trouble(_ isDamaged: Bool) async throws {
        let fixture = try await Fixture()
        let (result, fetched) = try await fixture.update {
            for delta in try fixture.deltas() {
                var bytes = try Data(contentsOf: URL(filePath: delta.string))
                bytes[bytes.count / 2] ^= 1
                try FileManager.default.removeItem(atPath: delta.string)
                if isDamaged { try bytes.write(to: URL(filePath: delta.string)) }
            }
        }
        #expect(fetched.contains { $0.path.hasSuffix(".delta") && ($0.status == 200) == isDamaged }, "\(fetched)")
        #expect(fetched.contains { $0.path.hasSuffix(".zip") && $0.status == 200 }, "\(fetched)")
        #expect(result.stdout.contains("the delta from 2.0.0 could not be used"), "\(result)")
        #expect(result.stderr.contains("the delta from 2.0.0 could not be used"), "\(result)")
        #expect(try await fixture.published.run("open", "app://shop").stdout.contains("There are "))
    }
}
