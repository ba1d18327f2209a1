import Registry
import Console
import PluginCore
import PluginRuntime

/// The `hostapp autoremove` command.
let autoremoveCommand = HostCommand(
    description: Command(
        "autoremove", summary: "Remove plugins that came along with others and that nothing needs any more.",
        discussion: """
            A plugin that is installed only because another one requires it stays when that one is removed. This removes \
            such plugins, unless another plugin needs them in the version that is active, staged or kept to roll back to. What \
            was installed by name stays, and so does all data.
            """,
        examples: [Command.Example("hostapp autoremove")]
    )
) { call in
    let removed = try await call.manager.removeUnneeded()
    return Answer(
        text: removed.isEmpty
            ? "Nothing to remove: every plugin was installed by name or is needed.\n"
            : removed.map { "Removed \($0.identity); its data is kept.\n" }.joined(),
        json: ["bundles": .array(removed.map { .object($0.jsonMembers) })])
}
