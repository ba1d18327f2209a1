internal import Files
public import HTTPTransfer
import Synchronization

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
    /// A file that is requested, under a name.
    private struct Wanted: Hashable {
        let name: String
        let length: Int64
        let sha256: String
    }

    private let folder: String
    private let client: HTTPClient
    private let semaphore: AsyncSemaphore
    private let running = Mutex<[Wanted: SharedDownload]>([:])

    /// Creates a downloader.
    ///
    /// - Parameters:
    ///   - folder: The folder of partial and complete files, which is created if necessary.
    ///   - client: The client, whose limit of requests should be higher than that of downloads.
    ///   - limit: The number of downloads that run at once. More of them wait in order.
    public init(folder: String, client: HTTPClient, atOnce limit: Int = 4) {
        self.folder = folder
        self.client = client
        semaphore = AsyncSemaphore(limit: limit)
    }

    /// Downloads a file, or returns at once if the folder has it with the right hash.
    ///
    /// Tasks that ask for the same file share one download. If one of them is canceled, the others get the file nevertheless.
    ///
    /// - Parameters:
    ///   - request: The file.
    ///   - name: The name of the file in the folder.
    ///   - progress: A closure that gets the progress some times a second, and a last time when the file is there. It is called on another
    ///     thread, where it must not block.
    /// - Returns: The path of the file.
    public func download(
        _ request: DownloadRequest, as name: String,
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws(DownloadError) -> String {
        if let problem = request.problem(name: name) {
            throw DownloadError(.requestInvalid, name, detail: problem)
        }
        let wanted = Wanted(name: name, length: request.length, sha256: request.sha256)
        let (shared, number) = running.withLock { running in
            if let shared = running[wanted], let number = shared.join(progress) { return (shared, number) }
            let shared = SharedDownload()
            // The first task can always join.
            let number = shared.join(progress) ?? 0
            running[wanted] = shared
            let download = FileDownload(
                request: request, name: name, folderPath: folder, client: client, semaphore: semaphore,
                meter: ProgressMeter(total: request.length) { shared.report($0) })
            shared.start {
                let outcome = await download.run()
                self.forget(shared, wanted)
                shared.end(outcome)
            }
            return (shared, number)
        }
        return try await shared.result(for: number, canceled: DownloadError(.canceled, name)).get()
    }

    /// Removes complete files that were not changed for some time.
    ///
    /// - Parameter age: The time in seconds since the file got its name.
    public func removeFiles(olderThan age: Int) throws(DownloadError) {
        do throws(FileError) {
            let folder = try Folder(path: folder, isCreated: true)
            for name in try folder.names(olderThan: age) where !name.hasPrefix(".") { try folder.remove(name) }
        } catch {
            throw DownloadError(error, folder)
        }
    }

    /// Removes the parts of files that no process downloads and that have not grown for some time, such as those of versions that
    /// nobody wants any more.
    ///
    /// - Parameter age: The time in seconds since the last bytes arrived.
    public func removePartialFiles(olderThan age: Int) throws(DownloadError) {
        do throws(FileError) {
            let folder = try Folder(path: folder, isCreated: true)
            for partial in try folder.names(olderThan: age) {
                guard let name = PartialContent.name(ofPartial: partial),
                    let file = try PartialFile.lock(partial, in: folder)
                else { continue }
                try folder.remove(PartialContent.validatorName(name))
                try file.remove()
            }
            try folder.removeLeftovers(olderThan: age)
        } catch {
            throw DownloadError(error, folder)
        }
    }

    private func forget(_ shared: SharedDownload, _ wanted: Wanted) {
        running.withLock { running in
            // After a cancellation, there may be another download of the file.
            if running[wanted] === shared { running[wanted] = nil }
        }
    }
}
