import Glibc

/// The exit status of a program, with the numbers of BSD's `sysexits.h`.
public struct ExitStatus: RawRepresentable, Sendable, Hashable {
    /// The number; the shell sees only its low eight bits.
    public let rawValue: Int32

    /// Creates an exit status from a number, such as that of a child process.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The command was successful.
    public static let done = Self(rawValue: 0)
    /// The compared items differ, as with the status of the diff command.
    public static let different = Self(rawValue: 1)
    /// The command line is invalid, which is EX_USAGE.
    public static let usage = Self(rawValue: 64)
    /// The user's input is malformed, which is EX_DATAERR.
    public static let badInput = Self(rawValue: 65)
    /// The named file or item doesn't exist, which is EX_NOINPUT.
    public static let notFound = Self(rawValue: 66)
    /// A required service is unavailable, which is EX_UNAVAILABLE.
    public static let unavailable = Self(rawValue: 69)
    /// The program itself has an error, which is EX_SOFTWARE.
    public static let software = Self(rawValue: 70)
    /// Reading or writing failed, which is EX_IOERR.
    public static let ioError = Self(rawValue: 74)
    /// The command could not be completed and can be tried again, which is EX_TEMPFAIL.
    public static let tryLater = Self(rawValue: 75)
    /// A rule of trust, compatibility or permissions forbids the request, which is EX_NOPERM.
    public static let refused = Self(rawValue: 77)

    /// Ends the process with this status.
    public func exit() -> Never { Glibc.exit(rawValue) }
}

extension ExitStatus {
    /// The exit status for each error code of this program, also without its data files.
    static let byCode = codes.reduce(into: [String: ExitStatus]()) { all, group in
        for code in group.value { all[code] = group.key }
    }

    private static let codes: [ExitStatus: [String]] = [
        .usage: [
            "trustIncomplete"
        ],
        .badInput: [
            "activationInvalid", "catalogInvalid", "compositionInvalid", "defaultsFull", "defaultsInvalid",
            "documentInvalid", "extensionConflict", "extensionInactive", "extensionMismatch", "fieldInvalid",
            "groupFileInvalid", "keyInvalid", "libraryMissing", "libraryUnloadable", "lockInvalid", "manifestInvalid",
            "packageInvalid", "parameterMissing", "parameterType", "patternMalformed", "requestTooLarge",
            "resourceInvalid", "resultType", "routeConflict", "routeKind", "serviceConflict", "sourcesInvalid",
            "targetConflict", "trustInvalid", "uriMalformed",
        ],
        .notFound: [
            "actionUnknown", "appIncomplete", "bundleNotInstalled", "bundleUnavailable", "bundleUnknown",
            "crashUnknown", "extensionPointUnknown", "extensionUndeclared", "extensionUnknown", "fileUnknown",
            "groupUndeclared", "nothingToUnblock", "pageActionUnknown", "resourceUnknown", "routeUnknown",
            "serviceUnknown", "targetUnknown", "trustUnknown", "versionUnknown",
        ],
        .unavailable: [
            "catalogUnreachable", "confinementFailed", "deadlineExceeded", "downloadFailed", "extensionEnded",
            "extensionOutOfMemory", "extensionTimedOut", "graphvizFailed", "graphvizMissing", "pageNotShown",
            "pluginEnded", "symbolizerMissing", "startTimedOut", "systemLinkFailed",
        ],
        .software: [
            "extensionCrashed", "extensionProtocolBroken", "pluginCrashed", "pluginFailed",
        ],
        .ioError: [
            "inputOutput", "registryDamaged", "registryNewer", "sandboxUnusable", "sandboxUnwritable", "storageFull",
        ],
        .tryLater: [
            "catalogNotFetched", "packageNotDownloaded", "requestCanceled", "restartNeeded", "sandboxBusy",
        ],
        .refused: [
            "bundleNeeded", "bundleRefused", "catalogMismatch", "catalogUntrusted", "chainTooLong",
            "dependencyConflict", "dependencyUnmet", "downgrade", "excludedByApp", "exposureDenied",
            "extensionDisabled", "groupForeign", "installNotAllowed", "keyRetired", "keyRevoked",
            "libraryIncompatible", "lockMismatch", "lockOutdated", "nothingToRollBack", "pinned", "quarantined",
            "requirementUnmet", "routeCycle", "routeDenied", "sealBroken", "signatureInvalid", "systemLinkDenied",
            "teamForeign", "teamUnknown", "trustConflict", "trustRevoked", "unsigned", "versionReused",
        ],
    ]

    /// All exit statuses of the programs in ascending order, as listed in their help and in `Documentation/Commands.md`.
    public static let all: [ExitStatus] = [
        .done, .different, .usage, .badInput, .notFound, .unavailable, .software, .ioError, .tryLater, .refused,
    ]

    /// The meaning as a sentence; empty for a status that is not one of these.
    public var meaning: String { Localization.current.sentence(.usage, "\(rawValue)") ?? "" }
}
