package import HostSystem
package import PluginCore

extension WriterLock {
    /// The lock of a sandbox.
    package convenience init(_ sandbox: Sandbox, patience: Duration = .seconds(2), command: String? = nil) {
        self.init(sandbox.lock, for: sandbox.root, patience: patience, command: command)
    }

    /// Returns a description of the process that has the lock; `nil` if none has, or it cannot be known.
    package static func owner(of sandbox: Sandbox) -> String? { owner(of: sandbox.lock) }

    /// Returns the same description, but throws when the lock can't be examined, for callers that must not treat it as free.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable` or `inputOutput`.
    package static func certainOwner(of sandbox: Sandbox) throws(AtriumError) -> String? {
        try certainOwner(of: sandbox.lock)
    }
}
