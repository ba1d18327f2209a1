/// What the marker of a dead process says against its version.
extension ProbationMarker {
    /// How heavy it is.
    enum Weight: Equatable {
        /// Something else ended the process.
        case nothing
        /// It may be chance; two are not.
        case strike(ProbationVerdict.Cause)
        /// It was this version.
        case blame(ProbationVerdict.Cause)

        fileprivate var isHang: Bool { self == .blame(.hung) || self == .strike(.hung) }
    }

    var weight: Weight {
        var weight = Weight.strike(.ended)
        var isTold = false
        for note in notes {
            switch note {
            // What has come back has not hung. While it waits, whatever ends the process is no sign of it.
            case .waits, .loaded: weight = .nothing
            case .hang(let place): weight = Self.weight(of: .hung, at: place)
            // Whatever waits for a thread that is not to be had is not at fault.
            case .shortage: return .nothing
            // Who was told to end has a reason to. That is none to crash, or to hang meanwhile.
            case .told:
                isTold = true
                if weight == .strike(.ended) { weight = .nothing }
            // Of several threads that crash, the first was it; and what ends a process that hangs is the hang.
            case .crash(let signal, let place):
                if weight.isHang { return weight }
                return Self.weight(of: .crashed(signal: signal), at: place)
            case .exit(let place):
                if weight.isHang { return weight }
                if isTold { return .nothing }
                // A call may well be there to end the program; a load is not.
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
