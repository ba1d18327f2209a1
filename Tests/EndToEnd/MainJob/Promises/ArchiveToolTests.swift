import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("bundletool archive on packages", .tags(.large))
    struct ArchiveToolTests {
        private struct Line: Decodable {
            let file: String
            let accepted: Bool
            let code: String?
            let reason: String?
        }

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

        @Test("bundletool archive rejects a damaged package with 65 and extracts nothing")
        func damaged() async throws {
            let host = try HostApp.find()
            let package = host.catalog.appending("\(shop)-1.1.0.zip")
            var editor = try PackageEditor(package)
            editor.damage(contentOf: "manifest.json")
            let folder = try ThrowawayFolder()
            let damaged = try folder.write(try editor.bytes(), to: "damaged.zip").string
            let result = try await host.bundletool.run("archive", "test", package.string, damaged, "--json")
            #expect(result.status == 65 && result.stderr == "", "\(result)")
            let lines = try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            #expect(lines.map(\.file) == [package.string, damaged])
            #expect(lines.map(\.accepted) == [true, false])
            #expect(lines.map { $0.code == nil } == [true, false] && lines[1].reason != nil)
            let target = folder.appending("out").string
            let extracted = try await host.bundletool.run("archive", "extract", damaged, "--to", target)
            #expect(extracted.status == 65 && extracted.stderr.hasPrefix("error: "), "\(extracted)")
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }
}
