/// The evaluation of a dead process's crash log.
extension CrashLog {
    /// The weight of the evidence against the version.
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
            switch note {
            // Code that has returned hasn't hung, and while it waits, the end of the process isn't its fault.
            case .waits, .loaded: attribution = .nothing
            case .hang(let place): attribution = Self.attribution(of: .hung, at: place)
            // Code that waits for a thread that the system refuses isn't at fault.
            case .shortage: return .nothing
            // A request to end excuses the end of the process, but neither a crash nor a hang before it.
            case .told:
                isTold = true
                if attribution == .strike(.ended) { attribution = .nothing }
            // Of several crashing threads, the first one counts; and a process that ends after a hang ended because of it.
            case .crash(let signal, let place):
                if attribution.isHang { return attribution }
                return Self.attribution(of: .crashed(signal: signal), at: place)
            case .exit(let place):
                if attribution.isHang { return attribution }
                if isTold { return .nothing }
                // A call may be meant to end the program; a load is not.
                if place == .here, phase == .load { return .quarantine(.exited) }
                return place == .here ? .strike(.exited) : .nothing
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
        CrashReport(
            identity: identity, digest: digest, cause: cause, phase: notes.contains(.loaded) ? .running : phase,
            at: time)
    }
}
