import Registry
import Console
import PluginCore
import PluginRuntime

/// The `hostapp autoremove` command.
let autoremoveCommand = HostCommand(
    description: Command(
        "autoremove", summary: "Remove plugins that were installed as requirements and are unneeded.",
        discussion: """
            Removes plugins that were installed only because others required them, unless another plugin needs them in \
            its active, staged or previous version. Plugins installed by name stay, and so does all data.
            """,
        examples: [Command.Example("hostapp autoremove")]
    )
) { call in
    let removed = try await call.manager.transactions.uninstall.removeUnneeded()
    return Answer(
        text: removed.isEmpty
            ? localized("Nothing to remove: every plugin was installed by name or is needed.\n")
            : removed.map { localized("Removed \($0.identity); its data is kept.\n") }.joined(),
        json: ["bundles": .array(removed.map { .object($0.jsonMembers) })])
}
