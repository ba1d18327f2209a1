import ConfinementReporting
import Console
import ExtensionHost
import PluginCore
import PluginIsolation
import Registry

private let identifier = Command.Argument.required(
    "ID", kind: .item(.extension), help: "The extension's identifier, or the end of it.")

/// The `hostapp extension` command.
let extensionCommand = HostCommand(
    description: Command(
        "extension", summary: "List, choose and run the extensions of plugins.",
        discussion: """
            An extension is a part of a plugin that runs in a process of its own, for one request, with the rights that \
            the request needs.
            """,
        examples: [Command.Example("hostapp extension list", "what is installed")],
        subcommands: [
            Command("points", summary: "List the extension points: the places that accept extensions."),
            Command(
                "list", summary: "List the installed extensions.",
                options: [
                    .value(
                        "point", placeholder: "POINT", kind: .item(.extensionPoint),
                        help: "Only those of an extension point.")
                ],
                examples: [Command.Example("hostapp extension list --point share")]),
            Command(
                "run", summary: "Run an extension with the given input.",
                discussion: """
                    Prints the output as JSON. Files that the extension returns are stored with --output.
                    """,
                arguments: [identifier],
                options: [
                    .value("json-input", placeholder: "JSON", help: "The input of the extension point; by default {}."),
                    .value(
                        "output", short: "o", placeholder: "DIR", kind: .folder, help: "The folder for returned files."),
                ] + HostCall.itemOptions,
                examples: [
                    Command.Example("hostapp extension run com.example.app.notes.share --url https://swift.org"),
                    Command.Example(
                        #"hostapp extension run photos.editor -i cat.png --json-input '{"format": "gray", "settings": {}}' -o ."#
                    ),
                ]),
            Command(
                "why", summary: "Say whether an extension accepts an input, and if not, why.",
                arguments: [identifier], options: HostCall.itemOptions,
                examples: [Command.Example("hostapp extension why notes.share --input photo.png")]),
            Command(
                "limits", summary: "Show the limits of an extension's process.", arguments: [identifier]),
            Command("enable", summary: "Offer an extension again.", arguments: [identifier]),
            Command(
                "disable", summary: "Stop offering an extension.",
                discussion: "The choice holds for all versions of the plugin.", arguments: [identifier]),
            Command(
                "move", summary: "Move an extension to a position in the list of its point.",
                arguments: [identifier, .required("POSITION", help: "The new position; 1 is the first.")],
                examples: [Command.Example("hostapp extension move stocks.widget 1")]),
        ]
    )
) { call in
    switch call.parsed.path.last {
    case "points": try points(call)
    case "run": try await run(call)
    case "why": try why(call)
    case "limits": try limits(call)
    case "enable": try setEnabled(true, call)
    case "disable": try setEnabled(false, call)
    case "move": try move(call)
    default: try list(call)
    }
}

extension HostCall {
    /// The extension that the argument names.
    fileprivate var namedExtension: BundleIdentifier {
        get throws(AtriumError) { try installedExtension(parsed.argument("ID") ?? "") }
    }
}

@MainActor
private func points(_ call: HostCall) throws -> Answer {
    var table = Table([
        "POINT", "DECLARED BY", Table.Column("EXTENSIONS", .trailing), Table.Column("REQUEST", .trailing),
        Table.Column("MEMORY", .trailing),
    ])
    var json: [JSONText] = []
    for point in try call.extensions.points() {
        let (identifier, limits) = (point.declaration.identifier, point.declaration.limits)
        let count = try call.extensions.all(at: identifier).count
        let owner = point.bundle?.text
        table.add([
            identifier, owner ?? localized("host"), "\(count)", "\(limits.request) s", byteCount(limits.memory),
        ])
        json.append([
            "point": .string(identifier), "bundle": .string(orNull: owner), "extensions": .integer(count),
            "limits": limits.json,
        ])
    }
    return Answer(text: table.rendered(for: call.terminal), json: ["points": .array(json)])
}

@MainActor
private func list(_ call: HostCall) throws -> Answer {
    let found = try call.extensions.all(at: call.parsed.value("point"))
    var table = Table(["EXTENSION", "NAME", "POINT", "STATE"])
    for one in found {
        table.add([
            one.declaration.identifier.text, one.declaration.name, one.declaration.point,
            one.choice.isEnabled
                ? one.choice.hasContent ? localized("enabled") : localized("nothing to show") : localized("disabled"),
        ])
    }
    return Answer(
        text: table.isEmpty ? localized("No extensions.\n") : table.rendered(for: call.terminal),
        json: ["extensions": .array(found.map(\.json))])
}

