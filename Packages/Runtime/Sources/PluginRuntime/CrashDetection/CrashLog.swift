import BundleFormat
import PluginCore

/// The content of a crash log: the version, and the events while its code ran, one fact per line.
struct CrashLog: Equatable {
    /// The maximum number of bytes read from a file, far more than a process writes.
    static let limit = 1 << 14

    private static let head = "probation 1"
    /// The line after which the code no longer uses the thread, so that the end of the process isn't its fault.
    static let waits = "waits\n"
    /// The line for code that has blocked its thread for too long.
    static let hang = "hang\n"
    /// The line for such a hang when none of the code was on the thread's stack.
    static let hangNear = "hang near\n"
    /// The line for the end of the load, after which only a crash in the version's own library counts against it.
    static let loaded = "loaded\n"
    /// The line for a process that could get no more threads.
    static let shortage = "shortage\n"

    let identity: BundleIdentity
    let digest: String
    let phase: ExecutionPhase
    /// The time in seconds since 1970.
    let startedAt: Int64
    private(set) var notes: [Note] = []

    /// The events while the code was running.
    enum Note: Equatable {
        case crash(signal: Int32, Place)
        case hang(Place)
        case waits
        case loaded
        case shortage
        case exit(Place)
        /// Another process, or the user, asked the process to end.
        case told(signal: Int32)
    }

    /// The location of an event, as determined by the signal handler.
    enum Place: String {
        case here, near, elsewhere
    }

    init(_ identity: BundleIdentity, digest: String, phase: ExecutionPhase, startedAt: Int64) {
        self.identity = identity
        self.digest = digest
        self.phase = phase
        self.startedAt = startedAt
    }

    /// The lines of the file that come first.
    var bytes: [UInt8] {
        Array(
            "\(Self.head)\n\(identity.identifier)\n\(identity.version)\n\(digest)\n\(phase.rawValue)\n\(startedAt)\n"
                .utf8)
    }

    /// Parses a file up to the last complete line.
    ///
    /// - Returns: `nil` for an invalid one.
    init?(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.count >= 6, lines[0] == Self.head, ManifestRules.isIdentifier(lines[1]),
            let version = SemanticVersion(lines[2]), let phase = ExecutionPhase(rawValue: lines[4]),
            let startedAt = Int64(lines[5])
        else { return nil }
        self.init(
            BundleIdentity(identifier: lines[1], version: version), digest: lines[3], phase: phase,
            startedAt: startedAt)
        notes = lines.dropFirst(6).compactMap(Note.init)
    }
}

extension CrashLog.Note {
    fileprivate init?(_ line: String) {
        let words = line.split(separator: " ")
        switch (words.first, words.count) {
        case ("waits", 1): self = .waits
        case ("hang", 1): self = .hang(.here)
        case ("hang", 2):
            guard let place = CrashLog.Place(rawValue: String(words[1])) else { return nil }
            self = .hang(place)
        case ("loaded", 1): self = .loaded
        case ("shortage", 1): self = .shortage
        case ("crash", 3):
            guard let signal = Int32(words[1]), let place = CrashLog.Place(rawValue: String(words[2])) else {
                return nil
            }
            self = .crash(signal: signal, place)
        case ("exit", 2):
            guard let place = CrashLog.Place(rawValue: String(words[1])) else { return nil }
            self = .exit(place)
        case ("told", 2):
            guard let signal = Int32(words[1]) else { return nil }
            self = .told(signal: signal)
        default: return nil
        }
    }
}
