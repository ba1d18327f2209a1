/// What goes wrong at one system call.
public enum Fault: String, Sendable, Hashable, CaseIterable, Codable {
    /// The process is killed as it enters the call, which has no effect any more. Between two calls nothing changes on the
    /// disk, so this is also the kill after the call before.
    case kill
    /// The call fails with `ENOSPC`, and has no effect.
    case noSpace = "enospc"
    /// The call fails with `EIO`, and has no effect.
    case inputOutput = "eio"

    /// What strace(1) does at the `number`-th call of a name.
    func injection(at point: FaultPoint) -> String {
        let action =
            switch self {
            case .kill: "signal=SIGKILL"
            case .noSpace: "error=ENOSPC"
            case .inputOutput: "error=EIO"
            }
        return "\(point.call):\(action):when=\(point.number)"
    }
}
