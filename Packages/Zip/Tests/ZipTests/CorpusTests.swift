import FoundationEssentials
import Testing

@testable import Zip

/// Archives made to be read differently, and which of them five tools did read differently; the folder lies beside the
/// repository, or where `ATRIUM_CORPORA` says, and is no part of it. `AmbiguityTests` has the same constructions.
@Suite("The archives of ZipDiff")
struct CorpusTests {
    private static let path: String = {
        let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder =
            ProcessInfo.processInfo.environment["ATRIUM_CORPORA"]
            ?? root.deletingLastPathComponent().appending(path: "shared/corpora").path
        return "\(folder)/zipdiff.tar.zst"
    }()

    @Test(
        "none of those that any two tools read differently is accepted, and none leaves a byte behind",
        .enabled(if: exists(path), "there is no ../shared/corpora/zipdiff.tar.zst"))
    func corpus() throws {
        try #require(Tool.tar.isPresent, "install the package tar")
        try #require(Tool.zstd.isPresent, "install the package zstd")
        try withTemporaryFolder { folder in
            try Tool.tar.expectSuccess(["--use-compress-program=zstd", "-xf", Self.path], in: folder)
            let list = try Data(contentsOf: URL(filePath: "\(folder)/zipdiff-disagree.json"))
            let disagreed = Set(try JSONDecoder().decode([String].self, from: list))
            #expect(disagreed.count == 3_117)
            let names = try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/zipdiff")
                .filter { $0.hasSuffix(".zip") }
            #expect(names.count == 5_927)
            #expect(disagreed.isSubset(of: names))
            var accepted: [String] = []
            for name in names.sorted() {
                do {
                    try ZipArchive(path: "\(folder)/zipdiff/\(name)").extract(to: "\(folder)/out")
                    accepted.append(name)
                    try FileManager.default.removeItem(atPath: "\(folder)/out")
                } catch is ZipError {
                    #expect(!exists("\(folder)/out"), "\(name)")
                }
            }
            #expect(disagreed.intersection(accepted).sorted() == [])
            // A reader that refuses everything would pass as well.
            #expect(accepted.count > 100)
        }
    }
}
