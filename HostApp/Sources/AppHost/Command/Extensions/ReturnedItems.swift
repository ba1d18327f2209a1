import Console
import FoundationEssentials
import PluginCore

/// The items that an extension has returned, with their files stored in a folder.
@MainActor
struct ReturnedItems {
    private(set) var text = ""
    private var list: [JSONText] = []
    var json: JSONText { .array(list) }

    /// The largest returned content that is shown as text, in bytes.
    private static let shownLimit = 64 << 10

    /// Stores the files of the items in the folder of the option `--output`.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    init(_ items: [ExtensionItem], _ call: HostCall) throws {
        for item in items {
            if let title = item.title { text += printable(title) + "\n" }
            if let words = item.text { text += printable(words, keepingLines: true) + "\n" }
            var attachments: [JSONText] = []
            for (index, attachment) in item.attachments.enumerated() {
                attachments.append(try add(attachment, number: index + 1, call))
            }
            list.append([
                "title": .string(orNull: item.title), "text": .string(orNull: item.text),
                "attachments": .array(attachments),
            ])
        }
    }

    private mutating func add(_ attachment: ItemAttachment, number: Int, _ call: HostCall) throws -> JSONText {
        let types = attachment.types.map { JSONText.string($0.identifier) }
        let isText = attachment.types.contains { $0.conforms(to: .text) || $0.conforms(to: .url) }
        guard let folder = call.parsed.value("output") else {
            let size = try attachment.size
            let words = isText && size <= Self.shownLimit ? try attachment.loadText() : nil
            text +=
                (words.map { printable($0, keepingLines: true) }
                    ?? "\(attachment.name ?? localized("a file")): \(byteCount(size))")
                + "\n"
            return ["types": .array(types), "size": .integer(size), "text": .string(orNull: words)]
        }
        // Only the last component, because the extension could name any path.
        let name = attachment.name.map { FilePath($0).lastComponent } ?? "item-\(number)"
        let isPlain = !name.isEmpty && name != "." && name != ".."
        let path = try call.resolve(folder).appending(isPlain ? name : "item-\(number)")
        do {
            try Data(attachment.load()).write(to: URL(filePath: path.string), options: .withoutOverwriting)
        } catch let error as AtriumError {
            throw error
        } catch {
            throw AtriumError(.inputOutput, path.string, reason: .verbatim("\(error)"))
        }
        text += "\(printable(path.string))\n"
        return ["types": .array(types), "path": .string(path.string)]
    }
}
