import BundleTool
import Console
import FoundationEssentials
import PluginCore
import Testing

/// Runs a command of bundletool in this process, as for a terminal without styles.
@discardableResult
func bundletool(_ words: String...) throws -> Reply { try bundletool(words) }

@discardableResult
func bundletool(_ words: [String]) throws -> Reply { try Program.reply(to: words, on: .plain) }

extension Reply {
    var json: JSON { get throws { try document() } }

    /// Decodes the document that a command prints with `--json`.
    func document<Document: Decodable>(_ type: Document.Type = Document.self) throws -> Document {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

/// Returns the exit status and the code of the error that a command ends with, such as "77 versionReused".
func refusal(
    at location: SourceLocation = #_sourceLocation, _ command: () throws -> some Any
) throws -> String {
    let error = try #require(throws: (any Error).self, sourceLocation: location) { _ = try command() }
    let (report, status) = FailureReport.of(error)
    return "\(status.rawValue) \(report.code)"
}

/// Runs a program in a process of its own, because it blocks its thread: the built bundletool unless another one is given.
func runProgram(at path: String? = nil, _ words: [String]) throws -> (status: Int32, output: String) {
    let built = FilePath(CommandLine.arguments.first ?? "").parent.appending("bundletool").string
    return try runProgram(path ?? built, words)
}
