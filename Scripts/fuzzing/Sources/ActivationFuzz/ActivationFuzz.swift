import ExtensionActivation
import PluginCore

/// Reads arbitrary bytes as an activation rule, and evaluates it.
///
/// Nothing may trap. A rule survives a round trip through its text, explains itself exactly if it accepts nothing, and is never hidden by
/// its required types.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    guard let rule = try? ActivationRule(text) else { return 0 }
    demand((try? ActivationRule(rule.text)) == rule, "a rule can be read from its text")
    for input in inputs {
        let result = rule.evaluate(input)
        demand(result.activates == rule.activates(for: input), "a rule has one answer")
        if result.activates, let required = rule.requiredTypes, let types = input.lookupTypes {
            demand(!required.isDisjoint(with: types), "required types hide no rule")
        }
    }
    return 0
}

private let image = ActivationInput.Attachment(types: [.png], fileSize: 7)
private let page = ActivationInput.Attachment(types: [.url, .plainText])
private let inputs = [
    ActivationInput(items: []), ActivationInput(items: [.init(attachments: []), .init(attachments: [image])]),
    ActivationInput(items: [.init(attachments: [image])]), ActivationInput(items: [.init(attachments: [page, image])]),
    ActivationInput(items: [.init(attachments: [.init(types: [.pdf])]), .init(attachments: [page])]),
]

private func demand(_ holds: Bool, _ promise: String) {
    guard holds else { fatalError("broken: \(promise)") }
}
