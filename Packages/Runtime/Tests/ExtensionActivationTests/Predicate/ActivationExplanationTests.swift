import PluginCore
import Testing

@testable import ExtensionActivation

@Suite("Explanations of a predicate", .tags(.small))
struct ActivationExplanationTests {
    private func lines(_ failures: [ActivationFailure], in text: String, depth: Int = 0) -> [String] {
        failures.flatMap { failure -> [String] in
            let clause = failure.range.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) } ?? ""
            return [String(repeating: "  ", count: depth) + "\(failure.reason.name) \(clause)"]
                + lines(failure.causes, in: text, depth: depth + 1)
        }
    }

    @Test("The failed clauses lead from the whole predicate to the attachment that is not accepted")
    func leadsToAttachment() throws {
        let inner = #"ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image""#
        let middle = "SUBQUERY($i.attachments, $a, \(inner)).@count == $i.attachments.@count"
        let text = "SUBQUERY(extensionItems, $i, \(middle)).@count == 1"
        let rule = try ActivationRule(text)
        let result = rule.evaluate(try .item("public.png", "com.adobe.pdf"))
        #expect(
            lines(result.failures, in: text) == [
                "countsFalse \(text)", "  countsFalse \(middle)", "    typesFalse \(inner)",
            ])
        #expect(result.failures[0].reason.values["left"] == 0 && result.failures[0].reason.values["right"] == 1)
        let leaf = result.failures[0].causes[0].causes[0].reason
        #expect(
            leaf
                == ErrorReason(
                    "typesFalse",
                    ["clause": .text(inner), "item": 1, "attachment": 2, "types": ["com.adobe.pdf"]]))
    }

    @Test("Each failed part of a conjunction is reported, and all parts of a disjunction are causes of one failure")
    func compound() throws {
        let text = "1 == 1 AND 1 == 2 AND (2 == 3 OR 3 > 4 AND NOT 1 == 1) AND NOT (1 == 1)"
        let result = try ActivationRule(text).evaluate(ActivationInput(items: []))
        #expect(
            lines(result.failures, in: text) == [
                "countsFalse 1 == 2", "alternativesFalse 2 == 3 OR 3 > 4 AND NOT 1 == 1", "  countsFalse 2 == 3",
                "  countsFalse 3 > 4", "  clauseFalse NOT 1 == 1", "clauseFalse NOT (1 == 1)",
            ])
        #expect(result.failures[1].explanation.name == "because")
    }

    @Test("An explanation of a large input is bounded")
    func bounded() throws {
        let rule = try ActivationRule(
            #"SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, ANY $a.registeredTypeIdentifiers == "a.b").@count > 0).@count > 0"#
        )
        let input = ActivationInput(
            items: Array(repeating: try ActivationInput.item("public.png", "public.text").items[0], count: 1000))
        let failures = lines(rule.evaluate(input).failures, in: rule.text)
        #expect(failures.count == ActivationPredicate.maximumFailures)
    }
}
