public import Console
public import PluginCore

/// The renderer of pages as JSON.
public enum PageJSON {
    /// Returns the page as an object with the members `title`, `content` and `actions`.
    @MainActor
    public static func render(_ page: any Page) -> JSONText {
        [
            "title": .string(page.title),
            "content": .array(page.content.compactMap(render)),
            "actions": .array(page.actions.map(render)),
        ]
    }

    private static func render(_ element: PageElement) -> JSONText? {
        switch element {
        case .heading(let text): ["heading": .string(text)]
        case .text(let text): ["text": .string(text)]
        case .field(let label, let value): ["label": .string(label), "value": .string(value)]
        case .list(let rows): ["rows": .array(rows.map(render))]
        case .divider: ["divider": true]
        case .image(let image): ["image": render(image)]
        case .progress(let label, let fraction):
            ["progress": .string(label), "fraction": (fraction?.asFraction).map { .number($0) } ?? .null]
        case .section(let title, let elements):
            ["section": .string(title), "content": .array(elements.compactMap(render))]
        case .unknown: nil
        @unknown default: nil
        }
    }

    /// Renders a row, with what it has besides its texts.
    private static func render(_ row: PageRow) -> JSONText {
        var members: [(String, JSONText)] = [("title", .string(row.title)), ("detail", .string(row.detail))]
        if let image = row.image { members.append(("image", render(image))) }
        if let action = row.action {
            let input = row.input.sorted { $0.key < $1.key }
            members.append(("action", .string(action)))
            members.append(("input", .object(input.map { ($0.key, .string($0.value)) })))
        }
        return .object(members)
    }

    /// Renders what scripts can tell about an image without its pixels.
    private static func render(_ image: PageImage) -> JSONText {
        ["text": .string(image.text), "scale": .integer(image.scale), "bytes": .integer(image.png.count)]
    }

    private static func render(_ field: PageField) -> JSONText {
        var members: [(String, JSONText)] = [
            ("name", .string(field.name)), ("label", .string(field.label)), ("initial", .string(field.initial)),
        ]
        switch field.kind {
        case .toggle: members.append(("kind", "toggle"))
        case .choice(let options):
            members.append(("kind", "choice"))
            members.append(
                ("options", .array(options.map { ["value": .string($0.value), "title": .string($0.title)] })))
        default: break
        }
        return .object(members)
    }

    private static func render(_ action: PageAction) -> JSONText {
        [
            "id": .string(action.identifier), "title": .string(action.title),
            "fields": .array(action.fields.map(render)),
        ]
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
