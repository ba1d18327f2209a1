import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("A plugin that ships with the host")
struct ShippedPluginTests {
    private static let lantern = "com.example.assets.lantern"

    /// A copy of the build, in which the commands of the README's chapter run.
    private struct Release {
        let folder: ThrowawayFolder
        let host: HostApp
        let shell: Executable

        init() async throws {
            folder = try ThrowawayFolder()
            host = HostApp(build: folder.appending("build"))
            let data = ["XDG_DATA_HOME": folder.appending("data").string, "LC_ALL": "C.UTF-8"]
            shell = Executable("/bin/sh", leading: ["-e", "-c"], environment: data)
            // By another process: a program that this one has open for writing while any child starts cannot be run.
            try await run("cp -R '\(HostApp.find().build)' build")
        }

        @discardableResult
        func run(_ commands: String) async throws -> ProcessResult {
            let result = try await shell.run(commands, folder: folder.path)
            try #require(result.status == 0, "\(result)")
            return result
        }

        /// The versions of the bundle that are installed: the active one.
        func installed() async throws -> [String] {
            struct List: Decodable {
                struct Bundle: Decodable {
                    let version: String
                }
                let bundles: [Bundle]
            }
            return try await run("build/bin/hostapp list --json").json(as: List.self).bundles.map(\.version)
        }
    }

    private func commands() throws -> String {
        let house = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        let readme = try String(contentsOf: house.appending(path: "README.md"), encoding: .utf8)
        let chapter = try #require(readme.components(separatedBy: "### A plugin that ships with the host\n").last)
        return try #require(chapter.components(separatedBy: "```").dropFirst().first)
    }

    @Test("is there without a catalog, as the README shows, and newer ones follow when the host starts")
    func shipped() async throws {
        let release = try await Release()
        let page = try await release.run(commands())
        #expect(page.stdout.hasPrefix("Lantern\n"), "\(page)")
        #expect(try await release.installed() == ["1.0.0"])

        let plugins = release.folder.appending("build/share/atrium/plugins")
        let newer = try ThrowawayCatalog()
        let package = try newer.pack(from: plugins.appending("\(Self.lantern)-1.0.0.zip")) {
            try $0.rename(version: "1.1.0")
        }
        try await release.run("cp '\(package)' build/share/atrium/plugins/")
        #expect(try await release.installed() == ["1.0.0"], "the command that lists is no start")
        try await release.run("build/bin/hostapp --catalog nowhere open app://lantern/about")
        #expect(try await release.installed() == ["1.1.0"])
        try await release.run("build/bin/hostapp rollback \(Self.lantern)")
        try await release.run("build/bin/hostapp --catalog nowhere open app://lantern/about")
        #expect(try await release.installed() == ["1.0.0"], "the user went back")
    }

    @Test("is judged no less than one from the catalog")
    func judged() async throws {
        let release = try await Release()
        let rival = try SigningIdentity()
        let forged = try ThrowawayCatalog(signedBy: nil)
        let package = try forged.pack(from: release.host.catalog.appending("\(Self.lantern)-1.0.0.zip")) {
            try $0.sign(by: rival)
        }
        try await release.run("mkdir build/share/atrium/plugins; mv '\(package)' build/share/atrium/plugins/")
        let refused = try await release.shell.run(
            "build/bin/hostapp install \(Self.lantern) --json", folder: release.folder.path)
        #expect(refused.status == 77 && refused.stdout.contains(#""code": "teamUnknown""#), "\(refused)")
        #expect(try await release.installed() == [])
    }
}
