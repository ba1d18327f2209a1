extension AtriumError {
    /// The name of a rule that can be broken. Plugins and the modules above Core add their own codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name in lower camel case, as JSON output contains it.
        public let name: String

        /// Creates a code.
        public init(_ name: String) {
            self.name = name
        }

        /// The name of the rule.
        public var description: String { name }
    }
}

// Addresses and routes.
extension AtriumError.Code {
    /// A URI whose escapes, encoding or characters violate RFC 3986.
    public static let uriMalformed = Self("uriMalformed")
    /// A route pattern that violates the pattern grammar.
    public static let patternMalformed = Self("patternMalformed")
    /// Two routes that match the same addresses.
    public static let routeConflict = Self("routeConflict")
    /// A URI that no route matches.
    public static let routeUnknown = Self("routeUnknown")
    /// A request for an object at the address of a page or handler, or the reverse.
    public static let routeKind = Self("routeKind")
    /// A page, object or handler name that the bundle doesn't know.
    public static let resourceUnknown = Self("resourceUnknown")
    /// A request that an interceptor denied, or whose guard page the user left.
    public static let routeDenied = Self("routeDenied")
    /// A route or an action that is not exposed to the caller.
    public static let exposureDenied = Self("exposureDenied")
    /// A request that exceeds the maximum length of an external link.
    public static let requestTooLarge = Self("requestTooLarge")
    /// A request that leads back to itself.
    public static let routeCycle = Self("routeCycle")
    /// A chain of too many requests that lead to one another.
    public static let chainTooLong = Self("chainTooLong")
    /// An operation that exceeded its deadline.
    public static let deadlineExceeded = Self("deadlineExceeded")
    /// A request that cannot be deferred because the queue is full.
    public static let deferredFull = Self("deferredFull")
    /// A request that cannot be deferred because it carries values that cannot be stored.
    public static let notDeferrable = Self("notDeferrable")
}

// Targets and actions.
extension AtriumError.Code {
    /// A target that no bundle declares.
    public static let targetUnknown = Self("targetUnknown")
    /// Two bundles that provide a target with the same name.
    public static let targetConflict = Self("targetConflict")
    /// An action that the target doesn't have.
    public static let actionUnknown = Self("actionUnknown")
    /// A required parameter that is missing.
    public static let parameterMissing = Self("parameterMissing")
    /// A parameter of the wrong type.
    public static let parameterType = Self("parameterType")
    /// A result of another type than the caller requested.
    public static let resultType = Self("resultType")
    /// A service that no bundle provides.
    public static let serviceUnknown = Self("serviceUnknown")
    /// Two bundles that provide a service with the same name.
    public static let serviceConflict = Self("serviceConflict")
    /// A page action that the page doesn't offer.
    public static let pageActionUnknown = Self("pageActionUnknown")
}

// Bundles.
extension AtriumError.Code {
    /// An identifier that neither the sandbox nor the catalog contains.
    public static let bundleUnknown = Self("bundleUnknown")
    /// A version that the catalog doesn't contain, of a bundle that it knows.
    public static let versionUnknown = Self("versionUnknown")
    /// A bundle that must be installed first.
    public static let bundleNotInstalled = Self("bundleNotInstalled")
    /// A bundle that cannot be used now, because it was replaced, unloaded or removed, or because the host is still starting.
    public static let bundleUnavailable = Self("bundleUnavailable")
    /// A bundle whose requirements are not available.
    public static let requirementUnmet = Self("requirementUnmet")
    /// A version that is already installed with other content.
    public static let versionReused = Self("versionReused")
    /// A version below the active one.
    public static let downgrade = Self("downgrade")
    /// A rollback for which no version is kept that may run.
    public static let nothingToRollBack = Self("nothingToRollBack")
    /// A manifest that breaks one or more rules. The error lists all of them.
    public static let manifestInvalid = Self("manifestInvalid")
    /// A package that is not a complete, safe archive of a single bundle.
    public static let packageInvalid = Self("packageInvalid")
    /// A bundle without a library for this platform.
    public static let libraryMissing = Self("libraryMissing")
    /// A library that the dynamic loader rejected.
    public static let libraryUnloadable = Self("libraryUnloadable")
    /// A library that was built for another Core or by another compiler.
    public static let libraryIncompatible = Self("libraryIncompatible")
    /// An error of the plugin's own type, thrown by its code.
    public static let pluginFailed = Self("pluginFailed")
    /// A bundle that exceeded the deadline for starting.
    public static let startTimedOut = Self("startTimedOut")
    /// A principal object that rejected the start.
    public static let bundleRefused = Self("bundleRefused")
    /// A key or value that cannot be stored in a bundle's defaults, or a stored value of another type than the key's.
    public static let defaultsInvalid = Self("defaultsInvalid")
    /// Defaults that would exceed the host's limit.
    public static let defaultsFull = Self("defaultsFull")
    /// A page layout or string table that cannot be read.
    public static let resourceInvalid = Self("resourceInvalid")
}

