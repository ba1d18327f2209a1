import Registry
import Console
import PluginRuntime
import PluginCore

/// The `hostapp list` command.
let listCommand = HostCommand(
    description: Command("list", summary: "List what is installed.")
) { call in
    let bundles = try call.manager.registry.active.all()
    let pins = Dictionary(try call.manager.registry.pins.all().map { ($0.identifier, $0) }) { $1 }
    let reasons = try call.manager.registry.reasons.all()
    var table = Table([
        Table.Column("NAME"), Table.Column("IDENTIFIER"), Table.Column("VERSION"), Table.Column("PREVIOUS"),
        Table.Column("SIZE", .trailing),
    ])
    for bundle in bundles {
        table.add([
            bundle.active.name, bundle.active.identity.identifier.text, bundle.active.identity.version.description,
            bundle.previous?.identity.version.description ?? "-", byteCount(Int(bundle.active.size)),
        ])
    }
    let pinned = bundles.compactMap { pins[$0.active.identity.identifier] }
    let limits = pinned.map { localized("\($0.identifier) is limited: \($0.words).\n") }.joined()
    let staged = try call.manager.registry.staged.all()
    let waitingForData = try call.manager.registry.staged.waitingForData()
    let waiting = staged.map { bundle in
        waitingForData.contains(bundle.identity.identifier)
            ? localized(
                "\(bundle.identity) is staged; it becomes active when nothing uses the data of the active version.\n")
            : localized("\(bundle.identity) is staged; it becomes active at the next start of a host.\n")
    }.joined()
    // Without any version that may run, a plugin is disabled until its block is lifted or another version is installed.
    let disabled = try call.manager.registry.quarantine.all().filter { blocked in
        !bundles.contains { $0.active.identity.identifier == blocked.identity.identifier }
    }
    let blocks = disabled.map { localized("\($0.identity) is disabled: \(printable($0.reason.sentence)).\n") }.joined()
    let isEmpty = table.isEmpty && disabled.isEmpty
    return Answer(
        text: (isEmpty ? localized("Nothing is installed.\n") : table.isEmpty ? "" : table.rendered(for: call.terminal))
            + limits + waiting + blocks,
        json: [
            "bundles": .array(
                bundles.map { bundle in
                    let identifier = bundle.active.identity.identifier
                    return .object(bundle.jsonMembers(pins[identifier], reasons[identifier]))
                }),
            "staged": .array(staged.map { .object($0.jsonMembers) }),
            "disabled": .array(
                disabled.map {
                    [
                        "identifier": .string($0.identity.identifier.text),
                        "version": .string($0.identity.version.description), "reason": .string($0.reason.sentence),
                    ]
                }),
        ]
    )
}
