/// What goes wrong at one system call.
public enum Fault: String, Sendable, Hashable, CaseIterable, Codable {
    /// The process is killed as it enters the call, which has no effect any more. Between two calls nothing changes on the
    /// disk, so this is also the kill after the call before.
    case kill
    /// The call fails with `ENOSPC`, and has no effect.
    case noSpace = "enospc"
    /// The call fails with `EIO`, and has no effect.
    case inputOutput = "eio"
    /// The power goes right after the call, which must be one that changes the disk or waits for it: what nobody has waited for
    /// is there, or is not, or is there in part.
    case powerCut = "power"

    /// What strace(1) does at the `number`-th call of a name; `nil` for what is done without it.
    func injection(at point: FaultPoint) -> String? {
        let action: String
        switch self {
        case .kill: action = "signal=SIGKILL"
        case .noSpace: action = "error=ENOSPC"
        case .inputOutput: action = "error=EIO"
        case .powerCut: return nil
        }
        return "\(point.call):\(action):when=\(point.number)"
    }
}
