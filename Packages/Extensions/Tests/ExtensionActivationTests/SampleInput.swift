@testable import ExtensionHost
import PluginCore
import PluginExtension
import Testing

extension ActivationInput {
    /// Creates an input with one item, whose attachments have one type each.
    static func item(_ identifiers: String...) throws -> ActivationInput {
        ActivationInput(items: [.init(attachments: try identifiers.map { try .of($0) })])
    }
}

extension ActivationInput.Attachment {
    /// Creates an attachment with several types, which is a file if it has a size.
    static func of(_ identifiers: String..., fileSize: Int? = nil) throws -> ActivationInput.Attachment {
        .init(types: try identifiers.map { try #require(ContentType($0)) }, fileSize: fileSize)
    }
}

extension ActivationRule {
    /// The only problem of a text that is not a rule.
    static func problem(of text: String) -> ErrorReason? {
        do {
            _ = try ActivationRule(text)
            return nil
        } catch {
            return error.reason
        }
    }
}
