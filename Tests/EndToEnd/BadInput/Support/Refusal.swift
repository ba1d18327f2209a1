import PluginTestKit
import Testing

/// The expected error of a rejected command, word for word.
///
/// In its texts, `SANDBOX` and `CATALOG` stand for the paths of the scene.
struct Refusal: Sendable {
    var status: Int32
    var code: String
    var subject: String
    var message: String
    var remedy: String
    var details: [String] = []
    var plugin: Plugin?

    /// The plugin that raised an error.
    struct Plugin: Decodable, Equatable, Sendable {
        let bundle: String
        let request: String
        let chain: [String]
    }
}

extension Refusal {
    /// The only object in the JSON document of an error.
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

    /// The lines about the plugin in the text of the error, unless the message contains them.
    private var origin: [String] {
        guard let plugin else { return [] }
        let isNamed = message.contains("\"\(plugin.bundle)\"") && message.contains("\"\(plugin.request)\"")
        return (isNamed ? [] : ["in \"\(plugin.bundle)\", while it served \"\(plugin.request)\""])
            + (plugin.chain.count > 1 ? ["requests: \(plugin.chain.joined(separator: " -> "))"] : [])
    }

    /// Returns the text of the error for people.
    func text(in scene: Scene) -> String {
        let lines = (details + origin).map { "  - \($0)" } + ["  remedy: \(remedy)"]
        let text = scene.fill("error: \(message)\n" + lines.map { $0 + "\n" }.joined())
        return text.replacing("\u{1B}", with: "\\u{1B}")
    }
}

/// Returns the characters of a text that would control a terminal, except line feeds.
func controls(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: scalar != "\n"
        default: false
        }
    }
}
