import Registry
import Console
import PluginRuntime
import PluginCore

/// The `hostapp history` command.
let historyCommand = HostCommand(
    description: Command(
        "history", summary: "List what was done to plugins, oldest first.",
        arguments: [.optional("ID", kind: .item(.known), help: "Only what was done to this plugin.")]
    )
) { call in
    let word = call.parsed.argument("ID")
    let identifier = word.flatMap { BundleIdentifier($0) }
    let entries = word != nil && identifier == nil ? [] : try call.manager.registry.history.all(of: identifier)
    if let word, entries.isEmpty {
        let known = try call.manager.registry.history.all().map(\.identifier)
        throw AtriumError(
            .bundleNotInstalled, word, reason: "noHistory",
            nearest: Nearest.identifiers(to: word, in: Set(known).sorted())
        )
    }
    var table = Table([
        Table.Column("WHEN"), Table.Column("WHAT"), Table.Column("IDENTIFIER"), Table.Column("VERSION"),
        Table.Column("BEFORE"), Table.Column("DATA"),
    ])
    for entry in entries {
        table.add([
            timestamp(entry.at), words(for: entry.event), entry.identifier.text, entry.version, entry.before ?? "-",
            entry.dataVersion.map(String.init) ?? "-",
        ])
    }
    return Answer(
        text: table.isEmpty ? localized("The history is empty.\n") : table.rendered(for: call.terminal),
        json: ["history": .array(entries.map(\.json))]
    )
}

private func words(for event: HistoryEntry.Event) -> String {
    event == .rolledBack ? localized("rolled back") : localized(key: event.rawValue)
}
