import PluginCore
import Testing

@testable import ExtensionActivation

@Suite("Activation by a predicate", .tags(.small))
struct ActivationPredicateTests {
    /// The example of Apple's App Extension Programming Guide, "Declaring Supported Data Types for a Share or Action Extension".
    static let pdf = """
        SUBQUERY (
            extensionItems,
            $extensionItem,
            SUBQUERY (
                $extensionItem.attachments,
                $attachment,
                ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO "com.adobe.pdf"
            ).@count == $extensionItem.attachments.@count
        ).@count == 1
        """

    /// The guide's example with several types.
    static let several = """
        SUBQUERY (
            extensionItems,
            $extensionItem,
            SUBQUERY (
                $extensionItem.attachments,
                $attachment,
                (
                    ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO "org.appextension.action-one"
                    || ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO "org.appextension.action-two"
                )
            ).@count == $extensionItem.attachments.@count
        ).@count == 1
        """

    @Test("Apple's example accepts one item all of whose attachments are PDF documents")
    func appleExample() throws {
        let rule = try ActivationRule(Self.pdf)
        #expect(rule.activates(for: try .item("com.adobe.pdf")))
        #expect(rule.activates(for: try .item("com.adobe.pdf", "com.adobe.pdf")))
        #expect(!rule.activates(for: try .item("com.adobe.pdf", "public.png")))
        #expect(!rule.activates(for: ActivationInput(items: [])))
        let item = try ActivationInput.item("com.adobe.pdf").items[0]
        #expect(!rule.activates(for: ActivationInput(items: [item, item])))
        // As in NSPredicate, all attachments of an item without attachments are PDF documents.
        #expect(rule.activates(for: ActivationInput(items: [.init(attachments: [])])))
        #expect(rule.text == Self.pdf)
    }

    @Test("Apple's example with two types accepts attachments of either type")
    func appleAlternatives() throws {
        let rule = try ActivationRule(Self.several)
        #expect(rule.activates(for: try .item("org.appextension.action-one", "ORG.appextension.action-TWO")))
        #expect(!rule.activates(for: try .item("org.appextension.action-one", "public.png")))
    }

    @Test("Apple's stub TRUEPREDICATE accepts every input")
    func stub() throws {
        #expect(try ActivationRule("TRUEPREDICATE").activates(for: ActivationInput(items: [])))
        #expect(try !ActivationRule("FALSEPREDICATE").activates(for: try .item("public.png")))
    }

