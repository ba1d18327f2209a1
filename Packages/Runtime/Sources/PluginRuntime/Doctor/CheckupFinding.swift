/// What a check of a sandbox found.
public struct CheckupFinding: Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, CaseIterable {
        /// All is well.
        case fine
        /// Worth knowing; nothing is broken by it.
        case notice
        /// Something does not work because of it, or will not.
        case wrong
    }

    /// What was looked at.
    public enum Check: String, Hashable, Sendable, CaseIterable {
        /// The folders: that they are there, can be written, and have space.
        case sandbox
        /// Who changes the sandbox now.
        case lock
        /// The database.
        case registry
        /// The trust store.
        case trust
        /// The installed versions' files and signers.
        case versions
        /// What active bundles require.
        case requirements
        /// What becomes active when a host starts next.
        case staged
        /// What was put away, and what is about to be.
        case quarantine
        /// What is on the disk and of no use.
        case remains
        /// Where packages come from.
        case catalog
        /// The bundles that the app is composed of.
        case composition
    }

    /// Which check.
    public let check: Check
    /// How bad it is.
    public let severity: Severity
    /// What it is about: a bundle, a path; empty for the sandbox as a whole.
    public let subject: String
    /// What was found, as a sentence without its full stop.
    public let what: String
    /// What to do; `nil` when nothing has to be done.
    public let remedy: String?

    init(_ check: Check, _ severity: Severity, _ subject: String = "", _ what: String, remedy: String? = nil) {
        self.check = check
        self.severity = severity
        self.subject = subject
        self.what = what
        self.remedy = remedy
    }
}
