import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Plugins that ship with the host", .tags(.large))
struct ShippedPluginTests {
    private static let lantern = "com.example.assets.lantern"

    /// A copy of the build in which the commands of `Documentation/WritingAPlugin.md` run.
    private struct Release {
        let folder: ThrowawayFolder
        let host: HostApp
        let shell: Executable

        init() async throws {
            folder = try ThrowawayFolder()
            host = HostApp(build: folder.appending("build"))
            let data = ["XDG_DATA_HOME": folder.appending("data").string, "LC_ALL": "C.UTF-8"]
            shell = Executable("/bin/sh", leading: ["-e", "-c"], environment: data)
            // A separate process copies the files, because a program that this process has open for writing cannot be started.
            try await run("cp -R '\(HostApp.find().build)' build")
        }

        @discardableResult
        func run(_ commands: String) async throws -> ProcessResult {
            try await shell.run(commands, folder: folder.path).succeeded()
        }

        /// Returns the active versions of the installed bundle.
        func installed() async throws -> [String] {
            try await run("build/bin/hostapp list --json").json(as: JSON.self).bundles.elements.map(\.version.string)
        }
    }

    private func commands() throws -> String {
        let blocks = try DocumentPage("Documentation/WritingAPlugin.md").blocks(in: "A plugin that ships with the host")
        return try #require(blocks.first)
    }

    @Test(
        "A shipped plugin is available without a catalog, and newer shipped versions are installed when the host starts"
    )
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

    @Test("Shipped plugins are verified like those from the catalog")
    func judged() async throws {
        let release = try await Release()
        let conflictingRoute = try SigningIdentity()
        let forged = try ThrowawayCatalog(signedBy: nil)
        let package = try forged.pack(from: release.host.catalog.appending("\(Self.lantern)-1.0.0.zip")) {
            try $0.sign(by: conflictingRoute)
        }
        try await release.run("mkdir build/share/atrium/plugins; mv '\(package)' build/share/atrium/plugins/")
        let refused = try await release.shell.run(
            "build/bin/hostapp install \(Self.lantern) --json", folder: release.folder.path)
        #expect(refused.status == 77 && refused.stdout.contains(#""code": "teamUnknown""#), "\(refused)")
        #expect(try await release.installed() == [])
    }
}
