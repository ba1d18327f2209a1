import Console
import HostSystem
import Glibc
import PluginCore

/// A file with the intervals of work in this process, in Chrome's trace event format, which Perfetto shows, too.
///
/// The file is a JSON array without its end, as the format allows, so that it is complete up to a crash. See "Trace Event Format",
/// sections "JSON Array Format" and "Complete Events".
struct TraceFile {
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
        var members: JSONText = [
            "name": interval.name, "cat": interval.category.rawValue, "ph": "X",
            "ts": (interval.start - start) / .microseconds(1),
            "dur": (interval.end - interval.start) / .microseconds(1), "pid": 1, "tid": Int(interval.track),
        ]
        if let caller = interval.caller { members = members + ["args": ["from": caller] as JSONText] }
        // A trace is an aid: a full disk must not fail the command.
        _ = write(members.text() + ",\n")
    }

    /// Appends a text with one system call, so that texts of several threads do not mix.
    private func write(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    }
}
