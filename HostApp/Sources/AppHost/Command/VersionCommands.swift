import Console
import CrashReports
import Doctor
import PluginCore
import PluginRuntime
import Registry

/// The `hostapp pin` command.
let pinCommand = HostCommand("pin", arguments: [.required("ID[@RANGE]", kind: .host(.installedVersion))]) { call in
    let (word, range) = try call.bundle(
        call.argument("ID[@RANGE]"), as: "ID[@RANGE]", hostText("rangeExpected")
    ) { VersionRange($0) }
    let identifier = try call.installed(word)
    let (pin, unstaged) = try await call.transactions.pins.pin(identifier, to: range)
    let active = try call.registry.requireInstalled(identifier).active.version
    var text = localized("\(identifier) is pinned to \(pin.versions?.description ?? "-")")
    if pin.versions?.contains(active) == false {
        text += hostText("outsideRange", active)
    }
    if let unstaged { text += localized("; \(unstaged.version) is no longer staged") }
    return Answer(
        text: text + ".\n",
        json: ["identifier": identifier, "version": active, "pin": pin.json, "unstaged": unstaged?.version])
}

/// The `hostapp unpin` command.
let unpinCommand = HostCommand("unpin", arguments: [.required("ID", kind: .host(.pinned))]) { call in
    let identifier = try call.installed(call.argument("ID"))
    let pin = try await call.transactions.pins.unpin(identifier)
    return Answer(
        text: pin.map { localized("\(identifier) is no longer pinned; before, \($0.words).\n") }
            ?? localized("\(identifier) is not pinned.\n"),
        json: ["identifier": identifier, "pin": pin?.json])
}

extension VersionPin {
    /// The limit as people read it, such as "it is pinned to ^1.0.0".
    var words: String { reason?.sentence ?? "" }

    var json: JSONText {
        ["versions": versions?.description, "skippedThrough": skippedThrough]
    }
}

/// The `hostapp rollback` command.
let rollbackCommand = HostCommand("rollback", arguments: [.repeated("ID", atLeastOne: true, kind: .host(.installed))]) {
    call in
    let identifiers = try call.installed(in: "ID")
    let reports = try await call.transactions.rollback.run(identifiers)
    let lines = try reports.map { report in
        try line(for: report, call.registry.notes.notes(about: report.identifier).pin)
    }
    return Answer(text: lines.joined(), json: reports.json(single: identifiers.count == 1))
}

private func line(for report: InstallReport, _ pin: VersionPin?) -> String {
    let before = report.before?.version.description ?? "-"
    let identity = report.identity
    let end = pin?.skippedThrough.map { hostText("rollbackLimit", $0, identity.identifier) }
    return localized("Rolled \(identity.identifier) back from \(before) to \(identity.version).\(end ?? "")\n")
}

/// The `hostapp unblock` command.
let unblockCommand = HostCommand("unblock", arguments: [.required("ID[@VERSION]", kind: .host(.blocked))]) { call in
    let (word, version) = try call.bundle(
        call.argument("ID[@VERSION]"), as: "ID[@VERSION]", hostText("versionExpected")
    ) { SemanticVersion($0) }
    guard let identifier = BundleIdentifier(word) else {
        let known = Set(try call.registry.quarantine.all().map(\.identifier)).sorted()
        throw AtriumError(.nothingToUnblock, word, nearest: Nearest.identifiers(to: word, in: known))
    }
    let unblocked = try await call.transactions.quarantine.unblock(identifier, version: version)
    return Answer(
        text: unblocked.map(\.line).joined(),
        json: ["unblocked": unblocked.map(\.json)])
}

extension QuarantinedVersion: Versioned {
    /// The line about the end of the block.
    fileprivate var line: String {
        localized("\(identity) is no longer blocked; it \(printable(reason.sentence)).\n")
    }

    var json: JSONText {
        identity.jsonObject + ["sealSHA256": digest, "reason": reason.sentence, "at": timestamp(at)]
    }
}

/// The `hostapp uninstall` command.
let uninstallCommand = HostCommand(
    "uninstall", arguments: [.repeated("ID", atLeastOne: true, kind: .host(.installed))],
    options: [.flag("delete-data"), .flag("cascade")]
) { call in
    let identifiers = try call.installed(in: "ID")
    let deletesData = call.flag("delete-data")
    let report = try await call.transactions.uninstall.run(
        identifiers, deleteData: deletesData, cascade: call.flag("cascade"))
    var lines = report.removed.map {
        deletesData
            ? localized("Removed \($0.identity); its data is deleted.\n")
            : localized("Removed \($0.identity); its data is kept.\n")
    }
    lines += report.erased.map { localized("Deleted the data of \($0), which is not installed.\n") }
    lines += report.unblocked.map(\.line)
    // Each bundle is listed once, removed bundles first.
    let removed = report.removed.map(\.identifier)
    let others = report.erased + report.unblocked.map(\.identifier)
    let gone = others.unique.filter { !removed.contains($0) }
    let members =
        report.removed.map { report.json(of: $0.identifier, $0.version, deletesData) }
        + gone.map { report.json(of: $0, nil, report.erased.contains($0)) }
    // A single identifier is answered with its object instead of a list.
    guard identifiers.count == 1, members.count == 1, let only = members.first else {
        return Answer(text: lines.joined(), json: ["bundles": members])
    }
    return Answer(text: lines.joined(), json: only)
}

extension UninstallReport {
    fileprivate func json(
        of identifier: BundleIdentifier, _ version: SemanticVersion?, _ isDataDeleted: Bool
    ) -> JSONText {
        [
            "identifier": identifier, "version": version, "dataDeleted": isDataDeleted,
            "unblocked": unblocked.filter { $0.identifier == identifier }.map(\.json),
        ]
    }
}

/// The `hostapp autoremove` command.
let autoremoveCommand = HostCommand("autoremove") { call in
    let removed = try await call.transactions.uninstall.removeUnneeded()
    return Answer(
        text: removed.isEmpty
            ? hostText("nothingUnneeded")
            : removed.map { localized("Removed \($0.identity); its data is kept.\n") }.joined(),
        json: ["bundles": removed.map(\.json)])
}

/// The `hostapp gc` command.
let gcCommand = HostCommand("gc", options: [.flag("data")]) { call in
    let report = try await call.transactions.maintenance.collectGarbage(withKeptData: call.flag("data"))
    var text = report.removed.map { localized("Removed \($0.string).\n") }.joined()
    text += report.inUse.map { localized("Kept \($0.string), which a running host uses.\n") }.joined()
    try CrashReportFolder(call.sandbox).trim()
    let unneeded = try call.transactions.uninstall.unneeded().map(\.identity)
    text += unneeded.map { hostText("unneeded", $0) }.joined()
    if !unneeded.isEmpty { text += hostText("autoremoveHint") }
    text += localized("\(byteCount(Int(report.freed))) freed.\n")
    return Answer(
        text: text,
        json: [
            "removed": report.removed, "inUse": report.inUse, "unneeded": unneeded, "freed": Int(report.freed),
        ])
}
