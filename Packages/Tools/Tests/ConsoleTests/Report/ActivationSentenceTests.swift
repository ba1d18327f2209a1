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

    @Test("An error of a predicate shows the object to write in its place")
    func predicate() {
        let error = AtriumError(
            .init("activationInvalid"), "activation", reason: "activationText",
            ["example": #"{"text": true, "images": {"max": 3}}"#, "kinds": ["text", "images"]])
        #expect(
            error.report.message
                == #""activation" is not a valid activation rule: a text, such as a predicate, is not a rule; write an object "#
                + #"with the maximum numbers, such as {"text": true, "images": {"max": 3}}; the kinds are text, images"#
        )
        #expect(error.exitStatus == .badInput)
    }
}
