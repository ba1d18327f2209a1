import PluginTestKit
import Testing

/// An error as scripts get it.
struct Refusal: Decodable, Equatable, Sendable {
    /// The plugin that raised an error.
    struct Plugin: Decodable, Equatable, Sendable {
        let bundle: String
        let request: String
        let chain: [String]
    }

    let code: String
    let subject: String
    let message: String
    let remedy: String
    let details: [String]?
    let plugin: Plugin?

    /// The lines about the plugin in the text of the error, unless the message contains them.
    private var origin: [String] {
        guard let plugin else { return [] }
        let isNamed = message.contains("\"\(plugin.bundle)\"") && message.contains("\"\(plugin.request)\"")
        return (isNamed ? [] : ["in \"\(plugin.bundle)\", while it served \"\(plugin.request)\""])
            + (plugin.chain.count > 1 ? ["requests: \(plugin.chain.joined(separator: " -> "))"] : [])
    }

    /// The text of the error for people.
    var text: String {
        let lines = ((details ?? []) + origin).map { "  - \($0)" } + ["  remedy: \(remedy)"]
        let text = "error: \(message)\n" + lines.map { $0 + "\n" }.joined()
        return text.replacing("\u{1B}", with: "\\u{1B}")
    }
}

extension ProcessResult {
    /// Requires that the program has succeeded.
    @discardableResult
    func succeeded(sourceLocation: SourceLocation = #_sourceLocation) throws -> ProcessResult {
        try #require(status == 0, "\(self)", sourceLocation: sourceLocation)
        return self
    }

    /// The error in the only document of a command that failed with `--json`.
    var refusal: Refusal {
        get throws { try #require(json(as: [String: Refusal].self)["error"], "\(self)") }
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
