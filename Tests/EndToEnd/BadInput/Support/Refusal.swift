import PluginTestKit
import Testing

/// What a command that does not do what was asked has to say for itself, word for word. In its texts, `SANDBOX` and
/// `CATALOG` stand for the paths of the scene.
struct Refusal: Sendable {
    var status: Int32
    var code: String
    var subject: String
    var message: String
    var remedy: String
    var details: [String] = []
    var plugin: Plugin?

    /// The plugin that a failure came out of.
    struct Plugin: Decodable, Equatable, Sendable {
        let bundle: String
        let request: String
        let chain: [String]
    }
}

extension Refusal {
    /// The only object in a document that tells a failure.
    struct Told: Decodable, Equatable {
        let code: String
        let subject: String
        let message: String
        let remedy: String
        let details: [String]?
        let plugin: Plugin?
    }

    func told(in scene: Scene) -> Told {
        Told(
            code: code, subject: scene.fill(subject), message: scene.fill(message), remedy: scene.fill(remedy),
            details: details.isEmpty ? nil : details.map(scene.fill), plugin: plugin)
    }

    /// What people read of the plugin, beside the message.
    private var origin: [String] {
        guard let plugin else { return [] }
        let isNamed = message.contains("\"\(plugin.bundle)\"") && message.contains("\"\(plugin.request)\"")
        return (isNamed ? [] : ["in \"\(plugin.bundle)\", while it served \"\(plugin.request)\""])
            + (plugin.chain.count > 1 ? ["requests: \(plugin.chain.joined(separator: " -> "))"] : [])
    }

    /// What people read.
    func text(in scene: Scene) -> String {
        let lines = (details + origin).map { "  - \($0)" } + ["  remedy: \(remedy)"]
        let text = scene.fill("error: \(message)\n" + lines.map { $0 + "\n" }.joined())
        return text.replacing("\u{1B}", with: "\\u{1B}")
    }
}

/// The characters of a text that a terminal would obey instead of showing them; line feeds are welcome.
func controls(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: scalar != "\n"
        default: false
        }
    }
}
