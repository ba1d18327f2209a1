import Console
import ExtensionHost
import PluginCore
import Registry

/// The `hostapp share` command.
let shareCommand = HostCommand(
    description: Command(
        "share", summary: "Send a link, a file or a text to an extension of a plugin.",
        discussion: """
            Lists the extensions that accept the item. With --with, or if only one accepts it, the item is sent to it.
            """,
        arguments: [
            .required(
                "ITEM", kind: .either([.file, .item(.address)]),
                help: "A link, the path of a file, or, with --text, a text.")
        ],
        options: [
            .value(
                "with", short: "w", placeholder: "ID", kind: .item(.extension),
                help: "The extension, by its identifier or the end of it."),
            .flag("text", help: "Treat the item as a text."),
        ],
        examples: [
            Command.Example("hostapp share https://swift.org"),
            Command.Example("hostapp share photo.png --with notes.share"),
        ]
    )
) { call in
    let word = call.parsed.argument("ITEM") ?? ""
    let attachment: ItemAttachment =
        if call.parsed.flag("text") {
            ItemAttachment(text: word)
        } else if (try? ResourceURI(word))?.scheme != nil, word.contains("://") {
            ItemAttachment(url: word)
        } else {
            try call.file(word)
        }
    let items = [ExtensionItem(attachments: [attachment])]
    let point = ExtensionPoints.share
    let accepting = try call.extensions.accepting(items, at: point.identifier)
    let chosen: BundleIdentifier? =
        if let word = call.parsed.value("with") {
            try call.installedExtension(word)
        } else if accepting.count == 1 {
            accepting[0].declaration.identifier
        } else {
            nil
        }
    guard let chosen else {
        var table = Table([Table.Column("EXTENSION"), Table.Column("NAME")])
        for found in accepting { table.add([found.declaration.identifier.text, found.declaration.name]) }
        return Answer(
            text: accepting.isEmpty
                ? localized("No extension accepts this item; \"hostapp extension why ID\" says why.\n")
                : table.rendered(for: call.terminal) + localized("Choose one with --with ID.\n"),
            json: ["extensions": .array(accepting.map(\.json))],
            status: accepting.isEmpty ? .different : .done)
    }
    if !accepting.contains(where: { $0.declaration.identifier == chosen }) {
        let reasons = try call.extensions.activationFailures(of: chosen, for: items)
        throw AtriumError(.extensionInactive, chosen, problems: reasons)
    }
    return try await call.inExtensionSession { extensions in
        _ = try await extensions.run(chosen, at: point, NoValue(), items: items)
        let name = try extensions.extension(chosen).declaration.name
        return Answer(
            text: localized("Sent to \(printable(name)).\n"), json: ["extension": .string(chosen.text), "sent": true])
    }
}
