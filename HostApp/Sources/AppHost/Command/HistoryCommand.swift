import Registry
import Console
import PluginRuntime
import PluginCore

/// The `hostapp history` command.
let historyCommand = HostCommand(
    description: Command(
        "history", summary: "List what was done to plugins, oldest first.",
        arguments: [.optional("ID", help: "Only what was done to this plugin.")]
    )
) { call in
    let identifier = call.parsed.argument("ID")
    let entries = try call.manager.registry.history.all(of: identifier)
    if let identifier, entries.isEmpty {
        let known = try call.manager.registry.history.all().map(\.identifier)
        throw AtriumError(
            .bundleNotInstalled, identifier, reason: "noHistory",
            nearest: Nearest.identifiers(to: identifier, in: Set(known).sorted())
        )
    }
    var table = Table([
        Table.Column("WHEN"), Table.Column("WHAT"), Table.Column("IDENTIFIER"), Table.Column("VERSION"),
        Table.Column("BEFORE"),
    ])
    for entry in entries {
        table.add([timestamp(entry.at), words(for: entry.event), entry.identifier, entry.version, entry.before ?? "-"])
    }
    return Answer(
        text: table.isEmpty ? "The history is empty.\n" : table.rendered(for: call.terminal),
        json: ["history": .array(entries.map(\.json))]
    )
}

private func words(for event: HistoryEntry.Event) -> String {
    event == .rolledBack ? "rolled back" : event.rawValue
}
