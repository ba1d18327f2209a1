extension AtriumError {
    /// The name of a rule that can be broken.
    ///
    /// Core declares the codes with which a plugin's request can end. Plugins and the modules above Core add their own codes.
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
}

// Targets and actions.
extension AtriumError.Code {
    /// A target that no bundle declares.
    public static let targetUnknown = Self("targetUnknown")
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
    /// An extension that the bundle's manifest does not declare.
    public static let extensionUndeclared = Self("extensionUndeclared")
    /// A page action that the page doesn't offer.
    public static let pageActionUnknown = Self("pageActionUnknown")
    /// A text that a field of a page's action doesn't accept.
    public static let fieldInvalid = Self("fieldInvalid")
}

// Bundles.
extension AtriumError.Code {
    /// A bundle that must be installed first.
    public static let bundleNotInstalled = Self("bundleNotInstalled")
    /// A bundle that cannot be used now, because it was replaced, unloaded or removed.
    public static let bundleUnavailable = Self("bundleUnavailable")
    /// A library that was built for another Core or by another compiler.
    public static let libraryIncompatible = Self("libraryIncompatible")
    /// An error of the plugin's own type, thrown by its code.
    public static let pluginFailed = Self("pluginFailed")
    /// A key or value that cannot be stored in a bundle's defaults, or a stored value of another type than the key's.
    public static let defaultsInvalid = Self("defaultsInvalid")
    /// Defaults that would exceed the host's limit.
    public static let defaultsFull = Self("defaultsFull")
    /// An app group that the bundle's manifest does not declare.
    public static let groupUndeclared = Self("groupUndeclared")
    /// A file of an app group with a name that the group cannot have, or that is not a regular file of permitted size.
    public static let groupFileInvalid = Self("groupFileInvalid")
    /// A page layout or string table that cannot be read.
    public static let resourceInvalid = Self("resourceInvalid")
    /// A bundle whose files differ from those in its seal. The error lists all differences.
    public static let sealBroken = Self("sealBroken")
    /// Bundles whose requirements contradict each other. The error lists the requirement chains.
    public static let dependencyConflict = Self("dependencyConflict")
    /// A bundle that other bundles require. The error lists them.
    public static let bundleNeeded = Self("bundleNeeded")
}

// The environment, in which the same request may succeed later.
extension AtriumError.Code {
    /// A catalog that cannot be read.
    public static let catalogUnreachable = Self("catalogUnreachable")
    /// A sandbox that another host has locked.
    public static let sandboxBusy = Self("sandboxBusy")
    /// Any other error of the file system.
    public static let inputOutput = Self("inputOutput")
}
