import Registry
import Console
import PluginRuntime
import PluginCore

/// The `hostapp rollback` command.
let rollbackCommand = HostCommand(
    description: Command(
        "rollback", summary: "Return plugins to their previous versions.",
        discussion: """
            Takes effect at once, because the previous versions are still installed; several plugins are rolled back \
            together or not at all. A version with another data version starts when the open pages of the newer one are \
            closed. The bundle that contains bundle.json takes its members along. The replaced versions are kept: another rollback returns to them. An update does \
            not: each plugin stays until a version newer than the one it was rolled back from is available, or until \
            "hostapp unpin".
            """,
        arguments: [.repeated("ID", atLeastOne: true, kind: .item(.installed), help: "The plugins' identifiers.")],
        examples: [Command.Example("hostapp rollback com.example.app.shop")]
    )
) { call in
    let identifiers = try call.installed(in: "ID")
    let reports = try await call.manager.transactions.rollback.run(identifiers)
    let lines = try reports.map { report in
        try line(for: report, call.manager.registry.pins.pin(of: report.bundle.identity.identifier))
    }
    return Answer(text: lines.joined(), json: json(of: reports, single: identifiers.count == 1))
}

private func line(for report: InstallReport, _ pin: VersionPin?) -> String {
    let before = report.before?.identity.version.description ?? "-"
    let identity = report.bundle.identity
    let end = pin?.skippedThrough.map {
        localized(
            " It stays there until a version newer than \($0) is available, or \"hostapp unpin \(identity.identifier)\"."
        )
    }
    return localized("Rolled \(identity.identifier) back from \(before) to \(identity.version).\(end ?? "")\n")
}
