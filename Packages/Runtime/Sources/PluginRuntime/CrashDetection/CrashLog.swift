public import HostSystem
public import PluginCore
import Registry

/// The content of a crash log: the version, and the events while its code ran, one fact per line.
struct CrashLog {
    /// The maximum number of bytes read from a file, far more than a process writes.
    static let limit = 1 << 14

    private static let head = "crash log 1"
    /// The line after which the code no longer uses the thread, so that the end of the process isn't its fault.
    static let waits = "waits"
    /// The line for code that has blocked its thread for too long.
    static let hang = "hang"
    /// The line for such a hang when none of the code was on the thread's stack.
    static let hangNear = "hang near"
    /// The line for the end of the load, after which only a crash in the version's own library counts against it.
    static let loaded = "loaded"

    let version: VersionKey
    let phase: ExecutionPhase
    /// The time in seconds since 1970.
    let startedAt: Int64
    /// The events while the code was running. The signal handler writes some of them.
    private var notes: [String] = []

    /// The location of an event, as determined by the signal handler.
    private enum Place: String {
        case here, near, elsewhere
    }

    init(_ version: VersionKey, _ phase: ExecutionPhase, startedAt: Int64 = Clock.now()) {
        self.version = version
        self.phase = phase
        self.startedAt = startedAt
    }

    /// The lines of the file that come first.
    var bytes: [UInt8] {
        let (identity, digest) = (version.identity, version.digest)
        let lines = [
            Self.head, "\(identity.identifier)", "\(identity.version)", digest, phase.rawValue, "\(startedAt)",
        ]
        return Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// Parses a file up to the last complete line.
    ///
    /// - Returns: `nil` for an invalid one.
    init?(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
        guard lines.count >= 6, lines[0] == Self.head,
            let identifier = BundleIdentifier(lines[1]),
            let version = SemanticVersion(lines[2]), let phase = ExecutionPhase(rawValue: lines[4]),
            let startedAt = Int64(lines[5])
        else { return nil }
        let identity = identifier.at(version)
        self.init(VersionKey(identity: identity, digest: lines[3]), phase, startedAt: startedAt)
        notes = Array(lines.dropFirst(6))
    }
}

/// The evaluation of a dead process's crash log.
extension CrashLog {
    /// The evidence against the version.
    enum Attribution: Equatable {
        /// The version didn't end the process.
        case nothing
        /// A strike: possibly a coincidence, unless it happens twice.
        case strike(CrashReport.Cause)
        /// The version ended the process.
        case quarantine(CrashReport.Cause)

        fileprivate var isHang: Bool { self == .quarantine(.hung) || self == .strike(.hung) }
    }

    var attribution: Attribution {
        var attribution = Attribution.strike(.ended)
        var isTold = false
        for note in notes {
            let words = note.split(separator: " ")
            let number = words.dropFirst().first.flatMap { Int32($0) }
            let place = words.last.flatMap { Place(rawValue: String($0)) }
            switch (words.first, words.count, number, place) {
            // Code that has returned hasn't hung, and while it waits, the end of the process isn't its fault.
            case ("waits", 1, _, _), ("loaded", 1, _, _): attribution = .nothing
            case ("hang", 1, _, _): attribution = .quarantine(.hung)
            case ("hang", 2, _, let place?): attribution = Self.attribution(of: .hung, at: place)
            // Code that waits for a thread that the system refuses isn't at fault.
            case ("shortage", 1, _, _): return .nothing
            // A request to end excuses the end of the process, but neither a crash nor a hang before it.
            case ("told", 2, _?, _):
                isTold = true
                if attribution == .strike(.ended) { attribution = .nothing }
            // Of several crashing threads, the first one counts; and a process that ends after a hang ended because of it.
            case ("crash", 3, let signal?, let place?):
                return attribution.isHang ? attribution : Self.attribution(of: .crashed(signal: signal), at: place)
            case ("exit", 2, _, let place?):
                if attribution.isHang { return attribution }
                if isTold || place != .here { return .nothing }
                // A call may be meant to end the program; a load is not.
                return phase == .load ? .quarantine(.exited) : .strike(.exited)
            // Another version of the host may write other lines.
            default: continue
            }
        }
        return attribution
    }

    private static func attribution(of cause: CrashReport.Cause, at place: Place) -> Attribution {
        switch place {
        case .here: .quarantine(cause)
        case .near: .strike(cause)
        case .elsewhere: .nothing
        }
    }

    func report(_ cause: CrashReport.Cause, at time: Int64) -> CrashReport {
        CrashReport(version: version, cause: cause, phase: notes.contains(Self.loaded) ? .running : phase, at: time)
    }
}

/// A version whose code crashed or hung a host before it had run successfully.
public struct CrashReport: Hashable, Sendable {
    /// The way in which the version failed.
    public enum Cause: Hashable, Sendable {
        /// A signal ended the process while the code ran, or because of it.
        case crashed(signal: Int32)
        /// The code blocked its thread for too long.
        case hung
        /// The code ended the process, or replaced its program.
        case exited
        /// The process was killed more than once while the code ran, without a record of the reason.
        case ended
    }

    let version: VersionKey
    /// The way in which the version failed.
    public let cause: Cause
    /// The part of the code that ran.
    public let phase: ExecutionPhase
    /// The time of the failure, in seconds since 1970.
    public let at: Int64

    /// The version that crashed or hung.
    public var identity: BundleIdentity { version.identity }

    /// The number of the signal; `nil` when there was none.
    public var signal: Int32? { if case .crashed(let signal) = cause { signal } else { nil } }

    /// The reason for a quarantine. Its sentence continues one about the version, such as "hung the host while it was loaded".
    public var reason: ErrorReason {
        let phase = ErrorReason.Value.reason(phase.reason)
        return switch cause {
        case .crashed(let signal):
            ErrorReason("crashedHost", ["signal": "\(SignalName.name(of: signal))", "phase": phase])
        case .hung: ErrorReason("hungHost", ["phase": phase])
        case .exited: ErrorReason("endedHost", ["phase": phase])
        case .ended: ErrorReason("ranWhenKilled", ["phase": phase])
        }
    }
}

/// The part of a version's code that runs.
public enum ExecutionPhase: String, Hashable, Sendable {
    /// The library is opened and the principal object created.
    case load
    /// The code is called for the first time.
    case firstUse
    /// A page is asked for its content.
    case page
    /// A page performs an action.
    case pageAction
    /// The loaded code runs in its own task or thread.
    case running

    fileprivate var reason: ErrorReason {
        switch self {
        case .load: ErrorReason("whileLoaded")
        case .firstUse: ErrorReason("whenFirstUsed")
        case .page: ErrorReason("whenPageShown")
        case .pageAction: ErrorReason("whenPageActionPerformed")
        case .running: ErrorReason("afterLoaded")
        }
    }
}

/// A report that code of a bundle has blocked its thread for too long; a host that receives it should end its process.
public struct HangReport: Sendable {
    /// The outcome of a hang at the next start of a host.
    public enum Outcome: Sendable {
        /// The version is quarantined.
        case quarantine
        /// The version is quarantined if it happens again, because none of its code was on the stack.
        case strike
        /// None, because the version has run successfully before.
        case nothing
        /// None, because the system refused the process new threads.
        case shortage
    }

    /// The version, and the time of the hang.
    public let report: CrashReport
    /// The outcome of the hang.
    public let outcome: Outcome
    /// The calls on the thread's stack.
    public let stack: ThreadStack
}
