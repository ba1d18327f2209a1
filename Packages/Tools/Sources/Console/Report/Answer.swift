public import PluginCore

/// The result of a command, as text for people and as JSON for scripts.
///
/// ```swift
/// let answer = Answer(text: "2 plugins\n", json: ["count": 2])
/// try StandardOutput.write(answer.written(asJSON: parsed.flag("json")))
/// ```
public struct Answer: Sendable {
    /// The text for standard output.
    public var text: String
    /// The document for standard output.
    public var json: JSONText
    /// The exit status of the program, which is not 0 if the answer is negative.
    public var status: ExitStatus
    /// The text for standard error beside the text, such as warnings, which the document contains.
    public var note: String
    private var isLines = false

    /// Creates an answer.
    public init(text: String, json: JSONText, status: ExitStatus = .done, note: String = "") {
        (self.text, self.json, self.status, self.note) = (text, json, status, note)
    }

    /// Creates an answer with several documents, one in each line.
    public init(text: String, lines: [JSONText], status: ExitStatus) {
        self.init(text: text, json: .array(lines), status: status)
        isLines = true
    }

    /// Returns the text or the document.
    public func written(asJSON isJSON: Bool) -> String {
        guard isJSON else { return text }
        guard isLines, case .array(let lines) = json else { return json.text(pretty: true) + "\n" }
        return lines.map { $0.text() + "\n" }.joined()
    }
}

extension CoreVersion {
    /// Returns the answer of a program to `--version` with `--json`.
    public static func json(of release: String) -> JSONText {
        ["version": release, "coreABI": Int(abi), "compiler": compiler]
    }
}
