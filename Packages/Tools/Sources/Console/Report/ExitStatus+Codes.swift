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
            "extensionOutOfMemory", "extensionTimedOut", "graphvizFailed", "graphvizMissing", "pluginEnded",
            "startTimedOut", "systemLinkFailed",
        ],
        .software: [
            "extensionCrashed", "extensionProtocolBroken", "pluginCrashed", "pluginFailed",
        ],
        .ioError: [
            "inputOutput", "registryDamaged", "registryNewer", "sandboxUnusable", "sandboxUnwritable", "storageFull",
        ],
        .tryLater: [
            "catalogNotFetched", "packageNotDownloaded", "restartNeeded", "sandboxBusy",
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
}
