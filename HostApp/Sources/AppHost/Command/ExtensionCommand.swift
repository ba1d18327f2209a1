import ConfinementReporting
import Console
import ExtensionHost
import FoundationEssentials
import HostSystem
import PluginCore
import PluginExtension
import PluginIsolation

private let identifier = Command.Argument.required("ID", kind: .host(.extension))

/// The `hostapp extension` command.
let extensionCommand = HostCommand(
    "extension",
    subcommands: [
        extensionPoints, extensionList, extensionRun, extensionWhy, extensionLimits, enabling(true), enabling(false),
        extensionMove,
    ])

extension HostCall {
    /// The extension that the argument names.
    fileprivate var namedExtension: BundleIdentifier {
        get throws(AtriumError) { try installedExtension(argument("ID")) }
    }
}

extension InstalledExtension {
    /// The extension for scripts.
    var json: JSONText {
        [
            "extension": declaration.identifier, "bundle": bundle, "name": declaration.name,
            "point": declaration.point, "enabled": choice.isEnabled, "hasContent": choice.hasContent,
        ]
    }
}

extension ExtensionLimits {
    /// Each limit with its name, and its value for scripts and for people, in seconds and bytes.
    fileprivate var list: [(key: String, json: any JSONConvertible, text: String)] {
        [
            ("start", start, "\(start) s"),
            ("request", request, "\(request) s"),
            ("end", end, "\(end) s"),
            ("idle", idle, "\(idle) s"),
            ("memory", memory, byteCount(memory)),
            ("fileSize", fileSize, byteCount(fileSize)),
            ("openFiles", openFiles, "\(openFiles)"),
            ("processorTime", processorTime, "\(processorTime) s"),
        ]
    }

    /// The limits for scripts.
    var json: JSONText { .object(list.map { ($0.key, $0.json.json) }) }
}

private let extensionPoints = HostCommand("points") { call in
    var table = Table([
        "POINT", "DECLARED BY", .init("EXTENSIONS", .trailing), .init("REQUEST", .trailing),
        .init("MEMORY", .trailing),
    ])
    var json: [JSONText] = []
    for point in try call.extensions.points() {
        let (identifier, limits) = (point.declaration.identifier, point.declaration.limits)
        let count = try call.extensions.all(at: identifier).count
        let owner = point.bundle?.text
        table.add([
            identifier, owner ?? localized("host"), count, "\(limits.request) s", byteCount(limits.memory),
        ])
        json.append(["point": identifier, "bundle": owner, "extensions": count, "limits": limits.json])
    }
    return Answer(text: call.text(of: table), json: ["points": json])
}

private let extensionList = HostCommand(
    "list", options: [.value("point", placeholder: "POINT", kind: .host(.extensionPoint))]
) { call in
    call.listing(
        try call.extensions.all(at: call.value("point")), as: "extensions", \.json,
        in: ["EXTENSION", "NAME", "POINT", "STATE"], otherwise: localized("No extensions.\n")
    ) { one in
        [
            one.declaration.identifier, one.declaration.name, one.declaration.point,
            one.choice.isEnabled
                ? one.choice.hasContent ? localized("enabled") : localized("nothing to show") : localized("disabled"),
        ]
    }
}

private let extensionRun = HostCommand(
    "run", arguments: [identifier],
    options: [
        .value("json-input", placeholder: "JSON"),
        .value("output", short: "o", placeholder: "DIR", kind: .folder), .tap,
    ] + HostCall.itemOptions
) { call in
    let identifier = try call.namedExtension
    let input = CodedValue(json: Array((call.value("json-input") ?? "{}").utf8))
    let items = try call.items()
    return try await call.inExtensionSession { extensions in
        let result = try await extensions.run(identifier, input: input, items: items, on: call.session?.stack)
        let returned = try ReturnedItems(result.items, call)
        return Answer(
            text: printable(result.output.description) + "\n" + returned.text,
            json: [
                "output": result.output.description, "items": returned.json,
                "confinement": result.confinement.description,
            ])
    }
}

private let extensionWhy = HostCommand("why", arguments: [identifier], options: HostCall.itemOptions) { call in
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
        text: text, json: ["extension": identifier, "offered": isOffered, "reasons": reasons],
        status: isOffered ? .done : .different)
}

private let extensionLimits = HostCommand("limits", arguments: [identifier]) { call in
    let identifier = try call.namedExtension
    let limits = try call.extensions.limits(of: call.extensions.extension(identifier))
    let table = Table(
        ["LIMIT", .init("VALUE", .trailing)], rows: limits.list.map { [hostText("limit \($0.key)"), $0.text] })
    return Answer(text: call.text(of: table), json: ["extension": identifier, "limits": limits.json])
}

private func enabling(_ isEnabled: Bool) -> HostCommand {
    HostCommand(isEnabled ? "enable" : "disable", arguments: [identifier]) { call in
        let identifier = try call.namedExtension
        try call.extensions.setEnabled(isEnabled, of: identifier)
        return Answer(
            text: isEnabled ? localized("\(identifier) is enabled.\n") : localized("\(identifier) is disabled.\n"),
            json: ["extension": identifier, "enabled": isEnabled])
    }
}

