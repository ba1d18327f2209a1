import Console
import PluginCore
import PluginRuntime

/// `hostapp update`
let updateCommand = HostCommand(
    description: Command(
        "update", summary: "Bring plugins to the newest version in the catalog.",
        discussion:
            "Without an identifier all installed plugins are updated. The version before is kept to roll back to.",
        arguments: [.repeated("ID", help: "The plugins' identifiers.")],
        examples: [Command.Example("hostapp update com.example.app.shop")]
    )
) { call in
    let named = call.parsed.arguments("ID")
    for identifier in named { _ = try call.manager.requireInstalled(identifier) }
    var reports: [InstallReport] = []
    for identifier in named.isEmpty ? try call.manager.registry.identifiers() : named {
        do {
            reports.append(try await call.manager.update(identifier))
        } catch {
            // The answer will be the failure; what was done before it must not stay unsaid.
            for report in reports where report.isChange { StandardOutput.note(line(for: report)) }
            throw error
        }
    }
    return Answer(
        text: reports.isEmpty ? "Nothing is installed.\n" : reports.map(line).joined(),
        json: ["bundles": .array(reports.map(\.json))]
    )
}

private func line(for report: InstallReport) -> String {
    guard report.isChange else { return "\(report.bundle.identity) is the newest.\n" }
    let before = report.before?.identity.version.description ?? "-"
    return "Updated \(report.bundle.identity.identifier) from \(before) to \(report.bundle.identity.version).\n"
}
