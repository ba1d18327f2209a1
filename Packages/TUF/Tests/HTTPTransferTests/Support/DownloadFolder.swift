import Downloads
import Foundation
import HTTPTransfer
import TUFMetadata
import Testing

/// A temporary folder with a downloader, removed with it.
final class DownloadFolder: Sendable {
    private let folder: TestFolder
    let downloader: Downloader

    init() throws {
        folder = try TestFolder()
        downloader = Downloader(folder: folder.path, client: HTTPClient(userAgent: "tests/1.0"))
    }

    var path: String { folder.path }

    /// Downloads a file, with short pauses, and returns its content.
    @discardableResult
    func download(
        _ file: ServedFile, from mirrors: [String], as name: String = "file", limits: DownloadLimits = .short,
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(DownloadError) -> [UInt8]? {
        var request = DownloadRequest(mirrors: mirrors, length: Int64(file.content.count), sha256: file.digest)
        request.limits = limits
        let path = try await downloader.download(request, as: name, progress: progress)
        return content(path)
    }

    /// Downloads a file, which must fail, and returns the error.
    func error(_ file: ServedFile, from mirrors: [String], limits: DownloadLimits = .short) async -> DownloadError? {
        await #expect(throws: DownloadError.self) { try await download(file, from: mirrors, limits: limits) }
    }

    private func content(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { Array($0) }
    }

    /// The content of a file in the folder.
    func file(_ name: String) -> [UInt8]? { content("\(path)/\(name)") }

    /// Waits until a part of a file has arrived, and fails if all of it has, or after a minute without counting that of other tests.
    func waitForPart(of name: String = "file", length: Int) async throws {
        for _ in 0..<12_000 {
            if (file(".\(name).partial")?.count ?? 0) >= length { return }
            try #require(file(name) == nil, "the download has ended before its part was seen")
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("no part arrives")
        throw CancellationError()
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

extension ServedFile {
    var digest: String { (try? HashAlgorithm.sha256.digest(of: content)) ?? "" }
}

extension DownloadLimits {
    /// Limits with short pauses.
    static var short: DownloadLimits {
        var limits = DownloadLimits()
        limits.total = .seconds(60)
        limits.firstPause = .milliseconds(2)
        limits.longestPause = .seconds(2)
        return limits
    }
}
