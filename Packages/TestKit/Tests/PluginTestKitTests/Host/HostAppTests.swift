import FoundationEssentials
import PluginCore
@testable import PluginTestKit
import Testing

extension ThrowawayFolder {
    /// Writes a program of the shell.
    func write(program: String, to name: String) throws {
        let file = try write("#!/bin/sh\n\(program)\n", to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.string)
    }
}

@Suite("Access to the built host", .tags(.large))
struct HostAppTests {
    private func makeBuild(in folder: ThrowawayFolder, at name: String) throws {
        try folder.write(program: "echo hostapp \"$@\"; echo \"$GREETING\"; cat", to: "\(name)/bin/hostapp")
        try folder.write(program: "echo bundletool \"$@\"", to: "\(name)/bin/bundletool")
    }

    @Test("The build is found by the environment variable or in the nearest folder above a file, or is an error")
    func finding() throws {
        let folder = try ThrowawayFolder()
        try makeBuild(in: folder, at: "build")
        try makeBuild(in: folder, at: "Tests/build")
        try makeBuild(in: folder, at: "elsewhere")
        func find(_ named: String?, _ file: String) throws -> FilePath {
            try HostApp.find(in: named, from: folder.appending(file)).build
        }
        #expect(try find(nil, "Packages/A/Tests/a.swift") == folder.appending("build"))
        #expect(try find("", "Tests/EndToEnd/a.swift") == folder.appending("Tests/build"))
        let elsewhere = folder.appending("elsewhere")
        #expect(try find(elsewhere.string, "Tests/a.swift") == elsewhere)
        let wrong = #expect(throws: FixtureError.self) { try find(folder.appending("Packages").string, "a.swift") }
        #expect(wrong?.description.contains("ATRIUM_BUILD") == true)
        let missing = try ThrowawayFolder().appending("a/b.swift")
        let error = #expect(throws: FixtureError.self) { try HostApp.find(in: nil, from: missing) }
        #expect(error?.description.contains("Scripts/build") == true)
        try folder.write(program: "true", to: "build/bin/acme")
        #expect(
            try HostApp.find("acme", in: nil, from: folder.appending("Tests/a.swift")).hostapp.path.lastComponent
                == "acme")
    }

    @Test("A host and its processes keep sandbox and catalog alive")
    func running() async throws {
        let folder = try ThrowawayFolder()
        try makeBuild(in: folder, at: "build")
        let plain = HostApp(build: folder.appending("build"))
        var catalog: ThrowawayCatalog? = try ThrowawayCatalog()
        let catalogFolder = try #require(catalog?.folder)
        let sandbox = try ThrowawaySandbox()
        let host = plain.with(sandbox: sandbox, catalog: catalog)
        catalog = nil
        let result = try await host.run("list", "--json", input: "in", environment: ["GREETING": "hi"])
        let options = "--sandbox \(sandbox.root) --catalog \(catalogFolder)"
        #expect(result.stdout == "hostapp \(options) list --json\nhi\nin")
        #expect(FileManager.default.fileExists(atPath: catalogFolder.string))
        #expect(try await plain.bundletool.run("--help").stdout == "bundletool --help\n")
        let shell = try host.start("shell")
        #expect(try await shell.nextLine() == "hostapp \(options) shell")
        #expect(try await plain.startOnTerminal("shell").nextLine() == "hostapp shell")
    }
}
