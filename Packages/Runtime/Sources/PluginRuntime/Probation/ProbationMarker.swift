import PluginCore

/// What a marker file says: whose code began to run, and what was noted while it did. One fact a line, the fixed ones first.
struct ProbationMarker: Equatable {
    /// How much of a file is read; what a process can write is far less.
    static let limit = 1 << 14

    private static let head = "probation 1"
    /// The line that says that the code has given its thread back: when the process is ended then, it was not by this code.
    static let waits = "waits\n"
    /// The line that says that the code has held its thread for too long.
    static let hang = "hang\n"
    /// The same, where none of the code was on the thread's stack.
    static let hangNear = "hang near\n"
    /// The line that says that the load is over: from here on only a crash in the version's own library speaks against it.
    static let loaded = "loaded\n"
    /// The line that says that the system gave the process no more threads.
    static let shortage = "shortage\n"

    let identity: BundleIdentity
    let digest: String
    let phase: ProbationPhase
    /// In seconds since 1970.
    let startedAt: Int64
    private(set) var notes: [Note] = []

    /// What happened while the code was at work.
    enum Note: Equatable {
        case crash(signal: Int32, Place)
        case hang(Place)
        case waits
        case loaded
        case shortage
        case exit(Place)
        /// Somebody outside told the process to end.
        case told(signal: Int32)
    }

    /// Where it happened, as the signal handler tells it.
    enum Place: String {
        case here, near, elsewhere
    }

    init(_ identity: BundleIdentity, digest: String, phase: ProbationPhase, startedAt: Int64) {
        self.identity = identity
        self.digest = digest
        self.phase = phase
        self.startedAt = startedAt
    }

    /// As it is written.
    var bytes: [UInt8] {
        Array(
            "\(Self.head)\n\(identity.identifier)\n\(identity.version)\n\(digest)\n\(phase.rawValue)\n\(startedAt)\n"
                .utf8)
    }

    /// Reads what a process wrote, up to the last whole line; `nil` for anything else.
    init?(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.count >= 6, lines[0] == Self.head, ManifestRules.isIdentifier(lines[1]),
            let version = SemanticVersion(lines[2]), let phase = ProbationPhase(rawValue: lines[4]),
            let startedAt = Int64(lines[5])
        else { return nil }
        self.init(
            BundleIdentity(identifier: lines[1], version: version), digest: lines[3], phase: phase,
            startedAt: startedAt)
        notes = lines.dropFirst(6).compactMap(Note.init)
    }
}

extension ProbationMarker.Note {
    fileprivate init?(_ line: String) {
        let words = line.split(separator: " ")
        switch (words.first, words.count) {
        case ("waits", 1): self = .waits
        case ("hang", 1): self = .hang(.here)
        case ("hang", 2):
            guard let place = ProbationMarker.Place(rawValue: String(words[1])) else { return nil }
            self = .hang(place)
        case ("loaded", 1): self = .loaded
        case ("shortage", 1): self = .shortage
        case ("crash", 3):
            guard let signal = Int32(words[1]), let place = ProbationMarker.Place(rawValue: String(words[2])) else {
                return nil
            }
            self = .crash(signal: signal, place)
        case ("exit", 2):
            guard let place = ProbationMarker.Place(rawValue: String(words[1])) else { return nil }
            self = .exit(place)
        case ("told", 2):
            guard let signal = Int32(words[1]) else { return nil }
            self = .told(signal: signal)
        default: return nil
        }
    }
}