private let extensionMove = HostCommand("move", arguments: [identifier, .required("POSITION")]) { call in
    let identifier = try call.namedExtension
    let word = call.argument("POSITION")
    guard let position = Int(word), position > 0 else {
        throw call.parsed.invalid("<POSITION>", word, [localized("a whole number from 1")])
    }
    try call.extensions.move(identifier, to: position - 1)
    let point = try call.extensions.extension(identifier).declaration.point
    let order = try call.extensions.all(at: point).map(\.declaration.identifier.text)
    return Answer(
        text: order.enumerated().map { "\($0.offset + 1). \($0.element)\n" }.joined(),
        json: ["point": point, "extensions": order])
}

extension HostCall {
    /// The options that describe the items of a request to an extension.
    nonisolated static let itemOptions: [Command.Option] = [
        .value("text", placeholder: "TEXT", repeatable: true),
        .value("url", placeholder: "URL", repeatable: true, kind: .host(.address)),
        .value("input", short: "i", placeholder: "FILE", repeatable: true, kind: .file),
    ]

    /// Runs a body with the extensions of the open session or a new one, whose router opens the addresses that extensions ask for.
    ///
    /// All processes of extensions are ended with a new session. Its last page, which the user would otherwise never see, and its notices
    /// are added to the answer. On the page of an extension, the actions of `--tap` are performed.
    ///
    /// - Returns: The answer; nil in an open session if a page of the extension waits for the user.
    func inExtensionSession(
        _ body: @escaping @MainActor (ExtensionManager) async throws -> Answer
    ) async throws -> Answer? {
        let request: @MainActor () async throws -> Answer = { [self] in try await body(extensions) }
        if let session { return try await session.run(request) as? Answer }
        let transcript = Transcript(self)
        return try await inSession(sessionComposition(), onNotice: transcript.notice) { [self] session in
            let answer = try await session.run(request) as? Answer
            let taps = parsed.values("tap")
            if let answer, taps.isEmpty { return await transcript.adding(session.top, to: answer) }
            try await transcript.step(nil, in: session) { answer }
            for tap in taps { try await transcript.tap(Tap(tap), in: session) }
            return transcript.answer(of: session.top)
        }
    }

    /// Returns the items that the options describe: one item with all attachments, or none.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` for a file that cannot be opened.
    func items() throws -> [ExtensionItem] {
        let texts = parsed.values("text").map { ItemAttachment(text: $0) }
        let links = parsed.values("url").map { ItemAttachment(url: $0) }
        let attachments = texts + links + (try parsed.values("input").map(file))
        return attachments.isEmpty ? [] : [ExtensionItem(attachments: attachments)]
    }

    /// Returns an attachment for a file, with the type that its name says.
    func file(_ path: String) throws -> ItemAttachment {
        let path = try resolve(path)
        let suffix = path.lastComponent.split(separator: ".").dropFirst().last.map(String.init) ?? ""
        return try ItemAttachment(opening: path, as: [ContentType(filenameExtension: suffix) ?? .data])
    }

    /// Returns the extension that an argument names: its identifier, or the end of it.
    func installedExtension(_ word: String) throws(AtriumError) -> BundleIdentifier {
        let known = try extensions.all().map(\.declaration.identifier)
        if let identifier = BundleIdentifier(word), known.contains(identifier) { return identifier }
        let ending = known.filter { $0.text.hasSuffix(".\(word)") }
        if let only = ending.first, ending.count == 1 { return only }
        throw AtriumError(.extensionUnknown, word, nearest: Nearest.identifiers(to: word, in: known))
    }
}

/// The items that an extension has returned, with their files stored in a folder.
@MainActor
struct ReturnedItems {
    private(set) var text = ""
    private(set) var json: [JSONText] = []

    /// The largest returned content that is shown as text, in bytes.
    private static let shownLimit = 64 << 10

    /// Stores the files of the items in the folder of the option `--output`, which is created if it does not exist.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    init(_ items: [ExtensionItem], _ call: HostCall) throws {
        for item in items {
            if let title = item.title { text += printable(title) + "\n" }
            if let words = item.text { text += printable(words, keepingLines: true) + "\n" }
            let attachments = try item.attachments.enumerated().map { try add($1, number: $0 + 1, call) }
            json.append(["title": item.title, "text": item.text, "attachments": attachments])
        }
    }

    private mutating func add(_ attachment: ItemAttachment, number: Int, _ call: HostCall) throws -> JSONText {
        let types = attachment.types.map(\.identifier)
        let isText = attachment.types.contains { $0.conforms(to: .text) || $0.conforms(to: .url) }
        guard let folder = call.value("output") else {
            let size = try attachment.size
            let words = isText && size <= Self.shownLimit ? try attachment.loadText() : nil
            text +=
                (words.map { printable($0, keepingLines: true) }
                    ?? "\(attachment.name ?? localized("a file")): \(byteCount(size))")
                + "\n"
            return ["types": types, "size": size, "text": words]
        }
        // Only the last component, because the extension could name any path.
        let name = attachment.name.map { FilePath($0).lastComponent } ?? "item-\(number)"
        let isPlain = !name.isEmpty && name != "." && name != ".."
        let path = try call.resolve(folder).appending(isPlain ? name : "item-\(number)")
        try FileSystem.makeFolders(path.parent)
        let content = Data(try attachment.load())
        do {
            try content.write(to: URL(filePath: path.string), options: .withoutOverwriting)
        } catch {
            throw AtriumError(.inputOutput, path.string, reason: .verbatim("\(error)"))
        }
        text += "\(printable(path.string))\n"
        return ["types": types, "path": path]
    }
}
