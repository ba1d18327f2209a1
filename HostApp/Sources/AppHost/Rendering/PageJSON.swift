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
        case .list(let rows):
            ["rows": .array(rows.map { ["title": .string($0.title), "detail": .string($0.detail)] })]
        case .divider: ["divider": true]
        @unknown default: nil
        }
    }

    private static func render(_ action: PageAction) -> JSONText {
        [
            "id": .string(action.identifier), "title": .string(action.title),
            "fields": .array(
                action.fields.map {
                    ["name": .string($0.name), "label": .string($0.label), "initial": .string($0.initial)]
                }
            ),
        ]
    }
}
