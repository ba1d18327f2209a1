import Console
import PluginCore

/// Parses an argument of the form `ID[@VERSION]`.
///
/// - Parameters:
///   - argument: the argument's name in the help text.
///   - alternative: another accepted form, listed last in the error message; `nil` if there is none.
///   - command: the command that takes the argument.
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
