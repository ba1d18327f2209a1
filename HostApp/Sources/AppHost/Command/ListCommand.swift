import Console
import FoundationEssentials
import PluginCatalog
import PluginCore
import PluginRuntime
import Registry
import Resolver

/// The `hostapp list` command.
let listCommand = HostCommand(
    description: Command("list", summary: "List what is installed.")
) { call in
    let bundles = try call.manager.registry.active.all()
    let pins = Dictionary(try call.manager.registry.pins.all().map { ($0.identifier, $0) }) { $1 }
    let reasons = try call.manager.registry.reasons.all()
    var table = Table(["NAME", "IDENTIFIER", "VERSION", "PREVIOUS", Table.Column("SIZE", .trailing)])
    for bundle in bundles {
        table.add([
            bundle.active.name, bundle.active.identity.identifier.text, bundle.active.identity.version.description,
            bundle.previous?.identity.version.description ?? "-", byteCount(Int(bundle.active.size)),
        ])
    }
    let pinned = bundles.compactMap { pins[$0.active.identity.identifier] }
    let limits = pinned.map { localized("\($0.identifier) is limited: \($0.words).\n") }.joined()
    let staged = try call.manager.registry.staged.all()
    let waitingForData = try call.manager.registry.staged.waitingForData()
    let waiting = staged.map { bundle in
        waitingForData.contains(bundle.identity.identifier)
            ? localized(
                "\(bundle.identity) is staged; it becomes active when nothing uses the data of the active version.\n")
            : localized("\(bundle.identity) is staged; it becomes active at the next start of a host.\n")
    }.joined()
    // Without any version that may run, a plugin is disabled until its block is lifted or another version is installed.
    let disabled = try call.manager.registry.quarantine.all().filter { blocked in
        !bundles.contains { $0.active.identity.identifier == blocked.identity.identifier }
    }
    let blocks = disabled.map { localized("\($0.identity) is disabled: \(printable($0.reason.sentence)).\n") }.joined()
    let isEmpty = table.isEmpty && disabled.isEmpty
    return Answer(
        text: (isEmpty ? localized("Nothing is installed.\n") : table.isEmpty ? "" : table.rendered(for: call.terminal))
            + limits + waiting + blocks,
        json: [
            "bundles": .array(
                bundles.map { bundle in
                    let identifier = bundle.active.identity.identifier
                    return .object(bundle.jsonMembers(pins[identifier], reasons[identifier]))
                }),
            "staged": .array(staged.map { .object($0.jsonMembers) }),
            "disabled": .array(
                disabled.map { .object($0.identity.jsonMembers + [("reason", .string($0.reason.sentence))]) }),
        ]
    )
}

/// The `hostapp history` command.
let historyCommand = HostCommand(
    description: Command(
        "history", summary: "List what was done to plugins, oldest first.",
        arguments: [.optional("ID", kind: .item(.known), help: "Only what was done to this plugin.")]
    )
) { call in
    let word = call.parsed.argument("ID")
    let identifier = word.flatMap { BundleIdentifier($0) }
    let entries = word != nil && identifier == nil ? [] : try call.manager.registry.history.all(of: identifier)
    if let word, entries.isEmpty {
        let known = try call.manager.registry.history.all().map(\.identifier)
        throw AtriumError(
            .bundleNotInstalled, word, reason: "noHistory",
            nearest: Nearest.identifiers(to: word, in: Set(known).sorted())
        )
    }
    var table = Table(["WHEN", "WHAT", "IDENTIFIER", "VERSION", "BEFORE", "DATA"])
    for entry in entries {
        table.add([
            timestamp(entry.at), words(for: entry.event), entry.identifier.text, entry.version, entry.before ?? "-",
            entry.dataVersion.map(String.init) ?? "-",
        ])
    }
    return Answer(
        text: table.isEmpty ? localized("The history is empty.\n") : table.rendered(for: call.terminal),
        json: ["history": .array(entries.map(\.json))]
    )
}

private func words(for event: HistoryEntry.Event) -> String {
    event == .rolledBack ? localized("rolled back") : localized(key: event.rawValue)
}

extension BundleIdentity {
    /// The members of a JSON object about a version.
    var jsonMembers: [(String, JSONText)] {
        [("identifier", .string(identifier.text)), ("version", .string(version.description))]
    }
}

/// JSON members from the registry's record of a bundle.
extension PluginBundle {
    var jsonMembers: [(String, JSONText)] {
        [("name", .string(name))] + identity.jsonMembers + [
            ("kind", .string(kind.rawValue)), ("size", .integer(Int(size))), ("sealSHA256", .string(digest)),
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

/// Formats a time in UTC as in RFC 3339, for example `2026-11-21T12:00:00Z`; a time before the Gregorian calendar or after the
/// year 9999 is a number.
///
/// - Parameter seconds: the time in seconds since 1970.
func timestamp(_ seconds: Int64) -> String {
    guard -12_219_292_800..<253_402_300_800 ~= seconds else { return String(seconds) }
    return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
}
