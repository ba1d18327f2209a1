extension AtriumError {
    /// The name of a rule that can be broken. An open set: plugins and later rooms add their own.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The name scripts see in `--json`, in lower camel case.
        public let name: String

        /// Names a rule.
        public init(_ name: String) {
            self.name = name
        }

        /// The same as ``name``.
        public var description: String { name }
    }
}

// Addresses and routes.
extension AtriumError.Code {
    /// A URI whose escapes, encoding or characters are not those of RFC 3986.
    public static let uriMalformed = Self("uriMalformed")
    /// A route pattern that the grammar does not allow.
    public static let patternMalformed = Self("patternMalformed")
    /// Two routes of the same shape.
    public static let routeConflict = Self("routeConflict")
    /// A URI that no route serves.
    public static let routeUnknown = Self("routeUnknown")
    /// A route that exists but is of the other kind: an object where a page or handler was asked for, or the reverse.
    public static let routeKind = Self("routeKind")
    /// A page, object or handler name that the bundle does not know.
    public static let resourceUnknown = Self("resourceUnknown")
    /// An interceptor of the route said no, or the user left the page that the guard showed.
    public static let routeDenied = Self("routeDenied")
    /// A route or an action that is there, and not for whoever asks.
    public static let exposureDenied = Self("exposureDenied")
    /// A request that is longer than what a link from outside may be.
    public static let requestTooLarge = Self("requestTooLarge")
    /// A request that leads back to itself.
    public static let routeCycle = Self("routeCycle")
    /// Requests that lead to requests, too many of them.
    public static let chainTooLong = Self("chainTooLong")
    /// Something that did not answer in its time.
    public static let deadlineExceeded = Self("deadlineExceeded")
    /// A request that can wait no more: the queue is full.
    public static let deferredFull = Self("deferredFull")
    /// A request that cannot wait, because it carries what cannot be kept.
    public static let notDeferrable = Self("notDeferrable")
}

// Targets and actions.
extension AtriumError.Code {
    /// A target that no bundle declares.
    public static let targetUnknown = Self("targetUnknown")
    /// Two bundles that provide a target of one name.
    public static let targetConflict = Self("targetConflict")
    /// An action that the target does not have.
    public static let actionUnknown = Self("actionUnknown")
    /// A parameter that an action or an address needs and did not get.
    public static let parameterMissing = Self("parameterMissing")
    /// A parameter of a type that an action or an address does not take.
    public static let parameterType = Self("parameterType")
    /// A result of a type that the caller did not ask for.
    public static let resultType = Self("resultType")
    /// A service that no bundle provides.
    public static let serviceUnknown = Self("serviceUnknown")
    /// Two bundles that provide a service of one name.
    public static let serviceConflict = Self("serviceConflict")
    /// A page action that the page does not offer.
    public static let pageActionUnknown = Self("pageActionUnknown")
}

// Bundles.
extension AtriumError.Code {
    /// An identifier that neither sandbox nor catalog has.
    public static let bundleUnknown = Self("bundleUnknown")
    /// A version of a known bundle that the catalog does not have.
    public static let versionUnknown = Self("versionUnknown")
    /// A bundle that must be installed first.
    public static let bundleNotInstalled = Self("bundleNotInstalled")
    /// A bundle that was there and has gone.
    public static let bundleUnavailable = Self("bundleUnavailable")
    /// A bundle whose required bundles cannot be had.
    public static let requirementUnmet = Self("requirementUnmet")
    /// A version that is installed already, from a package of other content.
    public static let versionReused = Self("versionReused")
    /// A version below the one that is active.
    public static let downgrade = Self("downgrade")
    /// A rollback without a previous version.
    public static let nothingToRollBack = Self("nothingToRollBack")
    /// A manifest that breaks one or more rules; all are listed.
    public static let manifestInvalid = Self("manifestInvalid")
    /// A package that is not a whole, safe archive of one bundle.
    public static let packageInvalid = Self("packageInvalid")
    /// A bundle without a library for this platform.
    public static let libraryMissing = Self("libraryMissing")
    /// A library that the dynamic loader refused.
    public static let libraryUnloadable = Self("libraryUnloadable")
    /// A library built for another Core or by another compiler.
    public static let libraryIncompatible = Self("libraryIncompatible")
    /// Code of a bundle that threw an error of a type of its own.
    public static let pluginFailed = Self("pluginFailed")
    /// A bundle whose `bundleDidLoad` did not return in its time.
    public static let startTimedOut = Self("startTimedOut")
    /// A principal object that refused to start.
    public static let bundleRefused = Self("bundleRefused")
    /// A page layout or a string table that cannot be read.
    public static let resourceInvalid = Self("resourceInvalid")
}

