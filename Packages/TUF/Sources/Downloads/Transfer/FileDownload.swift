import HTTPTransfer
import HostSystem
import LibCrypto
import Synchronization

/// The download of one file: the lock of its partial file, and attempts at its mirrors.
struct FileDownload {
    let request: DownloadRequest
    let name: String
    let folderPath: String
    let client: HTTPClient
    let meter: ProgressMeter

    /// The time between two looks at the lock of another process.
    private static let lockInterval = Duration.milliseconds(50)

    func run() async throws(DownloadError) -> String {
        let folder = try Folder(folder: folderPath, isCreated: true)
        if try await !isComplete(in: folder) { try await download(into: folder) }
        meter.finish()
        return "\(folderPath)/\(name)"
    }

    private func download(into folder: Folder) async throws(DownloadError) {
        // A million years is no limit, and too long a duration would overflow.
        let total = min(max(request.limits.total, .zero), .seconds(1 << 32))
        let deadline = ContinuousClock.now.advanced(by: total)
        let partial = try await lock(in: folder, until: deadline)
        let content = try await PartialContent(partial, of: request, name: name, in: folder, meter: meter)
        if try await isComplete(in: folder) { return try content.discard() }
        try await Attempts(
            request: request, name: name, client: client, content: content, deadline: deadline
        )
        .run()
        try content.commit()
    }

    /// Waits until no other process downloads the file.
    private func lock(
        in folder: Folder, until deadline: ContinuousClock.Instant
    ) async throws(DownloadError) -> Folder {
        let partialName = PartialContent.partialName(name)
        while true {
            if let partial = try folder.lockedFile(partialName) { return partial }
            guard ContinuousClock.now < deadline else {
                throw DownloadError(.deadlineExceeded, name, detail: "another process is downloading the file")
            }
            if case .file(let arrived, _) = try folder.item(partialName) { meter.update(min(arrived, request.length)) }
            guard (try? await Task.sleep(for: Self.lockInterval)) != nil else { throw DownloadError(.canceled, name) }
        }
    }

    /// Returns whether the file is there with the right content.
    private func isComplete(in folder: Folder) async throws(DownloadError) -> Bool {
        guard case .file(request.length, _) = try folder.item(name), let file = try folder.file(name) else {
            return false
        }
        let hash = ContentHash()
        while let piece = try file.next() {
            piece.withUnsafeBytes { hash.update($0) }
            await Task.yield()
            guard !Task.isCancelled else { throw DownloadError(.canceled, name) }
        }
        return hash.finish()?.hexadecimal == request.sha256
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
