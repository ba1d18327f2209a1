internal import Files
internal import HTTPTransfer
internal import Hashing
import Synchronization

/// The download of one file: the lock of its partial file, and attempts at its mirrors.
struct FileDownload: Sendable {
    let request: DownloadRequest
    let name: String
    let folderPath: String
    let client: HTTPClient
    let meter: ProgressMeter

    /// The time between two looks at the lock of another process.
    private static let lockInterval = Duration.milliseconds(50)

    func run() async throws(DownloadError) -> String {
        let folder = try DownloadError.of(name) { () throws(FileError) in try Folder(path: folderPath, isCreated: true)
        }
        if try await !isComplete(in: folder) { try await download(into: folder) }
        meter.finish()
        return "\(folderPath)/\(name)"
    }

    private func download(into folder: Folder) async throws(DownloadError) {
        // A million years is no limit, and too long a duration would overflow.
        let total = min(max(request.limits.total, .zero), .seconds(1 << 32))
        let deadline = ContinuousClock.now.advanced(by: total)
        let partial = try await lock(in: folder, until: deadline)
        let content: PartialContent
        do throws(FileError) {
            content = try await PartialContent(partial, of: request, name: name, in: folder, meter: meter)
        } catch {
            throw DownloadError(error, name)
        }
        if try await isComplete(in: folder) {
            return try DownloadError.of(name) { () throws(FileError) in try content.discard() }
        }
        try await Attempts(
            request: request, name: name, client: client, content: content, deadline: deadline
        )
        .run()
        try DownloadError.of(name) { () throws(FileError) in try content.commit() }
    }

    /// Waits until no other process downloads the file.
    private func lock(
        in folder: Folder, until deadline: ContinuousClock.Instant
    ) async throws(DownloadError) -> PartialFile {
        let partialName = PartialContent.partialName(name)
        while true {
            let partial = try DownloadError.of(name) { () throws(FileError) in
                try PartialFile.lock(partialName, in: folder)
            }
            if let partial { return partial }
            guard ContinuousClock.now < deadline else {
                throw DownloadError(.deadlineExceeded, name, detail: "another process is downloading the file")
            }
            let arrived = try DownloadError.of(name) { () throws(FileError) in try folder.length(of: partialName) }
            meter.update(min(arrived ?? 0, request.length))
            guard (try? await Task.sleep(for: Self.lockInterval)) != nil else { throw DownloadError(.canceled, name) }
        }
    }

    /// Returns whether the file is there with the right content.
    private func isComplete(in folder: Folder) async throws(DownloadError) -> Bool {
        let pieces = try DownloadError.of(name) { () throws(FileError) in
            try folder.length(of: name) == request.length ? try folder.open(name) : nil
        }
        guard let pieces else { return false }
        let hash = ContentHash()
        while true {
            let piece = try DownloadError.of(name) { () throws(FileError) in try pieces.next() }
            guard let piece else { break }
            piece.withUnsafeBytes { hash.update($0) }
            await Task.yield()
            guard !Task.isCancelled else { throw DownloadError(.canceled, name) }
        }
        return hash.finish() == request.sha256
    }
}

extension DownloadError {
    init(_ error: FileError, _ address: String, attempts: Int = 0) {
        self.init(
            error.isFull ? .diskFull : .fileFailed, address, detail: error.description, attempts: attempts)
    }

    /// Runs a closure, and makes its errors those of a download.
    static func of<Value>(_ name: String, _ body: () throws(FileError) -> Value) throws(DownloadError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw DownloadError(error, name)
        }
    }
}

/// The progress of a download, reported some times a second.
final class ProgressMeter: Sendable {
    private let total: Int64
    private let report: @Sendable (DownloadProgress) -> Void
    private let last = Mutex<(time: ContinuousClock.Instant, received: Int64)?>(nil)
    /// The time between two reports.
    private static let interval = Duration.milliseconds(200)

    init(total: Int64, report: @escaping @Sendable (DownloadProgress) -> Void) {
        self.total = total
        self.report = report
    }

    /// Notes the number of bytes that are there.
    func update(_ received: Int64) {
        let time = ContinuousClock.now
        let isDue = last.withLock { last in
            // The first report, or the first one after a start from the beginning, does not wait.
            if let last, last.received <= received, last.time.duration(to: time) < Self.interval { return false }
            last = (time, received)
            return true
        }
        if isDue { report(DownloadProgress(received: received, total: total)) }
    }

    /// Reports that the file is there.
    func finish() { report(DownloadProgress(received: total, total: total)) }
}
