import Foundation
import PluginCore
import PluginTestKit
import TestServer
import Testing

/// The packages of the build as a published catalog on a web server, and a host with a temporary sandbox.
struct PublishedFixture: Sendable {
    let build: HostApp
    let sandbox: ThrowawaySandbox
    let folder: ThrowawayFolder

    init() async throws {
        build = try HostApp.find()
        sandbox = try ThrowawaySandbox()
        folder = try ThrowawayFolder()
        try folder.write("correct horse", to: "password")
        let empty = try await Self.empty.value
        for name in ["repository", "keys"] {
            try empty.appending(name).copy(to: folder.appending(name))
        }
    }

    /// A new repository whose keys are not encrypted, because each command would need a second of processor time to decrypt them.
    private static let empty = Task {
        let (folder, bundletool) = (try ThrowawayFolder(), try HostApp.find().bundletool)
        try folder.write("correct horse", to: "password")
        let password = folder.appending("password").string
        for name in ["packages", "keys"] {
            try folder.appending(name).makeFolder()
        }
        try await bundletool.run(
            "publish", folder.appending("packages").string, "--to", folder.appending("repository").string,
            "--keys", folder.appending("encrypted").string, "--password-file", password
        ).succeeded()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.appending("encrypted").string) {
            try await Executable("/usr/bin/env").run(
                "openssl", "pkcs8", "-in", folder.appending("encrypted/\(name)").string, "-passin", "file:\(password)",
                "-out", folder.appending("keys/\(name)").string
            ).succeeded()
        }
        return folder
    }

    var repository: FilePath { folder.path.appending("repository") }
    var root: FilePath { repository.appending("metadata/1.root.json") }

    /// Runs a command of bundletool that changes the repository and must succeed.
    @discardableResult
    func publish(
        _ words: [String], to repository: FilePath? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ProcessResult {
        try await build.bundletool.run(
            words + [
                "--to", (repository ?? self.repository).string, "--keys", folder.path.appending("keys").string,
                "--password-file", folder.path.appending("password").string,
            ]
        ).succeeded(sourceLocation: sourceLocation)
    }

    /// Publishes the packages of the build whose names contain one of some texts; all if there are none.
    func publishPackages(_ texts: String..., to repository: FilePath? = nil) async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: build.catalog.string).sorted()
        let chosen = names.filter { name in texts.isEmpty || texts.contains(where: name.contains) }
        try await publish(["publish"] + chosen.map { build.catalog.appending($0).string }, to: repository)
    }

    /// Publishes all packages of the build on a web server, whose catalog the host has.
    static func served() async throws -> (fixture: PublishedFixture, server: WebServer) {
        let fixture = try await PublishedFixture()
        try await fixture.publishPackages()
        return (fixture, try await fixture.serve())
    }

    /// Adds the catalog on a web server to the sandbox.
    func serve() async throws -> WebServer {
        let server = try WebServer(serving: repository.string)
        try await add(server.address)
        return server
    }

    /// The host with the sandbox, and with the catalogs that were added to it.
    var hostapp: Executable {
        Executable(build.build.appending("bin/hostapp"), leading: ["--sandbox", sandbox.root.string])
    }

    /// Runs a command of the host that must succeed.
    @discardableResult
    func run(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> ProcessResult {
        try await hostapp.run(words).succeeded(sourceLocation: sourceLocation)
    }

    /// Returns the line of the installed version of a plugin.
    func active(_ identifier: String) async throws -> String {
        try await run("list").stdout.split(separator: "\n").first { $0.contains(identifier) }.map(String.init) ?? ""
    }

    /// Adds the catalog at an address to the sandbox.
    func add(_ address: String, as name: String = "site") async throws {
        try await run("catalog", "add", name, address, "--root", root.string)
    }
}
