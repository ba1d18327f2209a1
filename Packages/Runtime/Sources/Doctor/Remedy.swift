public import PluginCore

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
