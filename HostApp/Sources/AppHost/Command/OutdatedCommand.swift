import Registry
import Console
import PluginCore
import PluginRuntime

/// The `hostapp outdated` command.
let outdatedCommand = HostCommand(
    description: Command(
        "outdated", summary: "List available updates, and what prevents them.",
        discussion: """
            For each installed plugin, lists the newest version compatible with the others, the newest available \
            version, and why they differ. Exits with status 77 if this host cannot load an installed plugin; with --check, \
            with status 1 if an update is available.
            """,
        arguments: [
            .repeated(
                "ID", kind: .item(.installed), help: "The plugins' identifiers; by default all installed plugins.")
        ],
        options: [.flag("check", help: "Exit with status 1 if an update is available.")],
        examples: [
            Command.Example("hostapp outdated"),
            Command.Example("hostapp outdated --check --json", "for a script"),
        ]
    )
) { call in
    let identifiers = try call.installed(in: "ID")
    let updateReports = try await call.manager.search { try $0.updateReports(of: identifiers) }
    let unknown = updateReports.first { !$0.isKnown }?.obstacle
    var status = Console.ExitStatus.done
    if call.parsed.flag("check") {
        status = unknown?.exitStatus ?? (updateReports.contains(where: \.isOutdated) ? .different : .done)
    }
    let unloadable = try UnloadableVersions(
        call, of: updateReports.map(\.active.identity.identifier), isApp: false)
    return Answer(
        text: text(of: updateReports, unknown: unknown, for: call.terminal) + unloadable.text,
        json: [
            "bundles": .array(updateReports.map(\.json)), "unloadable": unloadable.json,
            "isKnown": .bool(unknown == nil),
            "problem": unknown?.report.content ?? .null,
        ],
        status: unloadable.status(otherwise: status)
    )
}

private func text(of updateReports: [UpdateReport], unknown: AtriumError?, for terminal: Terminal) -> String {
    guard !updateReports.isEmpty else { return localized("Nothing is installed.\n") }
    var table = Table([
        Table.Column("NAME"), Table.Column("IDENTIFIER"), Table.Column("VERSION"), Table.Column("UPDATE"),
        Table.Column("NEWEST"),
    ])
    for updateReport in updateReports {
        let otherwise = updateReport.isKnown ? "-" : "?"
        let update = updateReport.isOutdated ? updateReport.reachable?.description : nil
        table.add([
            updateReport.active.name, updateReport.active.identity.identifier.text,
            updateReport.active.identity.version.description,
            update ?? otherwise, updateReport.newest?.description ?? otherwise,
        ])
    }
    var lines = table.rendered(for: terminal)
    for updateReport in updateReports where updateReport.isKnown {
        guard let obstacle = updateReport.obstacle, let newest = updateReport.newest else { continue }
        let identity = BundleIdentity(identifier: updateReport.active.identity.identifier, version: newest)
        lines += localized("\n\(identity) cannot be installed: \(printable(obstacle.report.message))\n")
        for detail in obstacle.report.details { lines += "  - \(printable(detail))\n" }
    }
    if let unknown { lines += localized("\nNewer versions are unknown: \(printable(unknown.report.message))\n") }
    return lines
}

extension UpdateReport {
    fileprivate var json: JSONText {
        [
            "name": .string(active.name), "identifier": .string(active.identity.identifier.text),
            "version": .string(active.identity.version.description),
            "update": .string(orNull: isOutdated ? reachable?.description : nil),
            "newest": .string(orNull: newest?.description),
            "isOutdated": isKnown || isOutdated ? .bool(isOutdated) : .null,
            "obstacle": obstacle?.report.content ?? .null, "pin": pin?.json ?? .null,
        ]
    }
}
