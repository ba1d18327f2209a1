import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("bundletool archive on packages", .tags(.large))
    struct ArchiveToolTests {
        @Test("bundletool archive accepts every package of the catalog and extracts the files that inspect lists")
        func packages() async throws {
            let host = try HostApp.find()
            let package = host.catalog.appending("\(shop)-1.1.0.zip").string
            let result = try await host.bundletool.run("archive", "test", package)
            #expect(result.status == 0 && result.stdout == "accepted  \(package)\n" && result.stderr == "", "\(result)")
            let folder = try ThrowawayFolder()
            let target = folder.appending("out").string
            let extracted = try await host.bundletool.run("archive", "extract", package, "--to", target)
            #expect(extracted.status == 0, "\(extracted)")
            #expect(FileManager.default.fileExists(atPath: target + "/manifest.json"))
            let again = try await host.bundletool.run("archive", "extract", package, "--to", target)
            #expect(again.status == 77 && again.stdout == "", "\(again)")
        }
    }
}
