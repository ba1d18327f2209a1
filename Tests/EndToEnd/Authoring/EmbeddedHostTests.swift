import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("A team's own host, built from the SDK alone", .tags(.large), .timeLimit(.minutes(5)))
struct EmbeddedHostTests {
    @Test("The sample of 30 lines builds, installs the plugin of an address, and prints its page")
    func sample() async throws {
        let source = try Workplace.root.appending("Samples/EmbeddedHost/Sources/EmbeddedHost/main.swift").text
        #expect(source.split(separator: "\n", omittingEmptySubsequences: false).count <= 31)
        let (author, build) = (try await Workplace(), try HostApp.find())
        try await author.copy(author.sdk.appending("samples/EmbeddedHost"), to: "EmbeddedHost")
        let built = try await author.run("bundletool", ["build", "EmbeddedHost"])
        #expect(built.stdout.hasSuffix("/EmbeddedHost\n"), "\(built)")
        // The toolset that this has written is all that SwiftPM needs.
        let swift = Executable("/usr/bin/env", leading: ["swift", "build", "--package-path"])
        let package = author.folder.appending("EmbeddedHost").string
        let again = try await swift.run(
            package, "--toolset", package + "/.build/atrium/toolset.json",
            environment: ["HOME": author.folder.appending("home").string])
        #expect(again.status == 0, "\(again)")

        let trust = build.build.appending("share/atrium/trust.json").string
        let words = [author.folder.appending("sandbox").string, build.catalog.string, trust]
        let host = author.program(at: "EmbeddedHost/.build/debug/EmbeddedHost")
        let opened = try await host.run(words + ["app://account"])
        #expect(opened.status == 0 && opened.stdout == "Account\nNobody is signed in.\n", "\(opened)")
        let distrusting = try author.folder.write(#"{ "formatVersion": 1, "teams": [] }"#, to: "trust.json")
        let sandbox = author.folder.appending("other").string
        let refused = try await host.run(sandbox, build.catalog.string, distrusting.string, "app://account")
        #expect(refused.status == 1 && refused.stdout.contains("teamUnknown"), "\(refused)")
    }
}
