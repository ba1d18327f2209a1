import Console
import PluginRuntime
import PluginCore

/// `hostapp list`
let listCommand = HostCommand(
    description: Command("list", summary: "List what is installed.")
) { call in
    let bundles = try call.manager.registry.installed()
    var table = Table([
        Table.Column("NAME"), Table.Column("IDENTIFIER"), Table.Column("VERSION"), Table.Column("PREVIOUS"),
        Table.Column("SIZE", .trailing),
    ])
    for bundle in bundles {
        table.add([
            bundle.active.name, bundle.active.identity.identifier, bundle.active.identity.version.description,
            bundle.previous?.identity.version.description ?? "-", byteCount(Int(bundle.active.size)),
        ])
    }
    let staged = try call.manager.registry.staged()
    let waiting = staged.map { "\($0.identity) is staged: active when a host starts next.\n" }.joined()
    return Answer(
        text: (table.isEmpty ? "Nothing is installed.\n" : table.rendered(for: call.terminal)) + waiting,
        json: [
            "bundles": .array(bundles.map { .object($0.jsonMembers) }),
            "staged": .array(staged.map { .object($0.jsonMembers) }),
        ]
    )
}
