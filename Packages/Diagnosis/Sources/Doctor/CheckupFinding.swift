public import PluginCore

/// A finding of a check of a sandbox.
public struct CheckupFinding: Hashable, Sendable {
    /// The severity of a finding.
    public enum Severity: String, Sendable, CaseIterable {
        /// Nothing is wrong.
        case fine
        /// Information; nothing fails because of it.
        case notice
        /// Something fails because of it, now or later.
        case wrong
    }

    /// The checks of a sandbox.
    public enum Check: String, Sendable, CaseIterable {
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

/// The findings of one check.
struct CheckFindings {
    let check: CheckupFinding.Check
    private(set) var all: [CheckupFinding] = []

    init(_ check: CheckupFinding.Check) {
        self.check = check
    }

    mutating func add(
        _ severity: CheckupFinding.Severity, _ subject: some CustomStringConvertible, _ what: ErrorReason,
        remedy: Remedy? = nil
    ) {
        all.append(CheckupFinding(check, severity, subject, what, remedy: remedy))
    }

    mutating func add(
        _ severity: CheckupFinding.Severity, _ subject: some CustomStringConvertible, reason: String,
        _ values: [String: ErrorReason.Value] = [:], remedy: Remedy? = nil
    ) {
        add(severity, subject, ErrorReason(reason, values), remedy: remedy)
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

    /// Creates an advice from the name and the values of its reason.
    static func advice(reason: String, _ values: [String: ErrorReason.Value] = [:]) -> Remedy {
        .advice(ErrorReason(reason, values))
    }

    /// The reason whose sentence is the command or the advice.
    public var reason: ErrorReason {
        switch self {
        case .command(let command): command.reason
        case .advice(let advice): advice
        }
    }
}

/// A command of the host that removes the cause of a finding.
public struct RemedyCommand: Hashable, Sendable {
    /// The words of the command after the name of the program.
    public let arguments: [String]
    /// The reason whose sentence contains the command.
    public let reason: ErrorReason
    /// A Boolean value that indicates whether only a person can decide that the command is right.
    public let isDecision: Bool

    private init(
        _ words: String..., reason: String, _ values: [String: ErrorReason.Value] = [:], isDecision: Bool = false
    ) {
        (arguments, self.reason, self.isDecision) = (words, ErrorReason(reason, values), isDecision)
    }

    /// Rebuilds the registry from the installed versions.
    public static let rebuildRegistry = Self("doctor", "--rebuild", reason: "rebuildRegistry")
    /// Removes leftovers and versions that nothing needs.
    public static let collectGarbage = Self("gc", reason: "collectGarbage")
    /// Installs the bundles of the app in the versions that it allows.
    public static let installApp = Self("app", "install", reason: "runAppInstall")
    /// Fetches the newest state of the published catalogs.
    public static let refreshCatalogs = Self("catalog", "refresh", reason: "renewCatalog")

    /// Installs a damaged version again.
    public static func installAgain(_ version: BundleIdentity) -> Self {
        Self("install", "\(version)", reason: "installAgain", ["bundle": "\(version)"])
    }

    /// Installs a bundle that another one requires.
    public static func install(_ bundle: BundleIdentifier) -> Self {
        Self("install", bundle.text, reason: "runInstall", ["bundle": .text(bundle)])
    }

    /// Updates a bundle.
    public static func update(_ bundle: BundleIdentifier) -> Self {
        Self("update", bundle.text, reason: "runUpdate", ["bundle": .text(bundle)])
    }

    /// Returns to the previous version of a bundle.
    public static func rollback(_ bundle: BundleIdentifier) -> Self {
        Self("rollback", bundle.text, reason: "runRollback", ["bundle": .text(bundle)])
    }

    /// Allows a version to run again that crashed the host, and may crash it again.
    public static func unblock(_ version: BundleIdentity) -> Self {
        Self("unblock", "\(version)", reason: "installOrUnblock", ["bundle": "\(version)"], isDecision: true)
    }

    /// All kinds, each with the given bundle where it has one.
    package static func all(of identity: BundleIdentity) -> [RemedyCommand] {
        let bundle = identity.identifier
        return [
            .rebuildRegistry, .collectGarbage, .installAgain(identity), .install(bundle), .update(bundle),
            .rollback(bundle), .installApp, .refreshCatalogs, .unblock(identity),
        ]
    }
}
