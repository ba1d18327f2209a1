import Console
import PluginRuntime
import PluginCore

/// `hostapp rollback`
let rollbackCommand = HostCommand(
    description: Command(
        "rollback", summary: "Return a plugin to the version it had before.",
        discussion: """
            Takes effect at once, because that version is still there. The version it replaces is kept in turn: another \
            rollback returns to it.
            """,
        arguments: [.required("ID", help: "The plugin's identifier.")],
        examples: [Command.Example("hostapp rollback com.example.app.shop")]
    )
) { call in
    let report = try await call.manager.rollBack(call.parsed.argument("ID") ?? "")
    let before = report.before?.identity.version.description ?? "-"
    return Answer(
        text: "Rolled \(report.bundle.identity.identifier) back from \(before) to \(report.bundle.identity.version).\n",
        json: report.json
    )
}
