import Foundation
import PluginCore
import PluginTestKit
import TestServer
import Testing

@Suite("Packages for several platforms over HTTP", .tags(.large), .timeLimit(.minutes(5)))
struct PlatformPartTests {
    /// The platform of these tests, and another one.
    private static let triples = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"]

    /// Packs a version of Account with its library for this platform, also as if another compiler had built it, and another one for the other.
    private static func pack(
        _ version: String, with fixture: PublishedFixture, twice: Bool = false
    ) async throws -> String {
        let (folder, source) = (fixture.folder, Workplace.root.appending("Plugins/Account"))
        let built = try PackageEditor(fixture.build.catalog.appending("\(Scene.account)-1.0.0.zip"))
        let own = try folder.write(built.bytes(of: Scene.library), to: "own/libAccount.so")
        let written = try source.appending("manifest.json").text
        let manifest = try folder.write(
            written.replacing("\"version\": \"1.0.0\"", with: "\"version\": \"\(version)\""), to: "manifest.json")
        let key = try #require(SigningIdentity.development).writeKey(in: folder)
        var others: [String] = []
        if twice {
            var bytes = try built.bytes(of: Scene.library)
            while let place = bytes.firstRange(of: Array("Clang ".utf8)) {
                bytes.replaceSubrange(place, with: "Klang ".utf8)
            }
            others = ["--library", try folder.write(bytes, to: "klang/libAccount.so").string]
        }
        try await fixture.build.bundletool.run(
            [
                "pack", source.string, "--manifest", manifest.string, "--output", folder.path.string, "--library",
                own.string, "--library",
                "\(triples[1])=\(try await foreign(in: folder))", "--key", key.string, "--team",
                SigningIdentity.sampleTeam,
            ] + others
        ).succeeded()
        return folder.appending("\(Scene.account)-\(version).zip").string
    }

    /// Compiles a plugin's library for the other platform.
    private static func foreign(in folder: ThrowawayFolder) async throws -> FilePath {
        let (source, library) = (folder.appending("foreign.c"), folder.appending("foreign.so"))
        try folder.write(
            "#include \"plugin_entry.h\"\nconst void *plugin_entry_v3(void) { return 0; }\n", to: "foreign.c")
        let headers = Workplace.root.appending("Packages/Core/Sources/CPluginEntry/include")
        try await Executable("/usr/bin/env").run([
            "clang", "-target", triples[1], "-ffreestanding", "-nostdlib", "-shared", "-fPIC", "-fuse-ld=lld", "-I",
            headers.string, source.string, "-o", library.string,
        ]).succeeded()
        return library
    }

    @Test(
        "After an upgrade of the host, opening says that update is needed, which fetches the build of the same version that fits"
    )
    func upgrade() async throws {
        let fixture = try await PublishedFixture()
        try await fixture.publish(["publish", try await Self.pack("3.0.0-rc.1", with: fixture, twice: true)])
        let server = try await fixture.serve()
        try await fixture.run("install", Scene.account)
        // The catalog has libraries for the other compiler, also of a pre-release that is active.
        let description = try await fixture.run("doctor", "--describe-host").stdout
        let file = try fixture.folder.write(description.replacing("Clang ", with: "Klang "), to: "klang.json")
        let upgraded = try await fixture.run("outdated", "--for-host", file.string, "--json").stdout
        #expect(upgraded.contains(#""forHost": "3.0.0-rc.1""#), "\(upgraded)")
        #expect(upgraded.contains(#""isLoadable": false"#), "\(upgraded)")
        let library = try #require(try fixture.sandbox.tree().files.first { $0.hasSuffix(".so") })
        let folder = fixture.sandbox.root.appending(library).parent
        #expect(folder.lastComponent.hasPrefix("\(Self.triples[0])_clang-"), "\(folder)")
        // The host before the upgrade has stored another folder.
        let other = folder.parent.appending("\(Self.triples[0])_klang-1-0_core-2")
        try FileManager.default.moveItem(atPath: folder.string, toPath: other.string)
        let refused = try await fixture.hostapp.run("open", "app://account")
        #expect(refused.status == 65 && refused.stderr.contains("hostapp update \(Scene.account)"), "\(refused)")
        let count = server.requests.count
        #expect(try await fixture.run("update").stdout.contains("now has the libraries for this host"))
        let fetched = server.requests.dropFirst(count).map(\.path).filter { $0.hasSuffix(".zip") }
        #expect(fetched.count == 1 && fetched.allSatisfy { $0.contains("_for_\(folder.lastComponent)") }, "\(fetched)")
        #expect(try await fixture.run("open", "app://account").stdout.isEmpty == false)
        try await fixture.run("verify")
    }

    @Test("A host fetches and stores only the part for its platform, and updates it by deltas to the part")
    func part() async throws {
        let fixture = try await PublishedFixture()
        let published = try await fixture.publish(["publish", try await Self.pack("3.0.0", with: fixture)])
        #expect(published.stdout.contains("for \(Self.triples[1])"), "\(published)")
        let server = try await fixture.serve()
        try await fixture.run("install", Scene.account)
        let fetched = server.requests.map(\.path).filter { !$0.hasPrefix("/metadata/") }
        #expect(fetched.count == 1 && fetched.allSatisfy { $0.hasSuffix("_for_\(Self.triples[0]).zip") }, "\(fetched)")
        let files = try fixture.sandbox.tree().files.filter { $0.hasSuffix(".so") }
        #expect(files.count == 1 && files.allSatisfy { $0.contains("/lib/\(Self.triples[0])/") }, "\(files)")
        #expect(try await fixture.run("open", "app://account").stdout.isEmpty == false)
        try await fixture.run("verify")

        // The next version has another manifest and the same libraries.
        try await fixture.publish(["publish", try await Self.pack("3.0.1", with: fixture)])
        let update = try await fixture.run("update", Scene.account, "--json")
        #expect(update.stdout.contains(#""delta": "3.0.0""#), "\(update)")
        let delta = server.requests.map(\.path).filter { !$0.hasPrefix("/metadata/") }.dropFirst(fetched.count)
        #expect(
            delta.allSatisfy { $0.hasSuffix("_to_3.0.1_for_\(Self.triples[0]).delta") } && !delta.isEmpty, "\(delta)")
        try await fixture.run("verify")
    }
}
