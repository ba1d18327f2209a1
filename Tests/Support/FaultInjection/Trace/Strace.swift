import Glibc
import PluginTestKit
import FoundationEssentials
import PluginCore

/// A wrapper of strace, which lists the system calls of a command and injects faults into them.
struct Strace: Sendable {
    /// All calls with a file name or a descriptor, including mmap, and the only relevant one with neither.
    private static let calls = "%file,%desc,sync"

    private let strace = Executable("/usr/bin/strace")
    private let preloaded: FilePath

    init(preloading library: OneThread) { preloaded = library.library }

    /// The outcome of a fault.
    struct Outcome {
        let result: ProcessResult
        /// A Boolean value that indicates whether the call was reached and the fault was injected.
        let isHit: Bool
    }

    /// Returns the calls of a command that access files, in order.
    ///
    /// Of other threads than the main one, only calls that change something are included: the timing of the others is unpredictable, and
    /// they do not affect the disk.
    func points(
        of command: [String], logging log: FilePath, timeout: Duration
    ) async throws -> (points: [FaultPoint], result: ProcessResult) {
        let result = try await strace.run(words(command, log, ["-e", "trace=" + Self.calls]), timeout: timeout)
        var counts: [String: Int] = [:]
        var threads: [Int32] = []
        var points: [FaultPoint] = []
        for call in TracedCall.all(in: try text(of: log)) where !call.name.isEmpty {
            if !threads.contains(call.thread) { threads.append(call.thread) }
            counts["\(call.thread) \(call.name)", default: 0] += 1
            // strace does not inject faults into the first `execve`, before which there is no process.
            guard call.touchesFiles, call.name != "execve" || !points.isEmpty else { continue }
            guard call.thread == threads.first || call.changesFiles else { continue }
            points.append(
                FaultPoint(
                    call: call.name, number: counts["\(call.thread) \(call.name)"] ?? 0,
                    thread: threads.firstIndex(of: call.thread) ?? 0, excerpt: String(call.text.prefix(200))))
        }
        return (points, result)
    }

    /// Returns the calls of a command that change or sync files, in order, with all written bytes.
    ///
    /// - Throws: ``FixtureError`` also if another thread than the main one makes such a call, because the order would be unpredictable.
    func changes(
        of command: [String], logging log: FilePath, timeout: Duration
    ) async throws -> (calls: [TracedCall], result: ProcessResult) {
        let names = "trace=/^(" + (TracedCall.changes + ["open"]).joined(separator: "|") + ")"
        // Separate logs prevent the lines of one thread from being interrupted by those of another.
        let result = try await strace.run(
            words(command, log, ["-ff", "-s", "1048576", "-e", names]), timeout: timeout)
        let files = FileManager.default
        let prefix = log.lastComponent + "."
        var threads: [(number: Int, calls: [TracedCall])] = []
        for name in try files.contentsOfDirectory(atPath: log.parent.string) where name.hasPrefix(prefix) {
            let path = log.parent.appending(name)
            let lines = try text(of: path).split(separator: "\n").compactMap { TracedCall("1 " + $0) }
            threads.append((Int(name.dropFirst(prefix.count)) ?? 0, lines))
            try files.removeItem(atPath: path.string)
        }
        threads.sort { $0.number < $1.number }
        if let other = threads.dropFirst().lazy.flatMap(\.calls).first(where: \.changesFiles) {
            throw FixtureError("a thread beside the main one changes files: \(other.text.prefix(200))")
        }
        return (threads.first?.calls ?? [], result)
    }

    /// Runs a command with one fault.
    ///
    /// - Throws: ``ProcessFailure``, with `timedOut` if it does not end.
    func run(
        _ command: [String], _ fault: Fault, at point: FaultPoint, logging log: FilePath, timeout: Duration
    ) async throws -> Outcome {
        let result = try await strace.run(words(command, log, options(fault, point)), timeout: timeout)
        let lines = TracedCall.all(in: try text(of: log)).filter { $0.name == point.call }
        // strace counts the calls of each thread separately. The first thread is the main thread.
        let calls = lines.filter { $0.thread == lines.first?.thread }
        let isHit =
            switch fault {
            // A signal is not marked in the log, so the call is recognized as the last one, without a result and with the right number.
            case .kill:
                result.signal == SIGKILL && calls.last?.isCutShort == true && calls.count == point.number
            case .noSpace, .inputOutput, .tooManyFiles, .denied: calls.contains(where: \.isInjected)
            case .powerCut: false
            }
        return Outcome(result: result, isHit: isHit)
    }

    /// Returns the command line for a person who wants to repeat the run.
    func commandLine(_ command: [String], _ fault: Fault, at point: FaultPoint) -> String {
        (["strace"] + words(command, "/dev/stderr", options(fault, point))).joined(separator: " ")
    }

    /// Returns the options for a fault.
    ///
    /// A seccomp filter keeps other calls fast, but it swallows signals (tested with strace 6.1), so it is not used for a kill.
    private func options(_ fault: Fault, _ point: FaultPoint) -> [String] {
        (fault == .kill ? [] : ["--seccomp-bpf"])
            + ["-e", "trace=" + point.call]
            + (fault.injection(at: point).map { ["-e", "inject=" + $0] } ?? [])
    }

    private func words(_ command: [String], _ log: FilePath, _ options: [String]) -> [String] {
        // Backtraces are disabled because they take seconds and run in a separate process.
        [
            "-f", "-y", "-qq", "-s", "16", "-o", log.string, "-E", "LD_PRELOAD=\(preloaded)", "-E",
            "SWIFT_BACKTRACE=enable=no",
        ]
            + options + command
    }

    private func text(of log: FilePath) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: log.string)), as: UTF8.self)
    }
}
