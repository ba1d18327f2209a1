import PluginCore

/// An extension point for which a template has an extension.
public enum TemplateExtension: String, CaseIterable, Sendable {
    case today, share, action, keyboard
    case photoEditing = "photo-editing"
    case documentProvider = "document-provider"

    /// The end of the extension's module name.
    var word: String {
        switch self {
        case .today: "Widget"
        case .share: "Share"
        case .action: "Action"
        case .keyboard: "Keyboard"
        case .photoEditing: "Editor"
        case .documentProvider: "Documents"
        }
    }

    /// The source of the extension.
    func file(of template: PluginTemplate) -> TemplateFile {
        let name = template.name + word
        return TemplateFile(
            "Sources/\(name)/\(name).swift",
            """
            import PluginCore

            /// Returns the extension's description; this is the only symbol that the extension's process looks up.
            @c(plugin_entry_v2)
            public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(extension: \(name).self) }

            /// The extension, which runs in a process of its own for one request.
            final class \(name): ExtensionDelegate {
                static let point = ExtensionPoints.\(constant)

                init(environment: ExtensionEnvironment) {}

                func beginRequest(_ input: \(types.input), in context: ExtensionContext<\(types.output)>) throws {
            \(body.split(separator: "\n", omittingEmptySubsequences: false).map { "        \($0)" }.joined(separator: "\n"))
                }
            }

            """)
    }

    /// The extension's declaration in the manifest.
    func declaration(in template: PluginTemplate) -> String {
        let activation =
            switch self {
            case .share, .action: ", \"activation\": { \"text\": true, \"webURLs\": { \"max\": 1 } }"
            default: ""
            }
        return """
            { "identifier": "\(template.identifier).\(word.lowercased())", "point": "\(rawValue)", \
            "entry": "lib\(template.name)\(word).so", "name": "\(template.name)"\(activation) }
            """
    }

    private var constant: String {
        switch self {
        case .photoEditing: "photoEditing"
        case .documentProvider: "documentProvider"
        default: rawValue
        }
    }

    private var types: (input: String, output: String) {
        switch self {
        case .today: ("WidgetRequest", "WidgetContent")
        case .share, .action: ("NoValue", "NoValue")
        case .keyboard: ("KeyPress", "TextChange")
        case .photoEditing: ("PhotoEdit", "PhotoEdit")
        case .documentProvider: ("DocumentRequest", "DocumentReply")
        }
    }

    private var body: String {
        switch self {
        case .today:
            """
            try context.completeRequest(
                returning: WidgetContent(title: "Hello", elements: [.text("Hello from a widget.")]))
            """
        case .share:
            """
            // Save what is in context.items, for example in the container of environment.
            context.completeRequest()
            """
        case .action:
            """
            let items = context.items.map { ExtensionItem(title: $0.title, text: $0.text?.uppercased()) }
            context.completeRequest(returning: items)
            """
        case .keyboard: "try context.completeRequest(returning: TextChange(inserting: input.key))"
        case .photoEditing:
            """
            // The picture is the first attachment of the first item; return the edited one in the same place.
            try context.completeRequest(returning: input, items: context.items)
            """
        case .documentProvider:
            """
            switch input {
            case .list: try context.completeRequest(returning: .list([DocumentEntry(identifier: "1", name: "hello.txt", size: 5)]))
            default:
                let text = ExtensionItem(attachments: [ItemAttachment(text: "Hello")])
                try context.completeRequest(returning: .fetched, items: [text])
            }
            """
        }
    }
}
