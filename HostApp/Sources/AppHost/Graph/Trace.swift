import Console
import HostSystem
import Glibc
import PluginCore
import Tracing

/// A file with the intervals of work in this process, in Chrome's trace event format, which Perfetto shows, too.
///
/// The file is a JSON array without its end, as the format allows, so that it is complete up to a crash. See "Trace Event Format",
/// sections "JSON Array Format" and "Complete Events".
struct TraceFile: Sendable {
    private let descriptor: Int32
    private let start = ContinuousClock.now

    /// Creates the file, in place of an earlier one.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    init(_ path: FilePath) throws(AtriumError) {
        // A pipe that nobody reads is an error, and does not stop the command.
        descriptor = open(path.string, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
        _ = fcntl(descriptor, F_SETFL, O_APPEND)
        guard descriptor >= 0, write("[\n") else {
            let message = String(cString: strerror(errno))
            throw AtriumError(.inputOutput, path.string, reason: "writingFailed", ["message": .text(message)])
        }
    }

    /// Records the intervals of this process from now on.
    func record() { Tracing.record { add($0) } }

    private func add(_ interval: TraceInterval) {
        let microseconds = { (duration: Duration) in duration / .microseconds(1) }
        var members: JSONMembers = [
            "name": interval.name, "cat": interval.category.rawValue, "ph": "X",
            "ts": microseconds(interval.start - start), "dur": microseconds(interval.end - interval.start), "pid": 1,
            "tid": Int(interval.track),
        ]
        if let caller = interval.caller { members += ["args": ["from": caller] as JSONMembers] }
        // A trace is an aid: a full disk must not fail the command.
        _ = write(members.json.text() + ",\n")
    }

    /// Appends a text with one system call, so that texts of several threads do not mix.
    private func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    }
}

/// The intervals of work in a trace that `hostapp --trace` wrote, in the order in which they ended.
struct Trace: Sendable {
    /// An interval of work, as it is written.
    struct Event: Decodable, Sendable {
        struct Arguments: Decodable {
            let from: String?
        }

        let name: String
        /// The kind of work, such as `load`.
        let cat: String
        fileprivate let ph: String
        fileprivate let ts, dur: Double
        private let args: Arguments?

        /// The caller that asked for the work, such as `plugin com.example.app.shop`.
        var caller: String? { args?.from }
    }

    let events: [Event]

    /// The limits of a trace that is read: its size in bytes and its events.
    static let limits = (size: 64 << 20, events: 100_000)

    /// Reads a trace, which is a JSON array with or without its end.
    ///
    /// An incomplete last line, as a full disk leaves it, is skipped.
    ///
    /// - Parameter name: the name of the file, for errors.
    /// - Throws: ``AtriumError`` with code `documentInvalid`.
    init(document bytes: [UInt8], named name: String) throws(AtriumError) {
        func invalid(_ reason: String, _ values: [String: ErrorReason.Value]) -> AtriumError {
            AtriumError(.documentInvalid, name, reason: reason, values)
        }
        guard bytes.count <= Self.limits.size else {
            throw invalid("fileTooLarge", ["limit": .integer(Self.limits.size)])
        }
        func decoded(_ text: ArraySlice<UInt8>) throws -> [Event] {
            let content = text.reversed().drop { Array(", \n\r\t".utf8).contains($0) }.reversed()
            let end = Array((content.last == UInt8(ascii: "]") ? "" : "]").utf8)
            return try StrictJSON.decode([Event].self, from: content + end, values: Self.limits.events * 12)
        }
        do {
            events = try decoded(bytes[...])
        } catch {
            let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0
            guard let whole = try? decoded(bytes[..<end]) else {
                throw invalid("notTrace", ["finding": .text(StrictJSON.finding(error))])
            }
            events = whole
        }
        guard events.count <= Self.limits.events else {
            throw invalid("traceTooLong", ["limit": .integer(Self.limits.events)])
        }
        // Times are not used, but a file without them is not a trace of a host.
        guard events.allSatisfy({ $0.ph == "X" && 0...1e15 ~= $0.ts && 0...1e15 ~= $0.dur }) else {
            throw invalid("notTrace", ["finding": "this is no complete event"])
        }
    }
}
