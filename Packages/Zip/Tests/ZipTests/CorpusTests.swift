import FoundationEssentials
import Testing

@testable import Zip

/// A corpus of ambiguous archives, and the results of five tools.
///
/// The folder is not part of the repository: it is next to it, or at the path in `ATRIUM_CORPORA`. `AmbiguityTests` contains the same
/// constructions.
@Suite("ZipDiff corpus", .tags(.large))
struct CorpusTests {
    private static let path: String = {
        let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder =
            ProcessInfo.processInfo.environment["ATRIUM_CORPORA"]
            ?? root.deletingLastPathComponent().appending(path: "shared/corpora").path
        return "\(folder)/zipdiff.tar.zst"
    }()

    @Test(
        "No archive that two tools interpret differently is accepted, and none leaves files behind",
        .enabled(if: exists(path), "there is no ../shared/corpora/zipdiff.tar.zst"))
    func corpus() throws {
        try Tool.tar.require()
        try Tool.zstd.require()
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
            // This excludes a reader that rejects everything.
            #expect(accepted.count > 90)
        }
    }
}
