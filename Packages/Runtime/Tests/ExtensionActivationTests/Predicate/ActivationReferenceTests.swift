import PluginCore
import Testing

@testable import ExtensionActivation

@Suite("Activation rules compared with a simple evaluator", .tags(.small))
struct ActivationReferenceTests {
    @Test("Random predicates that are printed and read back have the answer of the reference, and explain it")
    func reference() throws {
        var random = SplitMix(seed: 12)
        var (held, failed) = (0, 0)
        for round in 0..<800 {
            let predicate = random.predicate(4)
            let text = predicate.text(&random)
            let rule = try parsed(text)
            guard let rule else { continue }
            #expect(try ActivationRule(rule.text) == rule)
            for _ in 0..<4 {
                let input = random.input()
                let expected = predicate.holds(input)
                if expected { held += 1 } else { failed += 1 }
                let result = rule.evaluate(input)
                try #require(rule.activates(for: input) == expected, "round \(round): \(text)\n\(input)")
                try #require(result.activates == expected, "round \(round): \(text)\n\(input)")
            }
        }
        // Guards against rules that always have the same answer.
        #expect(held > 500 && failed > 500, "\(held) held, \(failed) failed")
    }

    @Test("The required types never exclude a rule that accepts the input, and exclude most of the others")
    func requiredTypes() throws {
        var random = SplitMix(seed: 7)
        var (accepted, excluded, evaluated) = (0, 0, 0)
        for _ in 0..<2_500 {
            let rule = try random.count(0...2) == 0 ? counts(&random) : parsed(random.predicate(4).text(&random))
            guard let rule else { continue }
            for _ in 0..<4 {
                let input = random.input(mayHaveGaps: random.count(0...9) == 0)
                let isAccepted = rule.activates(for: input)
                if isAccepted { accepted += 1 }
                guard let required = rule.requiredTypes, let types = input.lookupTypes else { continue }
                if required.isDisjoint(with: types) {
                    excluded += 1
                    try #require(!isAccepted, "\(rule.text)\n\(input)")
                } else {
                    evaluated += 1
                }
            }
        }
        #expect(accepted > 500 && excluded > 200 && evaluated > 200, "\(accepted) \(excluded) \(evaluated)")
    }

    @Test("The required types of common rules are those of their clauses")
    func commonRules() throws {
        func required(_ text: String) throws -> [String]? {
            try ActivationRule(text).requiredTypes.map { $0.map(\.identifier).sorted() }
        }
        #expect(try required(ActivationPredicateTests.pdf) == ["com.adobe.pdf"])
        #expect(
            try required(ActivationPredicateTests.several) == [
                "org.appextension.action-one", "org.appextension.action-two",
            ])
        #expect(try required("TRUEPREDICATE") == nil)
        #expect(try required("FALSEPREDICATE") == [])
        #expect(try required("extensionItems.@count == 1") == nil)
        #expect(try required("extensionItems.@count == 1 AND \(ActivationPredicateTests.pdf)") == ["com.adobe.pdf"])
        #expect(try required("extensionItems.@count == 1 OR \(ActivationPredicateTests.pdf)") == nil)
        #expect(try required("NOT \(ActivationPredicateTests.pdf)") == nil)
        #expect(
            try required(#"{ "images": { "max": 1 }, "files": { "max": 1 } }"#) == ["public.file-url", "public.image"])
    }

    @Test(
        "Among a thousand rules, an index by required types finds those that accept the input, and evaluates no others")
    func index() throws {
        let rules = try (0..<1_000).map { number in
            try ActivationRule(
                ActivationPredicateTests.pdf.replacing("com.adobe.pdf", with: "com.example.type\(number)"))
        }
        var index: [ContentType: [ActivationRule]] = [:]
        for rule in rules {
            for type in try #require(rule.requiredTypes) { index[type, default: []].append(rule) }
        }
        let input = try ActivationInput.item("com.example.type17")
        let candidates = try #require(input.lookupTypes).flatMap { index[$0] ?? [] }
        #expect(candidates == [rules[17]])
        #expect(rules.filter { $0.activates(for: input) } == candidates)
    }

    @Test("Random texts and damaged predicates never trap, and valid ones survive a round trip")
    func damage() throws {
        var random = SplitMix(seed: 3)
        let pieces = [
            "(", ")", ",", ".", "SUBQUERY", "extensionItems", "$a", "$b", ".attachments", ".registeredTypeIdentifiers",
            ".@count", "==", "<", "&&", "||", "!", "NOT ", "ANY ", "1", "\"public.png\"", "'", "\"", "\\", " ", "é",
            "\u{301}",
            "😀", "\0", "@", "$", "-", "UTI-CONFORMS-TO", "TRUEPREDICATE", "{", "}", "[", ":", "\"text\"", "true",
        ]
        var valid = 0
        for _ in 0..<6_000 {
            var text = random.predicate(3).text(&random)
            if random.count(0...1) == 0 {
                text = (0..<random.count(0...12)).map { _ in random.one(of: pieces) }.joined()
            } else {
                for _ in 0..<random.count(1...3) {
                    let place = text.index(text.startIndex, offsetBy: random.count(0...text.count))
                    if random.count(0...1) == 0, place < text.endIndex {
                        text.remove(at: place)
                    } else {
                        text.insert(contentsOf: random.one(of: pieces), at: place)
                    }
                }
            }
            guard let rule = try? ActivationRule(text) else { continue }
            valid += 1
            let input = random.input()
            try #require(rule.evaluate(input).activates == rule.activates(for: input))
            try #require(try ActivationRule(rule.text) == rule)
        }
        #expect(valid > 80, "\(valid)")
    }

    /// Reads a predicate, or returns nil if it exceeds a limit.
    private func parsed(_ text: String) throws -> ActivationRule? {
        do {
            return try ActivationRule(text)
        } catch {
            let name = ActivationRule.problem(of: text)?.name
            try #require(["tooLong", "partsTooMany", "nestedTooDeep"].contains(name), "\(text): \(error)")
            return nil
        }
    }

    private func counts(_ random: inout SplitMix) throws -> ActivationRule? {
        let members = [
            #""text": true"#, #""webURLs": { "max": 2 }"#, #""webPages": { "max": 2 }"#, #""images": { "max": 2 }"#,
            #""files": { "max": 3 }"#, #""version": 2"#, #""attachments": { "max": 3 }"#,
        ].filter { _ in random.count(0...2) == 0 }
        return try? ActivationRule("{ \(members.joined(separator: ", ")) }")
    }
}
