import Downloads
import FoundationEssentials
import Glibc
import HTTPTransfer
import PluginCore
import TestServer
import TUFMetadata

/// A download of 500 MB from loopback, compared with curl and sha256sum.
///
/// The runs alternate on one file system, with the file in the page cache and no other data to be written. The download writes its file
/// to the disk; curl does not.
struct LargeDownload {
    private static let name = "large.bin"

    let workshop: Workshop
    /// This program itself, because a user's download begins in a new process, too.
    let program: FilePath
    let effort: Effort

    private var folder: FilePath { workshop.folder.appending("downloads") }

    func measure(to report: Report) async throws {
        Report.progress("downloading a large file")
        let server = try WebServer(lifetime: 3_600)
        let length = effort.count(500_000_000, smoke: 500_000)
        let digest = try write(length, to: FilePath(server.folder).appending(Self.name))
        let address = "\(server.address)/\(Self.name)"
        let download = Program(
            path: program, arguments: ["download", folder.string, address, "\(length)", digest])
        let curl = Program(
            path: "/bin/sh",
            arguments: [
                "-c", "mkdir \"$1\" && cd \"$1\" && curl --silent --fail --output file \"$2\" && sha256sum file", "sh",
                folder.string, address,
            ])
        var (downloads, curls): ([Double], [Double]) = ([], [])
        for run in 0...effort.count(9) {
            let times = try await (settled(download), settled(curl))
            // The first run fills the page cache.
            guard run > 0 else { continue }
            downloads.append(times.0)
            curls.append(times.1)
        }
        report.add(.largeDownload, median(downloads), beside: median(curls))
    }

    /// Downloads a file, as `Bench download FOLDER ADDRESS LENGTH DIGEST`. Returns its length.
    static func run(_ arguments: [String]) async throws -> Double {
        guard arguments.count == 4, let length = Int64(arguments[2]) else { throw FreshProcess.Arguments() }
        let request = DownloadRequest(mirrors: [arguments[1]], length: length, sha256: arguments[3])
        let downloader = Downloader(folder: arguments[0], client: HTTPClient(userAgent: "bench"))
        _ = try await downloader.download(request, as: name)
        return Double(length)
    }

    /// Returns the time of a program that creates the folder, while no other data needs to be written.
    private func settled(_ program: Program) async throws -> Double {
        if FileManager.default.fileExists(atPath: folder.string) {
            try FileManager.default.removeItem(atPath: folder.string)
        }
        sync()
        return try await program.time()
    }

    /// Writes random bytes. Returns their digest.
    private func write(_ length: Int, to path: FilePath) throws -> String {
        var random = Random(state: 0x9E37_79B9_7F4A_7C15)
        let bytes = random.bytes(length)
        try Data(bytes).write(to: URL(filePath: path.string))
        return try HashAlgorithm.sha256.digest(of: bytes)
    }
}