// Trust.
extension AtriumError.Code {
    /// A package or a bundle without a seal, or with a seal that nobody signed.
    public static let unsigned = Self("unsigned")
    /// A bundle whose files are not those that its seal lists; all that differ are listed.
    public static let sealBroken = Self("sealBroken")
    /// A signature that is none, or is not of the key that it names.
    public static let signatureInvalid = Self("signatureInvalid")
    /// A team, or a key of a team, that the host does not know.
    public static let teamUnknown = Self("teamUnknown")
    /// A team that may not own the bundle's identifier.
    public static let teamForeign = Self("teamForeign")
    /// An app group that belongs to another team than the one that signed the bundle.
    public static let groupForeign = Self("groupForeign")
    /// A key whose time is over: nothing new that it signed is let in.
    public static let keyRetired = Self("keyRetired")
    /// A key that was revoked: nothing that it signed is let in or loaded.
    public static let keyRevoked = Self("keyRevoked")
    /// A file of a key that cannot be read, or not with this password.
    public static let keyInvalid = Self("keyInvalid")
    /// A trust store that breaks its rules.
    public static let trustInvalid = Self("trustInvalid")
    /// A team or a key that is to be changed, and that the trust store does not have.
    public static let trustUnknown = Self("trustUnknown")
    /// A key that is to be trusted although it was revoked.
    public static let trustRevoked = Self("trustRevoked")
    /// A team that is to be trusted and owns no prefix.
    public static let trustIncomplete = Self("trustIncomplete")
    /// A change of the trust store that contradicts what is in it.
    public static let trustConflict = Self("trustConflict")
}

// Several bundles, and their time in a sandbox.
extension AtriumError.Code {
    /// Bundles whose requirements contradict each other; the chains that lead there are listed.
    public static let dependencyConflict = Self("dependencyConflict")
    /// A bundle that is linked with the library of another one, which is not there or not in a version that will do; the
    /// detail names the chain.
    public static let dependencyUnmet = Self("dependencyUnmet")
    /// A bundle that others cannot do without; they are listed.
    public static let bundleNeeded = Self("bundleNeeded")
    /// A version that crashed or hung the host, and was put away for that.
    public static let quarantined = Self("quarantined")
    /// A version that a pin excludes, or up to which the user rolled back.
    public static let pinned = Self("pinned")
    /// A bundle that is not installed, and may not be installed for the sake of a request.
    public static let installNotAllowed = Self("installNotAllowed")
    /// A bundle of which nothing is blocked.
    public static let nothingToUnblock = Self("nothingToUnblock")
    /// A version that this process cannot load beside the one it has.
    public static let restartNeeded = Self("restartNeeded")
    /// A disk without the space that the work needs.
    public static let storageFull = Self("storageFull")
}

// The host.
extension AtriumError.Code {
    /// A composition file that breaks its rules.
    public static let compositionInvalid = Self("compositionInvalid")
    /// A file that was named and is not there.
    public static let fileUnknown = Self("fileUnknown")
    /// A file that is none of those that a command reads.
    public static let documentInvalid = Self("documentInvalid")
    /// A catalog that cannot be read.
    public static let catalogUnreachable = Self("catalogUnreachable")
    /// Another host holds the sandbox.
    public static let sandboxBusy = Self("sandboxBusy")
    /// A sandbox that cannot be written or read.
    public static let sandboxUnwritable = Self("sandboxUnwritable")
    /// A sandbox in a place where none can work: its path is too long, or its file system forbids running code.
    public static let sandboxUnusable = Self("sandboxUnusable")
    /// A registry that cannot be read.
    public static let registryDamaged = Self("registryDamaged")
    /// A registry that a newer host has written.
    public static let registryNewer = Self("registryNewer")
    /// Any other failure of the file system.
    public static let inputOutput = Self("inputOutput")
}
