/// A fault that is injected at a system call.
package enum Fault: String, Sendable, Hashable, CaseIterable {
    /// Kill the process when it enters the call, which then has no effect.
    ///
    /// The disk does not change between two calls, so this also covers a kill after the previous call.
    case kill
    /// Let the call fail with ENOSPC, without effect.
    case noSpace = "enospc"
    /// Let the call fail with EIO, without effect.
    case inputOutput = "eio"
    /// Let a call that opens something fail with EMFILE, because the process has too many open files.
    case tooManyFiles = "emfile"
    /// Let a call with a path fail with EACCES, because the user has no permission.
    case denied = "eacces"
    /// Cut the power right after the call, which must change or sync the disk. Unsynced changes may be lost in whole or in part.
    case powerCut = "power"

    /// Returns the injection option of strace for a point, or nil for a fault that does not use strace.
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

    /// A Boolean value that indicates whether the call fails, rather than the process or the machine.
    var isError: Bool {
        switch self {
        case .noSpace, .inputOutput, .tooManyFiles, .denied: true
        case .kill, .powerCut: false
        }
    }

    /// Returns whether a system call can fail in this way.
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
