import Foundation
import PluginCore
import PluginTestKit
import TestServer
import Testing

@Suite("Packages for several platforms over HTTP", .tags(.large), .timeLimit(.minutes(5)))
struct PlatformPartTests {
    private static let account = "com.example.app.account"
    private static let repository = FilePath(#filePath).parent.parent.parent.parent
    /// The platform of these tests, and another one.
    private static let triples = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]
    /// The size of the code for the other platform, which cannot be compressed.
    private static let size = 1 << 21

    /// Packs Account in a version with its library for this platform, a real one for another, or both.
    private static func pack(_ version: String, for triples: [String], with fixture: PublishedFixture) async throws
        -> String
    {
        let plugin = fixture.folder.appending("Account-\(version)")
        let source = repository.appending("Plugins/Account")
        let manifest = try String(contentsOfFile: source.appending("manifest.json").string, encoding: .utf8)
        try fixture.folder.write(
            manifest.replacing("\"version\": \"1.0.0\"", with: "\"version\": \"\(version)\""),
            to: "Account-\(version)/manifest.json")
        let built = try PackageEditor(fixture.build.catalog.appending("\(account)-1.0.0.zip"))
        try fixture.folder.write(built.bytes(of: Scene.library), to: "Account-\(version)/own/libAccount.so")
        let foreign = try await foreign(in: fixture.folder)
        let libraries =
            ["--library", plugin.appending("own/libAccount.so").string]
            + (triples.count == 2 ? ["--library", "\(triples[1])=\(foreign)"] : [])
        let key = try #require(SigningIdentity.development).writeKey(in: fixture.folder)
        let packed = try await fixture.build.bundletool.run(
            ["pack", plugin.string, "--resources", source.appending("Resources").string, "--output", plugin.string]
                + libraries + ["--key", key.string, "--team", SigningIdentity.sampleTeam])
        try #require(packed.status == 0, "\(packed)")
        return plugin.appending("\(account)-\(version).zip").string
    }

    /// Compiles a plugin's library for the other platform, with much code that differs from all other.
    private static func foreign(in folder: ThrowawayFolder) async throws -> FilePath {
        let (source, library) = (folder.appending("foreign.c"), folder.appending("foreign.so"))
        guard !FileManager.default.fileExists(atPath: library.string) else { return library }
        var generator = SystemRandomNumberGenerator()
        try folder.write((0..<size / 8).flatMap { _ in bytes(of: generator.next()) }, to: "code.bin")
        try folder.write(
            """
            #include <stddef.h>
            #include "plugin_entry.h"
            __asm__(".section .rodata\\n.global code\\ncode: .incbin \\"\(folder.appending("code.bin"))\\"\\n");
            const void *plugin_entry_v2(void) { return NULL; }
            """, to: "foreign.c")
        let headers = repository.appending("Packages/Core/Sources/CPluginEntry/include")
        let result = try await Executable("/usr/bin/env").run([
            "clang", "-target", triples[1], "-ffreestanding", "-nostdlib", "-shared", "-fPIC", "-fuse-ld=lld", "-I",
            headers.string, source.string, "-o", library.string,
        ])
        try #require(result.status == 0, "\(result)")
        return library
    }

    private static func bytes(of number: UInt64) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    /// The sizes of the packages, parts and deltas that a server has sent since a request.
    private static func sent(_ server: WebServer, since count: Int = 0) -> [(name: String, count: Int)] {
        server.requests.dropFirst(count).filter { !$0.path.hasPrefix("/metadata/") }.map {
            ($0.path.split(separator: "/").last.map(String.init) ?? "", $0.count)
        }
    }

    /// The names of the folders of libraries of an installed version.
    private static func platforms(_ version: String, in fixture: PublishedFixture) throws -> [String] {
        let folder = fixture.sandbox.root.appending("Containers/Bundle/Plugins/\(account)")
        let versions = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        let name = try #require(versions.first { $0.hasPrefix("\(version)-") })
        return try FileManager.default.contentsOfDirectory(atPath: folder.appending("\(name)/lib").string)
    }

    @Test("A host fetches and stores only the part for its platform, and updates it by deltas to the part")
    func part() async throws {
        let fixture = try await PublishedFixture()
        let whole = try await Self.pack("3.0.0", for: Self.triples, with: fixture)
        let published = try await fixture.publish(["publish", whole])
        #expect(published.stdout.contains("for \(Self.triples[1])"), "\(published)")
        let server = try WebServer(serving: fixture.repository.string)
        try await fixture.add(server.address)
        try await fixture.run("install", Self.account)
        let fetched = Self.sent(server)
        let size = try #require(FileManager.default.contents(atPath: whole)?.count)
        print("table: install of a package for two platforms: \(fetched.map(\.count).reduce(0, +)) of \(size) bytes")
        #expect(fetched.map(\.name).allSatisfy { $0.hasSuffix("_for_\(Self.triples[0]).zip") } && fetched.count == 1)
        #expect(fetched[0].count < size - Self.size, "\(fetched[0].count) of \(size)")
        #expect(try Self.platforms("3.0.0", in: fixture) == [Self.triples[0]])
        #expect(try await fixture.run("open", "app://account").stdout.isEmpty == false)
        try await fixture.run("verify")

        // The next version has another manifest and the same libraries.
        try await fixture.publish(["publish", try await Self.pack("3.0.1", for: Self.triples, with: fixture)])
        let count = server.requests.count
        let update = try await fixture.run("update", Self.account, "--json")
        #expect(update.stdout.contains(#""delta": "3.0.0""#), "\(update)")
        let delta = Self.sent(server, since: count)
        #expect(delta.map(\.name).allSatisfy { $0.hasSuffix("_to_3.0.1_for_\(Self.triples[0]).delta") }, "\(delta)")
        #expect(delta.map(\.count).reduce(0, +) * 10 < fetched[0].count, "\(delta)")
        #expect(try Self.platforms("3.0.1", in: fixture) == [Self.triples[0]])
        try await fixture.run("verify")

        // A revoked version is left as any other.
        try await fixture.publish(["revoke", "\(Self.account)@3.0.1", "--reason", "it is slow"])
        try await fixture.run("catalog", "refresh")
        #expect(try await fixture.active(Self.account).contains("3.0.0"))
    }
}