    @Test(
        "Operators, quantifiers and their spellings have the meaning of NSPredicate",
        arguments: [
            ("extensionItems.@count = 1", true), ("extensionItems.@count != 1", false),
            ("2 <> extensionItems.@count", true),
            ("extensionItems.@count < 2", true), ("extensionItems.@count =< 1", true),
            ("extensionItems.@count <= 0", false),
            ("extensionItems.@count > 1", false), ("extensionItems.@count => 1", true), ("1 >= 2", false),
            ("TRUEPREDICATE OR FALSEPREDICATE AND FALSEPREDICATE", true),
            ("(TRUEPREDICATE OR FALSEPREDICATE) AND FALSEPREDICATE", false),
            ("NOT FALSEPREDICATE AND TRUEPREDICATE", true), ("!TRUEPREDICATE || !FALSEPREDICATE", true),
            ("not truepredicate or TruePredicate && truepredicate", true),
            (attachments(#"any $a.registeredTypeIdentifiers uti-conforms-to "PUBLIC.Image""#, 1), true),
            (attachments(#"ANY $a.registeredTypeIdentifiers UTI-EQUALS "public.image""#, 0), true),
            (attachments(#"SOME $a.registeredTypeIdentifiers == 'public.png'"#, 1), true),
            (attachments(#"ALL $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image""#, 2), true),
            (attachments(#"NONE $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image""#, 2), true),
            (attachments(#"ANY $a.registeredTypeIdentifiers != "public.png""#, 1), true),
            (attachments("$a.registeredTypeIdentifiers.@count == 0", 1), true),
            (
                attachments(
                    #"SUBQUERY($a.registeredTypeIdentifiers, $t, $t UTI-CONFORMS-TO "public.text").@count == 2"#, 1),
                true
            ),
        ])
    func semantics(predicate: String, holds: Bool) throws {
        let attachments = [
            try ActivationInput.Attachment.of("public.png"), try .of("public.html", "public.plain-text"),
            .init(types: []),
        ]
        let input = ActivationInput(items: [.init(attachments: attachments)])
        #expect(try ActivationRule(predicate).activates(for: input) == holds, "\(predicate)")
    }

    private static func attachments(_ condition: String, _ count: Int) -> String {
        "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, \(condition)).@count == \(count)).@count == 1"
    }

    @Test(
        "A malformed predicate is rejected with the position of the problem",
        arguments: [
            ("", 1, "predicateEnds"), ("extensionItems.@count == ", 26, "predicateEnds"),
            ("extensionItem.@count == 1", 1, "tokenMisspelled"), ("extensionItems.@cuont == 1", 16, "tokenUnexpected"),
            ("extensionItems == 1", 16, "tokenUnexpected"), ("1 == 1 1", 8, "tokenUnexpected"),
            ("(TRUEPREDICATE", 15, "predicateEnds"), ("TRUEPREDICATE)", 14, "tokenUnexpected"),
            ("TRUEPREDICATE ANDD TRUEPREDICATE", 15, "tokenMisspelled"), ("1 ~ 2", 3, "characterUnexpected"),
            ("é", 1, "characterUnexpected"), ("99999999999999999999 == 1", 1, "notCount"), ("1a == 1", 1, "notCount"),
            ("1 == \"a.b\"", 6, "tokenUnexpected"), ("$x.attachments.@count == 1", 1, "tokenUnexpected"),
            ("ANY extensionItems == \"a.b\"", 5, "quantifierMisplaced"),
            ("SUBQUERY(1, $x, TRUEPREDICATE).@count == 1", 10, "collectionNeeded"),
            ("SUBQUERY(extensionItems, x, TRUEPREDICATE).@count == 1", 26, "tokenUnexpected"),
            ("SUBQUERY(extensionItems, $x, $x.attachmnts.@count == 1).@count == 1", 33, "tokenMisspelled"),
            ("SUBQUERY(extensionItems, $item, $itme.attachments.@count == 1).@count == 1", 33, "tokenMisspelled"),
            ("SUBQUERY(extensionItems, $x, $x UTI-EQUALS \"a.b\").@count == 1", 33, "tokenUnexpected"),
            (
                "SUBQUERY(extensionItems, $x, TRUEPREDICATE).@count == 1 AND $x.attachments.@count == 1", 61,
                "tokenUnexpected"
            ),
        ])
    func malformed(text: String, position: Int, reason: String) {
        #expect(ActivationRule.problem(of: text)?.name == reason)
        #expect(ActivationRule.position(of: text) == position)
    }

    @Test("A malformed comparison of types is rejected with the position of the problem")
    func malformedTypes() {
        func position(_ clause: String, _ reason: String) -> Int? {
            let start = "SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, "
            let text = start + clause + ").@count > 0).@count > 0"
            #expect(ActivationRule.problem(of: text)?.name == reason, "\(text)")
            return ActivationRule.position(of: text).map { $0 - start.count }
        }
        #expect(position(#"$a.registeredTypeIdentifiers UTI-EQUALS "a.b""#, "quantifierNeeded") == 1)
        #expect(position(#"ANY $a.registeredTypeIdentifiers UTI-EQUAL "a.b""#, "tokenMisspelled") == 34)
        #expect(position(#"ANY $a.registeredTypeIdentifiers UTI-EQUALS "image""#, "notContentType") == 45)
        #expect(position(#"ANY $a.registeredTypeIdentifiers UTI-EQUALS "a.b"#, "quotationOpen") == 45)
        #expect(position(#"ANY $a.registeredTypeIdentifiers UTI-EQUALS "a\nb""#, "escapeUnknown") == 47)
        #expect(position(#"ANY $a.registeredTypeIdentifiers UTI-EQUALS "a\"b""#, "notContentType") == 45)
    }

    @Test("The nearest word is suggested for a misspelled one")
    func suggestions() {
        #expect(ActivationRule.problem(of: "extensionItem.@count == 1")?.values["nearest"] == "extensionItems")
        #expect(ActivationRule.problem(of: "TRUEPREDICAT")?.values["nearest"] == "TRUEPREDICATE")
    }
}
