import Console
import PluginRuntime
import PluginCore

/// `hostapp uninstall`
let uninstallCommand = HostCommand(
    description: Command(
        "uninstall", summary: "Remove plugins; their data stays unless you say otherwise.",
        discussion: """
            A plugin that others can not do without stays, and they are named. Several plugins go together or not at all.
            """,
        arguments: [.repeated("ID", atLeastOne: true, help: "The plugins' identifiers.")],
        options: [
            .flag("delete-data", help: "Delete what the plugins have kept, too. This can not be undone."),
            .flag("cascade", help: "Remove those plugins too that can not do without them."),
        ],
        examples: [Command.Example("hostapp uninstall com.example.app.shop --delete-data")]
    )
) { call in
    let identifiers = call.parsed.arguments("ID")
    let deletesData = call.parsed.flag("delete-data")
    let removed = try await call.manager.uninstall(
        identifiers, deleteData: deletesData, cascade: call.parsed.flag("cascade"))
    let members = removed.map { bundle -> [(String, JSONText)] in
        [
            ("identifier", .string(bundle.identity.identifier)),
            ("version", .string(bundle.identity.version.description)), ("dataDeleted", .bool(deletesData)),
        ]
    }
    if removed.isEmpty {
        return Answer(
            text: identifiers.map { "Deleted the data of \($0), which is not installed.\n" }.joined(),
            json: [
                "bundles": .array(
                    identifiers.map { ["identifier": .string($0), "version": .null, "dataDeleted": true] })
            ])
    }
    let text = removed.map { "Removed \($0.identity); its data is \(deletesData ? "deleted" : "kept").\n" }.joined()
    guard identifiers.count == 1, members.count == 1, let only = members.first else {
        return Answer(text: text, json: ["bundles": .array(members.map { .object($0) })])
    }
    return Answer(text: text, json: .object(only))
}
