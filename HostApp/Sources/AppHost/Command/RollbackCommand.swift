import Console
import PluginRuntime
import PluginCore

/// `hostapp rollback`
let rollbackCommand = HostCommand(
    description: Command(
        "rollback", summary: "Return plugins to the versions they had before.",
        discussion: """
            Takes effect at once, because those versions are still there; several plugins go back together or not at all. \
            The versions they replace are kept in turn: another rollback returns to them.
            """,
        arguments: [.repeated("ID", atLeastOne: true, help: "The plugins' identifiers.")],
        examples: [Command.Example("hostapp rollback com.example.app.shop")]
    )
) { call in
    let identifiers = call.parsed.arguments("ID")
    let reports = try await call.manager.rollBack(identifiers)
    return Answer(text: reports.map(line).joined(), json: json(of: reports, single: identifiers.count == 1))
}

private func line(for report: InstallReport) -> String {
    let before = report.before?.identity.version.description ?? "-"
    return "Rolled \(report.bundle.identity.identifier) back from \(before) to \(report.bundle.identity.version).\n"
}
