import Registry
import Console
import PluginCore
import PluginRuntime

/// JSON members from the registry's record of a bundle.
extension PluginBundle {
    var jsonMembers: [(String, JSONText)] {
        [
            ("name", .string(name)), ("identifier", .string(identity.identifier.text)),
            ("version", .string(identity.version.description)), ("kind", .string(kind.rawValue)),
            ("size", .integer(Int(size))), ("sealSHA256", .string(digest)),
            ("installedAt", .string(timestamp(installedAt))), ("team", .string(seal.team)),
            ("keyID", .string(seal.keyID)),
        ]
    }
}

extension InstalledBundle {
    func jsonMembers(_ pin: VersionPin?, _ reason: InstallReason?) -> [(String, JSONText)] {
        active.jsonMembers + [
            ("previous", .string(orNull: previous?.identity.version.description)), ("pin", pin?.json ?? .null),
            ("reason", .string(orNull: reason?.rawValue)),
        ]
    }
}

extension HistoryEntry {
    var json: JSONText {
        [
            "at": .string(timestamp(at)), "identifier": .string(identifier.text), "event": .string(event.rawValue),
            "version": .string(version), "before": .string(orNull: before),
            "dataVersion": dataVersion.map { .integer($0) } ?? .null,
        ]
    }
}

extension InstallReport {
    var jsonMembers: [(String, JSONText)] {
        bundle.jsonMembers + [
            ("before", .string(orNull: before?.identity.version.description)), ("changed", .bool(isChange)),
            ("staged", .bool(isStaged)), ("waitsForData", .bool(waitsForData)),
            ("unstaged", .string(orNull: unstaged?.identity.version.description)),
            ("passedOver", .array(skippedVersions.map(\.json))), ("download", download?.json ?? .null),
        ]
    }

    var json: JSONText { .object(jsonMembers) }
}

extension PackageDownload {
    /// The bytes that were fetched, the version from which a delta led, and the reason why a delta was not used.
    fileprivate var json: JSONText {
        var (base, problem): (SemanticVersion?, ErrorReason?)
        switch content {
        case .package: break
        case .delta(let version): base = version
        case .packageAfterDelta(let reason): problem = reason
        }
        return [
            "bytes": .integer(Int(clamping: received)), "delta": .string(orNull: base?.description),
            "deltaProblem": .string(orNull: problem?.sentence),
        ]
    }
}

extension SkippedVersion {
    fileprivate var json: JSONText {
        [
            "version": .string(identity.version.description), "code": .string(error.code.description),
            "reason": .string(error.description),
        ]
    }
}
