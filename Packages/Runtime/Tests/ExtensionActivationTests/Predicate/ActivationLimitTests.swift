import PluginCore
import Testing

@testable import ExtensionActivation

@Suite("Limits of activation rules", .tags(.small))
struct ActivationLimitTests {
    private static let time = ContinuousClock()

    @Test(
        "A huge text is rejected before it is parsed",
        arguments: ["(", "NOT ", "!", "SUBQUERY(extensionItems, $x, ", "1 == 1 AND ", "\"", "$", "{", "[", "{\"a\":"])
    func hugeText(piece: String) {
        let text = String(repeating: piece, count: 100_000)
        #expect(ActivationRule.problem(of: text)?.name == "tooLong")
        #expect(throws: AtriumError.self) { try ActivationRule(.predicate(text)) }
    }

    @Test(
        "A text of the maximum length that nests without end is rejected at the maximum depth",
        arguments: [
            ("(", 1), ("NOT ", 1), ("!", 1), ("!(", 2), ("NOT (", 2), ("SUBQUERY(extensionItems, $x, ", 1),
            ("1 == 1 AND (", 1), ("FALSEPREDICATE || !(", 2),
        ])
    func nesting(piece: String, levels: Int) throws {
        let count = ActivationRule.maximumLength / piece.utf8.count
        #expect(ActivationRule.problem(of: String(repeating: piece, count: count))?.name == "nestedTooDeep")
        let deepest = ActivationPredicate.maximumDepth / levels
        let nested = String(repeating: piece, count: deepest) + "TRUEPREDICATE"
        #expect(ActivationRule.problem(of: nested)?.name != "nestedTooDeep")
        #expect(ActivationRule.problem(of: piece + nested)?.name == "nestedTooDeep")
    }

    @Test("A predicate of the maximum depth is evaluated and explained")
    func deepest() throws {
        let depth = ActivationPredicate.maximumDepth
        let brackets = String(repeating: "(", count: depth) + "1 == 2" + String(repeating: ")", count: depth)
        #expect(try ActivationRule(brackets).evaluate(ActivationInput(items: [])).failures.count == 1)
        let negations = String(repeating: "NOT ", count: depth) + "FALSEPREDICATE"
        #expect(try !ActivationRule(negations).activates(for: ActivationInput(items: [])))
    }

    @Test("A predicate with too many clauses is rejected")
    func parts() throws {
        func text(_ count: Int) -> String { Array(repeating: "1 == 1", count: count).joined(separator: "&&") }
        #expect(ActivationRule.problem(of: text(ActivationPredicate.maximumParts))?.name == "partsTooMany")
        #expect(
            try ActivationRule(text(ActivationPredicate.maximumParts - 1)).activates(for: ActivationInput(items: [])))
    }

    @Test("An evaluation ends after a maximum number of steps, and says so")
    func steps() throws {
        var text = "1 == 2"
        for _ in 0..<ActivationPredicate.maximumDepth {
            text = "SUBQUERY(extensionItems, $x, \(text)).@count > 0"
        }
        let rule = try ActivationRule(text)
        let input = ActivationInput(items: Array(repeating: try ActivationInput.item("public.png").items[0], count: 10))
        let start = Self.time.now
        let result = rule.evaluate(input)
        #expect(!rule.activates(for: input))
        // Without the limit, the evaluation would take 10 to the power of 32 steps.
        #expect(Self.time.now - start < .seconds(20))
        #expect(
            result.failures.map(\.reason.name) == ["stepsExceeded"])
    }

    @Test("An input of any size is evaluated within the limit of steps")
    func hugeInput() throws {
        let rule = try ActivationRule(ActivationPredicateTests.pdf)
        let attachment = try ActivationInput.Attachment.of("com.adobe.pdf")
        let input = ActivationInput(items: [.init(attachments: Array(repeating: attachment, count: 200_000))])
        #expect(rule.evaluate(input).failures.map(\.reason.name) == ["stepsExceeded"])
        let counts = try ActivationRule(#"{ "files": { "max": 3 } }"#)
        #expect(counts.evaluate(input).failures.count <= 8)
    }
}
