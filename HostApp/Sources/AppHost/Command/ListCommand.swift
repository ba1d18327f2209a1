import Console
import FoundationEssentials
import PluginCore
import PluginRuntime
import Registry
import Resolver

/// The `hostapp list` command.
let listCommand = HostCommand("list") { call in
    let bundles = try call.registry.active.all()
    let pins = try call.registry.notes.pins()
    let reasons = try call.registry.notes.reasons()
    let pinned = bundles.compactMap { pins[$0.active.identifier] }
    let limits = pinned.map { localized("\($0.identifier) is limited: \($0.words).\n") }.joined()
    let staged = try call.registry.staged.all()
    let waitingForData = try call.registry.staged.waitingForData()
    let waiting = staged.map { bundle in
        let waits = waitingForData.contains(bundle.identifier)
        return hostText(waits ? "waitsForData" : "isStaged", bundle.identity)
    }.joined()
    // Without any version that may run, a plugin is disabled until its block is lifted or another version is installed.
    let disabled = try call.registry.quarantine.all().filter { blocked in
        !bundles.contains { $0.active.identifier == blocked.identifier }
    }
    let blocks = disabled.map { localized("\($0.identity) is disabled: \(printable($0.reason.sentence)).\n") }.joined()
    let table = Table(
        ["NAME", "IDENTIFIER", "VERSION", "PREVIOUS", .init("SIZE", .trailing)],
        rows: bundles.map {
            let active = $0.active
            return [active.name, active.identifier, active.version, $0.previous?.version, byteCount(Int(active.size))]
        })
    let none = disabled.isEmpty ? localized("Nothing is installed.\n") : ""
    return Answer(
        text: call.text(of: table, otherwise: none) + limits + waiting + blocks,
        json: [
            "bundles": bundles.map { bundle in
                let identifier = bundle.active.identifier
                return bundle.active.json + [
                    "previous": bundle.previous?.version, "pin": pins[identifier]?.json,
                    "reason": reasons[identifier]?.rawValue,
                ]
            },
            "staged": staged.map(\.json),
            "disabled": disabled.map { $0.identity.jsonObject + ["reason": $0.reason.sentence] },
        ]
    )
}

/// The `hostapp history` command.
let historyCommand = HostCommand("history", arguments: [.optional("ID", kind: .host(.known))]) { call in
    let word = call.parsed.argument("ID")
    let identifier = word.flatMap { BundleIdentifier($0) }
    let entries = word != nil && identifier == nil ? [] : try call.registry.history.all(of: identifier)
    if let word, entries.isEmpty {
        let known = try call.registry.history.all().map(\.identifier)
        throw AtriumError(
            .bundleNotInstalled, word, reason: "noHistory",
            nearest: Nearest.identifiers(to: word, in: Set(known).sorted())
        )
    }
    return call.listing(
        entries, as: "history", \.json, in: ["WHEN", "WHAT", "IDENTIFIER", "VERSION", "BEFORE", "DATA"],
        otherwise: localized("The history is empty.\n")
    ) { entry in
        [
            timestamp(entry.at),
            entry.event == .rolledBack ? localized("rolled back") : localized(key: entry.event.rawValue),
            entry.identifier, entry.version, entry.before, entry.dataVersion,
        ]
    }
}

extension BundleIdentity {
    /// The members of a JSON object about a version.
    var jsonObject: JSONText {
        ["identifier": identifier, "version": version]
    }
}

/// Something that belongs to one version of a bundle.
protocol Versioned {
    var identity: BundleIdentity { get }
}

extension Versioned {
    var identifier: BundleIdentifier { identity.identifier }
    var version: SemanticVersion { identity.version }
}

extension Manifest: Versioned {}
extension LifecycleEvent: Versioned {}
extension AppLock.Bundle: Versioned {}

/// JSON members from the registry's record of a bundle.
extension PluginBundle: Versioned {
    var json: JSONText {
        ["name": name] + identity.jsonObject + [
            "kind": kind.rawValue, "size": Int(size), "sealSHA256": digest, "installedAt": timestamp(installedAt),
            "team": seal.team, "keyID": seal.keyID,
        ]
    }
}

extension HistoryEntry {
    var json: JSONText {
        [
            "at": timestamp(at), "identifier": identifier, "event": event.rawValue, "version": version,
            "before": before, "dataVersion": dataVersion,
        ]
    }
}

extension InstallReport: Versioned {
    var identity: BundleIdentity { bundle.identity }

    var json: JSONText {
        bundle.json + [
            "before": before?.version, "changed": isChange, "staged": isStaged, "waitsForData": waitsForData,
            "unstaged": unstaged?.version, "passedOver": skippedVersions.map(\.json),
            "download": download?.json,
        ]
    }
}

extension PackageDownload {
    /// The bytes that were fetched, the version from which a delta led, and the reason why a delta was not used.
    var json: JSONText {
        var (base, problem): (SemanticVersion?, ErrorReason?)
        switch content {
        case .package: break
        case .delta(let version): base = version
        case .packageAfterDelta(let reason): problem = reason
        }
        return ["bytes": Int(clamping: received), "delta": base, "deltaProblem": problem?.sentence]
    }
}

extension SkippedVersion: Versioned {
    var json: JSONText {
        ["version": version, "code": error.code.description, "reason": error.description]
    }
}

/// Formats a time in UTC as in RFC 3339, for example `2026-11-21T12:00:00Z`; a time before the Gregorian calendar or after the
/// year 9999 is a number.
///
/// - Parameter seconds: the time in seconds since 1970.
func timestamp(_ seconds: Int64) -> String {
    guard -12_219_292_800..<253_402_300_800 ~= seconds else { return String(seconds) }
    return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
}
