import Console
import PluginCore

/// Reads an argument `ID[@VERSION]`.
///
/// - Parameters:
///   - argument: the argument as the help names it.
///   - alternative: the last item of the list of what is expected, when there is another form; `nil` for none.
///   - command: the command that takes it.
func bundle(
    _ word: String, as argument: String = "<ID[@VERSION]>", or alternative: String? = nil, of command: String
) throws(UsageError) -> (identifier: String, version: SemanticVersion?) {
    let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let version = parts.count == 2 ? SemanticVersion(parts[1]) : nil
    guard let identifier = parts.first, !identifier.isEmpty, parts.count == 1 || version != nil else {
        let both = "identifier and version such as com.example.app.shop@1.0.0"
        throw UsageError(
            .invalidValue, subject: argument,
            expected: [alternative.map { "an identifier, \(both), \($0)" } ?? "an identifier, or \(both)"],
            command: ["hostapp", command], value: word)
    }
    return (identifier, version)
}
