/// What goes wrong at one system call.
public enum Fault: String, Sendable, Hashable, CaseIterable, Codable {
    /// The process is killed as it enters the call, which has no effect any more. Between two calls nothing changes on the
    /// disk, so this is also the kill after the call before.
    case kill
    /// The call fails with `ENOSPC`, and has no effect.
    case noSpace = "enospc"
    /// The call fails with `EIO`, and has no effect.
    case inputOutput = "eio"
    /// A call that opens something fails with `EMFILE`, because the process has as many files open as it may.
    case tooManyFiles = "emfile"
    /// A call that is given a path fails with `EACCES`, because the user may not look there.
    case denied = "eacces"
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
        case .tooManyFiles: action = "error=EMFILE"
        case .denied: action = "error=EACCES"
        case .powerCut: return nil
        }
        return "\(point.call):\(action):when=\(point.number)"
    }

    /// A Boolean value that indicates whether the call fails, instead of the process or the machine.
    var isError: Bool {
        switch self {
        case .noSpace, .inputOutput, .tooManyFiles, .denied: true
        case .kill, .powerCut: false
        }
    }

    /// Returns whether a system call of a name can fail in this way.
    func isPossible(at call: String) -> Bool {
        switch self {
        case .kill, .noSpace, .inputOutput, .powerCut: true
        case .tooManyFiles: call.hasPrefix("open") || call.hasPrefix("dup")
        case .denied: Self.callsWithPaths.contains { call.hasPrefix($0) }
        }
    }

    private static let callsWithPaths = [
        "open", "newfstatat", "stat", "lstat", "access", "faccessat", "readlink", "mkdir", "rmdir", "rename", "link",
        "symlink", "unlink", "chmod",
    ]
}
