/// The evaluation of a dead process's marker.
extension ProbationMarker {
    /// The weight of the evidence against the version.
    enum Weight: Equatable {
        /// The version didn't end the process.
        case nothing
        /// A strike: possibly a coincidence, unless it happens twice.
        case strike(ProbationVerdict.Cause)
        /// The version ended the process.
        case blame(ProbationVerdict.Cause)

        fileprivate var isHang: Bool { self == .blame(.hung) || self == .strike(.hung) }
    }

    var weight: Weight {
        var weight = Weight.strike(.ended)
        var isTold = false
        for note in notes {
            switch note {
            // Code that has returned hasn't hung, and while it waits, the end of the process isn't its fault.
            case .waits, .loaded: weight = .nothing
            case .hang(let place): weight = Self.weight(of: .hung, at: place)
            // Code that waits for a thread that the system refuses isn't at fault.
            case .shortage: return .nothing
            // A request to end excuses the end of the process, but neither a crash nor a hang before it.
            case .told:
                isTold = true
                if weight == .strike(.ended) { weight = .nothing }
            // Of several crashing threads, the first one counts; and a process that ends after a hang ended because of it.
            case .crash(let signal, let place):
                if weight.isHang { return weight }
                return Self.weight(of: .crashed(signal: signal), at: place)
            case .exit(let place):
                if weight.isHang { return weight }
                if isTold { return .nothing }
                // A call may be meant to end the program; a load is not.
                if place == .here, phase == .load { return .blame(.exited) }
                return place == .here ? .strike(.exited) : .nothing
            }
        }
        return weight
    }

    private static func weight(of cause: ProbationVerdict.Cause, at place: Place) -> Weight {
        switch place {
        case .here: .blame(cause)
        case .near: .strike(cause)
        case .elsewhere: .nothing
        }
    }

    func verdict(_ cause: ProbationVerdict.Cause, at time: Int64) -> ProbationVerdict {
        ProbationVerdict(
            identity: identity, digest: digest, cause: cause, phase: notes.contains(.loaded) ? .running : phase,
            at: time)
    }
}
