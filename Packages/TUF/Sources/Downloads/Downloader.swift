public import HTTPTransfer
import HostSystem

/// Downloads files into a folder, each of them once, however many tasks and processes ask for it.
///
/// ```swift
/// let downloader = Downloader(folder: "downloads", client: HTTPClient(userAgent: "example/1.0"))
/// let path = try await downloader.download(request, as: "shop-1.1.0.zip") { progress in
///     print(progress.received, "of", progress.total)
/// }
/// ```
///
/// The file gets its name when its digest is the requested one. Until then, it is a hidden file in the same folder, with which the next
/// download goes on, also one of another process.
public final class Downloader: Sendable {
    private let folder: String
    private let client: HTTPClient

    /// Creates a downloader.
    ///
    /// - Parameters:
    ///   - folder: The folder of partial and complete files, which is created if necessary.
    ///   - client: The client, whose limit of requests is that of downloads that run at once.
    public init(folder: String, client: HTTPClient) {
        self.folder = folder
        self.client = client
    }

    /// Downloads a file, or returns at once if the folder has it with the right hash.
    ///
    /// Of several tasks that ask for the same file, one downloads it and the others wait. If it is canceled, another one goes on.
    ///
    /// - Parameters:
    ///   - request: The file.
    ///   - name: The name of the file in the folder.
    ///   - progress: A closure that gets the progress some times a second, and a last time when the file is there. It is called on another
    ///     thread, where it must not block.
    /// - Returns: The path of the file.
    @concurrent public func download(
        _ request: DownloadRequest, as name: String,
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(DownloadError) -> String {
        if let problem = request.problem(name: name) {
            throw DownloadError(.requestInvalid, name, detail: problem)
        }
        let download = FileDownload(
            request: request, name: name, folderPath: folder, client: client,
            meter: ProgressMeter(total: request.length, report: progress))
        do {
            return try await download.run()
        } catch {
            throw error.about(name)
        }
    }

    /// Removes complete files that were not changed for some time.
    ///
    /// - Parameter age: The time in seconds since the file got its name.
    public func removeFiles(olderThan age: Int) throws(DownloadError) {
        try inFolder { folder throws(DownloadError) in
            for name in try folder.names(olderThan: age) where !name.hasPrefix(".") { try folder.remove(name) }
        }
    }

    /// Removes the parts of files that no process downloads and that have not grown for some time, such as those of versions that
    /// nobody wants any more.
    ///
    /// - Parameter age: The time in seconds since the last bytes arrived.
    public func removePartialFiles(olderThan age: Int) throws(DownloadError) {
        try inFolder { folder throws(DownloadError) in
            for partial in try folder.names(olderThan: age) {
                guard let name = PartialContent.name(ofPartial: partial),
                    let file = try folder.lockedFile(partial)
                else { continue }
                defer { withExtendedLifetime(file) {} }
                try folder.remove(PartialContent.validatorName(name))
                try folder.remove(partial)
            }
            try folder.removeLeftovers(olderThan: age)
        }
    }

    private func inFolder(_ body: (Folder) throws(DownloadError) -> Void) throws(DownloadError) {
        do {
            try body(Folder(folder: folder, isCreated: true))
        } catch {
            throw error.about(folder)
        }
    }
}