// Trust.
extension AtriumError.Code {
    /// A package or bundle without a seal, or with a seal that is not signed.
    public static let unsigned = Self("unsigned")
    /// A bundle whose files differ from those in its seal. The error lists all differences.
    public static let sealBroken = Self("sealBroken")
    /// A signature that is malformed or does not belong to the key that it names.
    public static let signatureInvalid = Self("signatureInvalid")
    /// A team, or a key of a team, that the host doesn't know.
    public static let teamUnknown = Self("teamUnknown")
    /// A team that does not own the bundle's identifier.
    public static let teamForeign = Self("teamForeign")
    /// An app group that belongs to another team than the one that signed the bundle.
    public static let groupForeign = Self("groupForeign")
    /// A retired key. New packages that it signed are not accepted.
    public static let keyRetired = Self("keyRetired")
    /// A revoked key. Nothing that it signed is accepted or loaded.
    public static let keyRevoked = Self("keyRevoked")
    /// A key file that cannot be read, or not with this password.
    public static let keyInvalid = Self("keyInvalid")
    /// A trust store that violates its rules.
    public static let trustInvalid = Self("trustInvalid")
    /// A change of a team or key that the trust store doesn't contain.
    public static let trustUnknown = Self("trustUnknown")
    /// An attempt to trust a revoked key.
    public static let trustRevoked = Self("trustRevoked")
    /// An attempt to trust a team that owns no prefix.
    public static let trustIncomplete = Self("trustIncomplete")
    /// A change of the trust store that contradicts its content.
    public static let trustConflict = Self("trustConflict")
}

// Several bundles, and the life of a bundle in a sandbox.
extension AtriumError.Code {
    /// Bundles whose requirements contradict each other. The error lists the requirement chains.
    public static let dependencyConflict = Self("dependencyConflict")
    /// A bundle whose linked library belongs to a bundle that is missing or has an unacceptable version.
    ///
    /// The reason names the chain of requirements.
    public static let dependencyUnmet = Self("dependencyUnmet")
    /// A bundle that other bundles require. The error lists them.
    public static let bundleNeeded = Self("bundleNeeded")
    /// A version that is quarantined because it crashed or hung the host.
    public static let quarantined = Self("quarantined")
    /// A version that is excluded by a pin or by the user's rollback to an earlier version.
    public static let pinned = Self("pinned")
    /// A bundle that is not installed and may not be installed to handle a request.
    public static let installNotAllowed = Self("installNotAllowed")
    /// A bundle without blocked versions.
    public static let nothingToUnblock = Self("nothingToUnblock")
    /// A version that this process cannot load in addition to the loaded one.
    public static let restartNeeded = Self("restartNeeded")
    /// A disk without sufficient free space.
    public static let storageFull = Self("storageFull")
}

// The host.
extension AtriumError.Code {
    /// A composition file that violates its rules.
    public static let compositionInvalid = Self("compositionInvalid")
    /// A file that doesn't exist.
    public static let fileUnknown = Self("fileUnknown")
    /// A file of a kind that a command cannot read.
    public static let documentInvalid = Self("documentInvalid")
    /// A catalog that cannot be read.
    public static let catalogUnreachable = Self("catalogUnreachable")
    /// A sandbox that another host has locked.
    public static let sandboxBusy = Self("sandboxBusy")
    /// A sandbox that cannot be read or written.
    public static let sandboxUnwritable = Self("sandboxUnwritable")
    /// A sandbox in an unsuitable location: its path is too long, or its file system forbids running code.
    public static let sandboxUnusable = Self("sandboxUnusable")
    /// A registry that cannot be read.
    public static let registryDamaged = Self("registryDamaged")
    /// A registry that was written by a newer host.
    public static let registryNewer = Self("registryNewer")
    /// Any other error of the file system.
    public static let inputOutput = Self("inputOutput")
}
