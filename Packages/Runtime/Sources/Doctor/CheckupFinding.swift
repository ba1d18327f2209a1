public import PluginCore

/// A finding of a check of a sandbox.
public struct CheckupFinding: Hashable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// Nothing is wrong.
        case fine
        /// Information; nothing fails because of it.
        case notice
        /// Something fails because of it, now or later.
        case wrong
    }

    /// The checks of a sandbox.
    public enum Check: String, Hashable, Sendable, CaseIterable {
        /// The folders: they exist, are writable, and have free space.
        case sandbox
        /// The process that is changing the sandbox.
        case lock
        /// The database.
        case registry
        /// The trust store.
        case trust
        /// The files and signers of installed versions.
        case versions
        /// The requirements of active bundles.
        case requirements
        /// The staged versions.
        case staged
        /// The quarantined versions, and those that the next start will quarantine.
        case quarantine
        /// The leftovers on the disk.
        case leftovers
        /// The source of packages.
        case catalog
        /// The bundles of the app's composition.
        case composition
        /// The confinement of extensions that the kernel enforces.
        case confinement
    }

    /// The check that produced the finding.
    public let check: Check
    /// The severity of the finding.
    public let severity: Severity
    /// The subject: a bundle, a path, or the level of the confinement; empty for the sandbox as a whole.
    public let subject: String
    /// The description of the finding.
    public let what: ErrorReason
    /// The remedy; `nil` when nothing needs to be done.
    public let action: Remedy?
    /// The remedy as a reason, whose sentence is a command or an advice; `nil` when nothing needs to be done.
    public var remedy: ErrorReason? { action?.reason }

    init(
        _ check: Check, _ severity: Severity, _ subject: some CustomStringConvertible = "", _ what: ErrorReason,
        remedy: Remedy? = nil
    ) {
        self.check = check
        self.severity = severity
        self.subject = subject.description
        self.what = what
        action = remedy
    }
}