@MainActor
private func run(_ call: HostCall) async throws -> Answer {
    let identifier = try call.namedExtension
    let input = CodedValue(json: Array((call.parsed.value("json-input") ?? "{}").utf8))
    let items = try call.items()
    return try await call.inExtensionSession { extensions in
        let result = try await extensions.run(identifier, input: input, items: items)
        let returned = try ReturnedItems(result.items, call)
        return Answer(
            text: printable(result.output.description) + "\n" + returned.text,
            json: [
                "output": .string(result.output.description), "items": returned.json,
                "confinement": .string(result.confinement.description),
            ])
    }
}

@MainActor
private func why(_ call: HostCall) throws -> Answer {
    let identifier = try call.namedExtension
    let found = try call.extensions.extension(identifier)
    var reasons = try call.extensions.activationFailures(of: identifier, for: call.items()).map(\.sentence)
    if !found.choice.isEnabled { reasons.insert(localized("it is disabled"), at: 0) }
    let isOffered = reasons.isEmpty
    let text =
        isOffered
        ? localized("\(identifier) accepts this input.\n")
        : localized("\(identifier) is not offered for this input:\n")
            + reasons.map { "  - \(printable($0))\n" }.joined()
    return Answer(
        text: text,
        json: [
            "extension": .string(identifier.text), "offered": .bool(isOffered), "reasons": .strings(reasons),
        ], status: isOffered ? .done : .different)
}

@MainActor
private func limits(_ call: HostCall) throws -> Answer {
    let identifier = try call.namedExtension
    let limits = try call.extensions.limits(of: call.extensions.extension(identifier))
    var table = Table(["LIMIT", Table.Column("VALUE", .trailing)])
    for (name, value) in limits.words { table.add([name, value]) }
    return Answer(
        text: table.rendered(for: call.terminal),
        json: ["extension": .string(identifier.text), "limits": limits.json])
}

@MainActor
private func setEnabled(_ isEnabled: Bool, _ call: HostCall) throws -> Answer {
    let identifier = try call.namedExtension
    try call.extensions.setEnabled(isEnabled, of: identifier)
    return Answer(
        text: isEnabled ? localized("\(identifier) is enabled.\n") : localized("\(identifier) is disabled.\n"),
        json: ["extension": .string(identifier.text), "enabled": .bool(isEnabled)])
}

@MainActor
private func move(_ call: HostCall) throws -> Answer {
    let identifier = try call.namedExtension
    let word = call.parsed.argument("POSITION") ?? ""
    guard let position = Int(word), position > 0 else {
        throw call.parsed.invalid("<POSITION>", word, [localized("a whole number from 1")])
    }
    try call.extensions.move(identifier, to: position - 1)
    let point = try call.extensions.extension(identifier).declaration.point
    let order = try call.extensions.all(at: point).map(\.declaration.identifier.text)
    return Answer(
        text: order.enumerated().map { "\($0.offset + 1). \($0.element)\n" }.joined(),
        json: ["point": .string(point), "extensions": .strings(order)])
}

extension InstalledExtension {
    /// The extension for scripts.
    var json: JSONText {
        [
            "extension": .string(declaration.identifier.text), "bundle": .string(bundle.text),
            "name": .string(declaration.name), "point": .string(declaration.point),
            "enabled": .bool(choice.isEnabled), "hasContent": .bool(choice.hasContent),
        ]
    }
}

extension ExtensionLimits {
    /// Each limit with its name for scripts, its name for people, and its value for both, in seconds and bytes.
    private var list: [(key: String, name: String, json: JSONText, text: String)] {
        [
            ("start", localized("time to start"), .number(start), "\(start) s"),
            ("request", localized("time for a request"), .number(request), "\(request) s"),
            ("end", localized("time to end"), .number(end), "\(end) s"),
            ("idle", localized("time for which it waits for another request"), .number(idle), "\(idle) s"),
            ("memory", localized("memory"), .integer(memory), byteCount(memory)),
            ("fileSize", localized("size of a file"), .integer(fileSize), byteCount(fileSize)),
            ("openFiles", localized("open files"), .integer(openFiles), "\(openFiles)"),
            ("processorTime", localized("processor time"), .number(processorTime), "\(processorTime) s"),
        ]
    }

    /// The limits for scripts.
    var json: JSONText { .object(list.map { ($0.key, $0.json) }) }

    /// The limits as people read them.
    var words: [(name: String, value: String)] { list.map { ($0.name, $0.text) } }
}
