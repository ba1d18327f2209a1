internal import FoundationEssentials
internal import PluginCore

/// The door to strace(1): finds out which calls a command makes, and has one of them fail.
struct Strace: Sendable {
    /// All calls that take a file's name or a descriptor, `mmap` among them, and the one that takes neither.
    private static let calls = "%file,%desc,sync"

    private let strace: Executable
    private let preloaded: FilePath

    /// - Throws: ``FixtureError`` when strace is not there.
    init(preloading library: OneThread) throws {
        let places = ["/usr/bin/strace", "/usr/local/bin/strace"]
        guard let path = places.first(where: FileManager.default.isExecutableFile) else {
            throw FixtureError("strace is not there; install the package strace")
        }
        strace = Executable(FilePath(path))
        preloaded = library.library
    }

    /// What came of one fault.
    struct Outcome {
        let result: ProcessResult
        /// A Boolean value that indicates whether the call was reached, and the fault happened there.
        let isHit: Bool
    }

    /// The calls of a command that touch files, in order; of threads beside the main one only those that change something,
    /// because when the others come is chance, and a disk is the same before and after them.
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
            // Before it there is no process that a fault could happen to; strace does not inject into it.
            guard call.touchesFiles, call.name != "execve" || !points.isEmpty else { continue }
            guard call.thread == threads.first || call.changesFiles else { continue }
            points.append(
                FaultPoint(
                    call: call.name, number: counts["\(call.thread) \(call.name)"] ?? 0,
                    thread: threads.firstIndex(of: call.thread) ?? 0, excerpt: String(call.text.prefix(200))))
        }
        return (points, result)
    }

    /// The calls of a command that change files or wait for them, in order, with all the bytes that are written.
    ///
    /// - Throws: also ``FixtureError`` when another thread than the main one makes such a call: the order would be chance.
    func changes(
        of command: [String], logging log: FilePath, timeout: Duration
    ) async throws -> (calls: [TracedCall], result: ProcessResult) {
        let names = "trace=/^(" + (TracedCall.changes + ["open"]).joined(separator: "|") + ")"
        // A log for each thread, so that no call's line is cut in two by another's.
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
    /// - Throws: ``ProcessFailure``, `timedOut` when it does not end.
    func run(
        _ command: [String], _ fault: Fault, at point: FaultPoint, logging log: FilePath, timeout: Duration
    ) async throws -> Outcome {
        let result = try await strace.run(words(command, log, options(fault, point)), timeout: timeout)
        let lines = TracedCall.all(in: try text(of: log)).filter { $0.name == point.call }
        // strace counts the calls of each thread apart; the main thread is the first there is.
        let calls = lines.filter { $0.thread == lines.first?.thread }
        let isHit =
            switch fault {
            // A signal leaves no mark of its own: the call is the last one, has no result, and has the right number.
            case .kill:
                result.signal == System.killSignal && calls.last?.isCutShort == true && calls.count == point.number
            case .noSpace, .inputOutput, .tooManyFiles, .denied: calls.contains(where: \.isInjected)
            case .powerCut: false
            }
        return Outcome(result: result, isHit: isHit)
    }

    /// The command line for a person who wants to see it.
    func commandLine(_ command: [String], _ fault: Fault, at point: FaultPoint) -> String {
        (["strace"] + words(command, "/dev/stderr", options(fault, point))).joined(separator: " ")
    }

    /// With a filter in the kernel all other calls are as fast as ever. It swallows signals (tried with strace 6.1), so a kill
    /// does without.
    private func options(_ fault: Fault, _ point: FaultPoint) -> [String] {
        (fault == .kill ? [] : ["--seccomp-bpf"])
            + ["-e", "trace=" + point.call]
            + (fault.injection(at: point).map { ["-e", "inject=" + $0] } ?? [])
    }

    private func words(_ command: [String], _ log: FilePath, _ options: [String]) -> [String] {
        // A backtrace takes seconds, and is made by a process of its own.
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
