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

    /// Creates a finding; also a host does, about what this module does not know.
    public init(
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

/// The remedy of a finding.
///
/// ```swift
/// for case .command(let command) in findings.compactMap(\.action) { print("hostapp", command.arguments) }
/// ```
public enum Remedy: Hashable, Sendable {
    /// A command of the host, which a program can run.
    case command(RemedyCommand)
    /// An advice, which somebody must follow.
    case advice(ErrorReason)

    /// The reason whose sentence is the command or the advice.
    public var reason: ErrorReason {
        switch self {
        case .command(let command): command.reason
        case .advice(let advice): advice
        }
    }
}

/// A command of the host that removes the cause of a finding.
///
/// The sentence that people read and the words that a program runs are both made from it.
public enum RemedyCommand: Hashable, Sendable {
    /// Rebuild the registry from the installed versions.
    case rebuildRegistry
    /// Remove leftovers and versions that nothing needs.
    case collectGarbage
    /// Install a damaged version again.
    case installAgain(BundleIdentity)
    /// Install a bundle that another one requires.
    case install(BundleIdentifier)
    /// Update a bundle.
    case update(BundleIdentifier)
    /// Return to the previous version of a bundle.
    case rollback(BundleIdentifier)
    /// Install the bundles of the app in the versions that it allows.
    case installApp
    /// Fetch the newest state of the published catalogs.
    case refreshCatalogs
    /// Allow a version to run again that crashed the host.
    case unblock(BundleIdentity)

    /// All kinds, each with the given bundle where it has one.
    package static func all(of identity: BundleIdentity) -> [RemedyCommand] {
        let bundle = identity.identifier
        return [
            .rebuildRegistry, .collectGarbage, .installAgain(identity), .install(bundle), .update(bundle),
            .rollback(bundle), .installApp, .refreshCatalogs, .unblock(identity),
        ]
    }

    /// The words of the command after the name of the program.
    public var arguments: [String] {
        switch self {
        case .rebuildRegistry: ["doctor", "--rebuild"]
        case .collectGarbage: ["gc"]
        case .installAgain(let identity): ["install", identity.description]
        case .install(let bundle): ["install", bundle.text]
        case .update(let bundle): ["update", bundle.text]
        case .rollback(let bundle): ["rollback", bundle.text]
        case .installApp: ["app", "install"]
        case .refreshCatalogs: ["catalog", "refresh"]
        case .unblock(let identity): ["unblock", identity.description]
        }
    }

    /// A Boolean value that indicates whether only a person can decide that the command is right.
    ///
    /// A version that crashed the host may crash it again.
    public var isDecision: Bool {
        if case .unblock = self { true } else { false }
    }

    /// The reason whose sentence contains the command.
    public var reason: ErrorReason {
        switch self {
        case .rebuildRegistry: ErrorReason("rebuildRegistry")
        case .collectGarbage: ErrorReason("collectGarbage")
        case .installAgain(let identity): ErrorReason("installAgain", ["bundle": "\(identity)"])
        case .install(let bundle): ErrorReason("runInstall", ["bundle": .text(bundle)])
        case .update(let bundle): ErrorReason("runUpdate", ["bundle": .text(bundle)])
        case .rollback(let bundle): ErrorReason("runRollback", ["bundle": .text(bundle)])
        case .installApp: ErrorReason("runAppInstall")
        case .refreshCatalogs: ErrorReason("renewCatalog")
        case .unblock(let identity): ErrorReason("installOrUnblock", ["bundle": "\(identity)"])
        }
    }
}
