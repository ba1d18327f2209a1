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
        reports.append(try await call.manager.update(identifier))
    }
    let lines = reports.map { report in
        report.isChange
            ? "Updated \(report.bundle.identity.identifier) from \(report.before?.identity.version.description ?? "-") "
                + "to \(report.bundle.identity.version).\n"
            : "\(report.bundle.identity) is the newest.\n"
    }
    return Answer(
        text: lines.isEmpty ? "Nothing is installed.\n" : lines.joined(),
        json: ["bundles": .array(reports.map(\.json))]
    )
}
