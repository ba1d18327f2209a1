import Doctor
import Registry
import Console
import CrashReports
import PluginCore
import PluginRuntime

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
    lines += report.unblocked.map {
        localized("\($0.identity) is no longer blocked; it \(printable($0.reason.sentence)).\n")
    }
    // Each bundle is listed once, removed bundles first.
    let removed = report.removed.map(\.identity.identifier)
    let others = report.erased + report.unblocked.map(\.identity.identifier)
    let gone = others.unique.filter { !removed.contains($0) }
    let members =
        report.removed.map { report.json(of: $0.identity.identifier, $0.identity.version, deletesData) }
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
            "unblocked": unblocked.filter { $0.identity.identifier == identifier }.map(\.json),
        ]
    }
}

/// The `hostapp autoremove` command.
let autoremoveCommand = HostCommand("autoremove") { call in
    let removed = try await call.transactions.uninstall.removeUnneeded()
    return Answer(
        text: removed.isEmpty
            ? localized("Nothing to remove: every plugin was installed by name or is needed.\n")
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
    text += unneeded.map { localized("\($0) was installed as a requirement, and is no longer needed.\n") }.joined()
    if !unneeded.isEmpty { text += localized("\"hostapp autoremove\" removes such plugins.\n") }
    text += localized("\(byteCount(Int(report.freed))) freed.\n")
    return Answer(
        text: text,
        json: [
            "removed": report.removed, "inUse": report.inUse,
            "unneeded": unneeded, "freed": Int(report.freed),
        ]
    )
}
