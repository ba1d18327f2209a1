public import Console
public import PluginCore
import PluginExtension

/// Returns one of the host's longer texts, which are beside those of its help, with values.
func hostText(_ key: String, _ values: Any...) -> String { programText("hostapp", key, values) }

extension HostCall {
    /// Returns the text of a table, or another text in place of an empty one.
    func text(of table: Table, otherwise: String = "") -> String {
        table.isEmpty ? otherwise : table.rendered(for: terminal)
    }

    /// Returns the answer that lists items in a table, and under a name in a document for scripts.
    ///
    /// - Parameters:
    ///   - json: returns an item for the document.
    ///   - otherwise: the text in place of an empty table.
    func listing<Item>(
        _ items: [Item], as name: String, _ json: (Item) -> JSONText, in columns: [Table.Column], otherwise: String,
        _ row: (Item) -> [Table.Cell]
    ) -> Answer {
        Answer(
            text: text(of: Table(columns, rows: items.map(row)), otherwise: otherwise), json: [name: items.map(json)])
    }
}

/// The renderer of pages as JSON.
public enum PageJSON {
    /// Returns the page as an object with the members `title`, `content` and `actions`.
    @MainActor
    public static func render(_ page: any Page) -> JSONText {
        [
            "title": page.title, "content": page.content.compactMap(render),
            "actions": page.actions.map { render($0.description) },
        ]
    }

    private static func render(_ element: PageElement) -> JSONText? {
        switch element {
        case .heading(let text): ["heading": text]
        case .text(let text): ["text": text]
        case .field(let label, let value): ["label": label, "value": value]
        case .list(let rows): ["rows": rows.map(render)]
        case .divider: ["divider": true]
        case .image(let image): ["image": render(image)]
        case .progress(let label, let fraction): ["progress": label, "fraction": fraction?.asFraction]
        case .section(let title, let elements): ["section": title, "content": elements.compactMap(render)]
        case .unknown: nil
        @unknown default: nil
        }
    }

    /// Renders a row, with what it has besides its texts.
    private static func render(_ row: PageRow) -> JSONText {
        var members: JSONText = ["title": row.title, "detail": row.detail]
        if let image = row.image { members = members + ["image": render(image)] }
        if let action = row.action {
            let input = row.input.sorted { $0.key < $1.key }
            members = members + ["action": action, "input": JSONText.object(input.map { ($0.key, .string($0.value)) })]
        }
        return members
    }

    /// Renders what scripts can tell about an image without its pixels.
    private static func render(_ image: PageImage) -> JSONText {
        ["text": image.text, "scale": image.scale, "bytes": image.png.count]
    }

    private static func render(_ field: PageField) -> JSONText {
        var members: JSONText = ["name": field.name, "label": field.label, "initial": field.initial]
        if field.isRequired { members = members + ["required": true] }
        if let range = field.range {
            members = members + ["range": [range.lowerBound, range.upperBound]]
        }
        switch field.kind {
        case .toggle: return members + ["kind": "toggle"]
        case .choice(let options):
            let choices = options.map { ["value": $0.value, "title": $0.title] as JSONText }
            return members + ["kind": "choice", "options": choices]
        default: return members
        }
    }

    private static func render(_ action: PageAction.Description) -> JSONText {
        ["id": action.identifier, "title": action.title, "fields": action.fields.map(render)]
    }
}

/// Converts a handler's result to JSON.
///
/// A value without a JSON representation becomes its description. An optional becomes its wrapped value or null.
func valueJSON(_ value: Any) -> JSONText {
    switch value {
    case is Void: .null
    case let value as any OptionalValue: value.content.map(valueJSON) ?? .null
    case let value as Bool: .bool(value)
    case let value as Int: .integer(value)
    case let value as Double: .number(value)
    case let value as String: .string(value)
    case let value as [Any]: .array(value.map(valueJSON))
    case let value as [String: Any]:
        .object(value.sorted { $0.key < $1.key }.map { ($0.key, valueJSON($0.value)) })
    default: .string(String(describing: value))
    }
}

/// A type-erased view of any optional value.
private protocol OptionalValue {
    var content: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var content: Any? { self }
}
