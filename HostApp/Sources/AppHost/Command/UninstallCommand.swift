import Console
import PluginRuntime
import PluginCore

/// `hostapp uninstall`
let uninstallCommand = HostCommand(
    description: Command(
        "uninstall", summary: "Remove a plugin; its data stays unless you say otherwise.",
        arguments: [.required("ID", help: "The plugin's identifier.")],
        options: [.flag("delete-data", help: "Delete what the plugin has kept, too. This can not be undone.")],
        examples: [Command.Example("hostapp uninstall com.example.app.shop --delete-data")]
    )
) { call in
    let identifier = call.parsed.argument("ID") ?? ""
    let deletesData = call.parsed.flag("delete-data")
    let removed = try await call.manager.uninstall(identifier, deleteData: deletesData)
    return Answer(
        text: "Removed \(removed.identity); its data is \(deletesData ? "deleted" : "kept").\n",
        json: [
            "identifier": .string(identifier), "version": .string(removed.identity.version.description),
            "dataDeleted": .bool(deletesData),
        ]
    )
}
