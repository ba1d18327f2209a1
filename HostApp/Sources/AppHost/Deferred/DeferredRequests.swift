import PluginCore
import PluginRuntime

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Addresses that wait until their bundle is ready: a bounded number, each once, each for a day, whatever becomes of the
/// process.
struct DeferredRequests: Sendable {
    /// How many can wait.
    static let capacity = 64
    /// How long each waits, in seconds.
    static let lifetime: Int64 = 24 * 60 * 60

    private let file: DeferredFile
    private let now: @Sendable () -> Int64

    /// - Parameter now: the time in seconds since 1970.
    init(_ file: DeferredFile, now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }) {
        self.file = file
        self.now = now
    }

    /// What waits, the oldest first.
    func waiting() -> [DeferredRecord] {
        let now = now()
        return file.records().filter { $0.until > now }
    }

    /// Keeps an address; one that waits already keeps its place and waits a day from now.
    ///
    /// - Throws: ``AtriumError`` with code `deferredFull`, and what writing the file throws.
    @discardableResult
    func keep(_ uri: ResourceURI, because reason: AtriumError.Code) throws -> DeferredRecord {
        let now = now()
        return try file.change { records in
            records.removeAll { $0.until <= now }
            let index = records.firstIndex { $0.url == uri.text }
            let record = DeferredRecord(
                url: uri.text, reason: reason.name, since: index.map { records[$0].since } ?? now,
                until: now + Self.lifetime
            )
            if let index {
                records[index] = record
            } else if records.count < Self.capacity {
                records.append(record)
            } else {
                throw AtriumError(.deferredFull, uri.text, detail: "\(records.count) requests wait already")
            }
            return record
        }
    }

    /// Drops everything, and says what that was.
    func clear() throws -> [DeferredRecord] {
        try file.change { records in
            defer { records = [] }
            return records
        }
    }

    /// What became of an attempt.
    enum Attempt: Sendable {
        /// It is done, or will never be: the request goes.
        case over
        /// The bundle is not ready: the request goes on waiting.
        case notReady(AtriumError.Code)
    }

    /// Tries each request once, the oldest first.
    ///
    /// A request does not wait while it is tried, so that one whose bundle takes the host down with it is not tried again
    /// and again.
    func run(_ attempt: (DeferredRecord) async throws -> Attempt) async throws {
        for record in waiting() {
            let isOurs = try file.change { records in
                let count = records.count
                records.removeAll { $0.url == record.url }
                return records.count < count
            }
            // Another host was quicker.
            guard isOurs, case .notReady(let reason) = try await attempt(record) else { continue }
            try file.change { records in
                guard !records.contains(where: { $0.url == record.url }) else { return }
                let again = DeferredRecord(
                    url: record.url, reason: reason.name, since: record.since, until: record.until)
                records.insert(again, at: records.firstIndex { $0.since > record.since } ?? records.endIndex)
            }
        }
    }
}
