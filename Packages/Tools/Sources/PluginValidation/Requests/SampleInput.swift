import BundleFormat
import ExtensionHost
import FoundationEssentials
import PluginCore
import PluginExtension
import PluginRuntime

/// The input of a request to an extension.
struct SampleInput {
    let `extension`: BundleIdentifier
    let point: String
    var input: CodedValue
    var items: [ExtensionItem] = []

    /// A picture of one pixel.
    private static let picture = Array(
        Data(
            base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAA"
                + "AAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=") ?? Data())

    /// The items that are tried until an activation rule accepts one.
    private static let candidates: [ExtensionItem] = [
        ExtensionItem(title: "Sample", text: "A sample text"),
        ExtensionItem(title: "Sample", attachments: [ItemAttachment(url: "https://example.com/")]),
        file(.png, "sample.png", picture),
        ExtensionItem(attachments: [ItemAttachment(text: "A sample text")]),
        ExtensionItem(text: "A sample text", attachments: [ItemAttachment(url: "https://example.com/")]),
        file(.html, "sample.html", Array("<p>A sample</p>".utf8)),
        file(.jpeg, "sample.jpeg", picture),
        file(.pdf, "sample.pdf", Array("%PDF-1.4".utf8)),
        file(.movie), file(.audio), file(.archive), file(.data),
    ]

    private static func file(_ type: ContentType, _ name: String = "sample", _ bytes: [UInt8] = [0]) -> ExtensionItem {
        ExtensionItem(attachments: [ItemAttachment(types: [type], name: name, content: .bytes(bytes))])
    }

    /// Returns input that an extension accepts by its activation rule; `nil` if none of the samples is accepted.
    @MainActor
    static func accepted(by declaration: ExtensionDeclaration, in host: ValidationHost) throws -> SampleInput? {
        let identifier = declaration.identifier
        func sample(_ input: some Encodable, _ items: [ExtensionItem] = []) throws -> Self {
            Self(extension: identifier, point: declaration.point, input: try CodedValue(input), items: items)
        }
        switch declaration.point {
        case ExtensionPoints.today.identifier: return try sample(WidgetRequest(columns: 40, rows: 6))
        case ExtensionPoints.documentProvider.identifier: return try sample(DocumentRequest.list(folder: ""))
        case ExtensionPoints.keyboard.identifier: return try sample(KeyPress(key: "a", before: "sampl", after: "e"))
        default:
            for item in candidates where try host.extensions.activationFailures(of: identifier, for: [item]).isEmpty {
                guard declaration.point == ExtensionPoints.photoEditing.identifier else {
                    return try sample(NoValue(), [item])
                }
                // Without a rule, the first item is accepted, which is no picture.
                if item.attachments.first?.types.first == .png { return try sample(PhotoEdit(), [item]) }
            }
            return nil
        }
    }

    /// Returns the request that follows a result, such as for the first of the listed documents; `nil` if the result is the last.
    func next(after result: ExtensionResult) -> SampleInput? {
        guard point == ExtensionPoints.documentProvider.identifier,
            case .list(let entries)? = try? result.output.value(as: DocumentReply.self),
            let document = entries.first(where: { $0.size != nil }),
            let input = try? CodedValue(DocumentRequest.fetch(document: document.identifier))
        else { return nil }
        return Self(extension: `extension`, point: point, input: input)
    }

    /// The input as a text for a step.
    var words: String {
        let attachments = items.flatMap(\.attachments).count
        let size = input.json.count > 100 ? "an input of \(input.json.count) bytes" : input.description
        return items.isEmpty ? size : "\(size), \(items.count) items and \(attachments) attachments"
    }
}

extension Garbage {
    /// Texts that are not the JSON of a point's input.
    private static let documents = [
        "", "null", "{}", "[]", "0", "\"\"", "{", "{\"columns\":1e400,\"rows\":1}", "[[[[[[[[", "\u{0}", "true",
    ]

    /// Returns input for the same extension, in which values and contents are random. The types of its items stay, because the host sends
    /// no others.
    mutating func input(like sample: SampleInput) -> SampleInput {
        var input = sample
        input.input = number(below: 4) == 0 ? document() : value(of: sample.point) ?? document()
        input.items = sample.items.map { item($0) }
        if number(below: 8) == 0 { input.items = [] }
        return input
    }

    private mutating func document() -> CodedValue { CodedValue(json: Array(pick(Self.documents).utf8)) }

    /// Returns a valid value of a standard point's input.
    private mutating func value(of point: String) -> CodedValue? {
        let sizes = [0, -1, 1, 2, 1000, .min, .max]
        switch point {
        case ExtensionPoints.today.identifier:
            return try? CodedValue(WidgetRequest(columns: pick(sizes), rows: pick(sizes)))
        case ExtensionPoints.photoEditing.identifier:
            return try? CodedValue(PhotoEdit(format: text(), settings: [text(): text()]))
        case ExtensionPoints.documentProvider.identifier:
            let isList = number(below: 2) == 0
            return try? CodedValue(isList ? DocumentRequest.list(folder: text()) : .fetch(document: text()))
        case ExtensionPoints.keyboard.identifier:
            return try? CodedValue(KeyPress(key: text(), before: text(), after: text()))
        default: return nil
        }
    }

    private mutating func item(_ item: ExtensionItem) -> ExtensionItem {
        ExtensionItem(
            title: item.title.map { _ in text() }, text: item.text.map { _ in text() },
            attachments: item.attachments.map { attachment in
                ItemAttachment(types: attachment.types, name: attachment.name, content: .bytes(content(attachment)))
            })
    }

    /// Returns other bytes for an attachment: its own with errors, or random ones.
    private mutating func content(_ attachment: ItemAttachment) -> [UInt8] {
        guard case .bytes(var bytes) = attachment.content, number(below: 4) > 0 else { return Array(text().utf8) }
        if number(below: 2) == 0 { bytes = Array(bytes.prefix(number(below: bytes.count + 1))) }
        for _ in 0..<number(below: 4) where !bytes.isEmpty {
            bytes[number(below: bytes.count)] = UInt8(number(below: 256))
        }
        return bytes
    }
}
