public import Console
public import PluginCore

/// A value that a document for scripts can contain.
protocol JSONConvertible {
    var json: JSONText { get }
}

/// A value that is an object in a document for scripts.
protocol JSONObject: JSONConvertible {
    var jsonMembers: JSONMembers { get }
}

extension JSONObject {
    var json: JSONText { .object(jsonMembers.list) }
}

/// The members of a JSON object, in the order of output.
///
/// ```swift
/// let members: JSONMembers = ["name": name, "version": version, "pin": pin]
/// ```
struct JSONMembers: JSONObject, ExpressibleByDictionaryLiteral, Sendable {
    fileprivate var list: [(String, JSONText)] = []

    init(dictionaryLiteral elements: (String, any JSONConvertible)...) { list = elements.map { ($0, $1.json) } }

    /// Creates members whose names are not known in the source.
    init(_ list: [(String, JSONText)]) { self.list = list }

    var jsonMembers: JSONMembers { self }

    static func + (one: JSONMembers, other: JSONMembers) -> JSONMembers { JSONMembers(one.list + other.list) }
    static func += (one: inout JSONMembers, other: JSONMembers) { one = one + other }
}

extension Answer {
    /// Creates an answer whose document is an object.
    init(text: String, json: JSONMembers, status: ExitStatus = .done) {
        self.init(text: text, json: json.json, status: status)
    }
}

extension HostCall {
    /// Returns the text of a table, or another text in place of an empty one.
    func text(of table: Table, otherwise: String = "") -> String {
        table.isEmpty ? otherwise : table.rendered(for: terminal)
    }

    /// Returns the answer that lists items in a table, and under a name in a document for scripts.
    ///
    /// - Parameter otherwise: the text in place of an empty table.
    func listing<Item: JSONConvertible>(
        _ items: [Item], as name: String, in table: Table, otherwise: String, _ row: (Item) -> [String]
    ) -> Answer {
        var table = table
        for item in items { table.add(row(item)) }
        return Answer(text: text(of: table, otherwise: otherwise), json: [name: items])
    }
}

extension JSONText: JSONConvertible {
    var json: JSONText { self }
}

extension Bool: JSONConvertible {
    var json: JSONText { .bool(self) }
}

extension Int: JSONConvertible {
    var json: JSONText { .integer(self) }
}

extension Double: JSONConvertible {
    var json: JSONText { .number(self) }
}

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
    var json: JSONText { self?.json ?? .null }
}

extension Array: JSONConvertible where Element: JSONConvertible {
    var json: JSONText { .array(map(\.json)) }
}

extension JSONConvertible where Self: CustomStringConvertible {
    var json: JSONText { .string(description) }
}

extension String: JSONConvertible {}
extension SemanticVersion: JSONConvertible {}
extension BundleIdentifier: JSONConvertible {}
extension BundleIdentity: JSONConvertible {}
extension FilePath: JSONConvertible {}
extension RouteDeclaration: JSONConvertible {}
extension TargetDeclaration: JSONConvertible {}
extension BundleRequirement: JSONConvertible {}
extension ExtensionDeclaration: JSONConvertible {}
extension ExtensionPointDeclaration: JSONConvertible {}

extension ErrorReason: JSONConvertible {
    var json: JSONText { .string(sentence) }
}

/// The renderer of pages as JSON.
public enum PageJSON {
    /// Returns the page as an object with the members `title`, `content` and `actions`.
    @MainActor
    public static func render(_ page: any Page) -> JSONText {
        let members: JSONMembers = [
            "title": page.title, "content": page.content.compactMap(render), "actions": page.actions.map(render),
        ]
        return members.json
    }

    private static func render(_ element: PageElement) -> JSONMembers? {
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
    private static func render(_ row: PageRow) -> JSONMembers {
        var members: JSONMembers = ["title": row.title, "detail": row.detail]
        if let image = row.image { members += ["image": render(image)] }
        if let action = row.action {
            let input = row.input.sorted { $0.key < $1.key }
            members += ["action": action, "input": JSONMembers(input.map { ($0.key, .string($0.value)) })]
        }
        return members
    }

    /// Renders what scripts can tell about an image without its pixels.
    private static func render(_ image: PageImage) -> JSONMembers {
        ["text": image.text, "scale": image.scale, "bytes": image.png.count]
    }

    private static func render(_ field: PageField) -> JSONMembers {
        let members: JSONMembers = ["name": field.name, "label": field.label, "initial": field.initial]
        switch field.kind {
        case .toggle: return members + ["kind": "toggle"]
        case .choice(let options):
            let choices = options.map { ["value": $0.value, "title": $0.title] as JSONMembers }
            return members + ["kind": "choice", "options": choices]
        default: return members
        }
    }

    private static func render(_ action: PageAction) -> JSONMembers {
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
