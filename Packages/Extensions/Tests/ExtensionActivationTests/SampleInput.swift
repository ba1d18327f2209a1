@testable import ExtensionHost
import PluginCore
import PluginExtension
import Testing

extension [ExtensionItem] {
    /// Creates one item, whose attachments have one type each.
    static func item(_ identifiers: String...) throws -> [ExtensionItem] {
        [ExtensionItem(attachments: try identifiers.map { try .of($0) })]
    }
}

extension ItemAttachment {
    /// Creates an attachment with several types.
    static func of(_ identifiers: String..., isFile: Bool = false) throws -> ItemAttachment {
        ItemAttachment(
            types: try identifiers.map { try #require(ContentType($0)) },
            content: isFile ? .file(try AttachmentFile(opening: FilePath("/proc/self/exe"))) : .bytes([]))
    }
}

extension ActivationRule {
    /// The only problem of a text that is not a rule.
    static func problem(of text: String) -> ErrorReason? {
        do {
            _ = try ActivationRule(text)
            return nil
        } catch {
            guard case .reason(let reason)? = error.problems.first?.values["problem"] else { return nil }
            return reason
        }
    }
}
