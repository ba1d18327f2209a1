import PluginIsolation
import Console
import ExtensionHost
import FoundationEssentials
import PluginCore
import PluginExtension

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
    /// are added to the answer.
    func inExtensionSession(
        _ body: @escaping @MainActor (ExtensionManager) async throws -> Answer
    ) async throws -> Answer {
        if session != nil { return try await body(extensions) }
        let transcript = Transcript(self)
        return try await inSession(sessionComposition(), onNotice: transcript.notice) { [self] session in
            let answer = try await body(extensions)
            return await transcript.adding(session.top, to: answer)
        }
    }

    /// Returns the items that the options describe: one item with all attachments, or none.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` for a file that cannot be opened.
    func items() throws -> [ExtensionItem] {
        let texts = parsed.values("text").map { ItemAttachment(text: $0) }
        let links = parsed.values("url").map { ItemAttachment(url: $0) }
        let files = try parsed.values("input").map { try file($0) }
        let attachments = texts + links + files
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

    /// Stores the files of the items in the folder of the option `--output`.
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
