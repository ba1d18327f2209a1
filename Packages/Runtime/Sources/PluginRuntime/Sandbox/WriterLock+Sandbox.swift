import HostSystem
import PluginCore

extension WriterLock {
    /// The lock of a sandbox.
    convenience init(_ sandbox: Sandbox, patience: Duration = .seconds(2), command: String? = nil) {
        self.init(sandbox.lock, for: sandbox.root, patience: patience, command: command)
    }

    /// Who changes a sandbox now, in words; `nil` when nobody does, or nobody can tell.
    static func owner(of sandbox: Sandbox) -> String? { owner(of: sandbox.lock) }

    /// Returns the same description, but throws when the lock can't be examined, for callers that must not treat it as free.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable` or `inputOutput`.
    static func certainOwner(of sandbox: Sandbox) throws(AtriumError) -> String? {
        try certainOwner(of: sandbox.lock)
    }
}
