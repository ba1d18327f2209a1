import Registry
import Console
import PluginRuntime
import PluginCore

/// The `hostapp uninstall` command.
let uninstallCommand = HostCommand(
    description: Command(
        "uninstall", summary: "Remove plugins, but keep their data by default.",
        discussion: """
            A plugin that others require is not removed, and they are listed. Several plugins are removed together or \
            not at all. Blocks on versions that crashed the host are removed too, also for a plugin that is no longer \
            installed.
            """,
        arguments: [.repeated("ID", atLeastOne: true, kind: .item(.installed), help: "The plugins' identifiers.")],
        options: [
            .flag("delete-data", help: "Also delete the plugins' data. This cannot be undone."),
            .flag("cascade", help: "Also remove the plugins that require them."),
        ],
        examples: [Command.Example("hostapp uninstall com.example.app.shop --delete-data")]
    )
) { call in
    let identifiers = try call.installed(in: "ID")
    let deletesData = call.parsed.flag("delete-data")
    let report = try await call.manager.transactions.uninstall.run(
        identifiers, deleteData: deletesData, cascade: call.parsed.flag("cascade"))
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
    let gone = others.reduce(into: [BundleIdentifier]()) {
        if !removed.contains($1), !$0.contains($1) { $0.append($1) }
    }
    let members =
        report.removed.map { report.jsonMembers(of: $0.identity.identifier, $0.identity.version, deletesData) }
        + gone.map { report.jsonMembers(of: $0, nil, report.erased.contains($0)) }
    // A single identifier is answered with its object instead of a list.
    guard identifiers.count == 1, members.count == 1, let only = members.first else {
        return Answer(text: lines.joined(), json: ["bundles": .array(members.map { .object($0) })])
    }
    return Answer(text: lines.joined(), json: .object(only))
}

extension UninstallReport {
    fileprivate func jsonMembers(
        of identifier: BundleIdentifier, _ version: SemanticVersion?, _ isDataDeleted: Bool
    ) -> [(String, JSONText)] {
        [
            ("identifier", .string(identifier.text)), ("version", .string(orNull: version?.description)),
            ("dataDeleted", .bool(isDataDeleted)),
            ("unblocked", .array(unblocked.filter { $0.identity.identifier == identifier }.map(\.json))),
        ]
    }
}
