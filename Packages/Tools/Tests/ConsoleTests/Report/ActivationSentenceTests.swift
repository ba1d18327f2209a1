import Console
import PluginCore
import Testing

@Suite("Sentences about activation rules", .tags(.small))
struct ActivationSentenceTests {
    @Test("A failed count names the key, its limit and the number that was found")
    func counts() {
        let reason = ErrorReason("kindTooMany", ["kind": "images", "limit": 1, "count": 3])
        #expect(reason.sentence == #""images" accepts at most 1, but the input has 3"#)
        let unsupported = ErrorReason(
            "attachmentUnsupported",
            ["item": 1, "attachment": 2, "types": ["com.adobe.pdf"], "kinds": ["text", "images"]])
        #expect(unsupported.sentence == "attachment 2 of item 1 (com.adobe.pdf) is none of: text, images")
    }

    @Test("A failed predicate is explained down to the attachment")
    func predicate() {
        let clause = #"ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image""#
        let inner = ErrorReason(
            "typesFalse", ["clause": .text(clause), "item": 1, "attachment": 2, "types": ["com.adobe.pdf"]])
        let outer = ErrorReason("countsFalse", ["clause": "SUBQUERY(...).@count == 1", "left": 0, "right": 1])
        let reason = ErrorReason("because", ["reason": .reason(outer), "problem": .reason(inner)])
        #expect(
            reason.sentence
                == "`SUBQUERY(...).@count == 1` is false: it compares 0 with 1: "
                + #"`ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image"` is false for attachment 2 of item 1 (com.adobe.pdf)"#
        )
    }

    @Test("An error of a rule has the position, the problem, and a suggestion")
    func error() {
        let problem = ErrorReason(
            "tokenMisspelled",
            ["found": "extensionItem", "known": ["extensionItems", "("], "nearest": "extensionItems"])
        let error = AtriumError(
            .init("activationInvalid"), "extensionItem.@count == 1", reason: "predicateFlaw",
            ["position": 1, "problem": .reason(problem)])
        #expect(
            error.report.message
                == #""extensionItem.@count == 1" is not a valid activation rule: character 1: found "extensionItem", "#
                + #"expected one of extensionItems, (; did you mean "extensionItems"?"#)
        #expect(error.exitStatus == .badInput)
    }
}
