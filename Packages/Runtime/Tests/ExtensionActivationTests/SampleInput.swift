import ExtensionActivation
import PluginCore
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
    /// The problem of a text that is not a rule, without its position.
    static func problem(of text: String) -> ErrorReason? {
        do {
            _ = try ActivationRule(text)
            return nil
        } catch {
            guard let reason = error.reason, case .reason(let inner) = reason.values["problem"] else {
                return error.reason
            }
            return inner
        }
    }

    /// The position of the problem of a predicate.
    static func position(of text: String) -> Int? {
        do {
            _ = try ActivationRule(text)
        } catch {
            if case .integer(let position) = error.reason?.values["position"] { return position }
        }
        return nil
    }
}
