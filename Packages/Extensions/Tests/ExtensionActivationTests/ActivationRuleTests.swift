import PluginCore
import PluginExtension
import Testing

@testable import ExtensionHost

@Suite("Activation rules", .tags(.small))
struct ActivationRuleTests {
    private func isAccepted(_ rule: String, _ attachments: [ItemAttachment]) throws -> Bool {
        let input = attachments.map { ExtensionItem(attachments: [$0]) }
        return try ActivationRule(rule).activates(for: input)
    }

    @Test("Each key accepts its own kind of attachment, and an absent key means 0")
    func kinds() throws {
        let kinds: [(key: String, attachment: ItemAttachment)] = [
            (#""text": true"#, try .of("public.utf8-plain-text")),
            (#""webURLs": { "max": 1 }"#, try .of("public.url")),
            (#""webPages": { "max": 1 }"#, try .of("public.html")),
            (#""images": { "max": 1 }"#, try .of("public.png")),
            (#""movies": { "max": 1 }"#, try .of("public.mpeg-4")),
            (#""files": { "max": 1 }"#, try .of("com.example.unknown", isFile: true)),
        ]
        for (index, kind) in kinds.enumerated() {
            for (other, candidate) in kinds.enumerated() {
                // A web page is text.
                let isExpected = index == other || (index == 0 && other == 2)
                #expect(try isAccepted("{ \(kind.key) }", [candidate.attachment]) == isExpected, "\(kind) \(candidate)")
            }
        }
        #expect(try !isAccepted(#"{ "images": { "max": 0 }, "text": true }"#, [try .of("public.png")]))
    }

    @Test("A key accepts up to its maximum, and one more is reported with both numbers")
    func maximum() throws {
        let rule = try ActivationRule(#"{ "images": { "max": 1 } }"#)
        #expect(rule.activates(for: try .item("public.png")))
        let failures = rule.failures(for: try .item("public.png", "public.jpeg", "public.png"))
        #expect(failures == [ErrorReason("kindTooMany", ["kind": "images", "limit": 1, "count": 3])])
    }

    @Test("Text has no maximum")
    func text() throws {
        let many = try (0..<100).map { _ in try ItemAttachment.of("public.text") }
        #expect(try isAccepted(#"{ "text": true }"#, many))
        #expect(throws: AtriumError.self) { try ActivationRule(#"{ "text": false }"#) }
    }

    @Test("The number of all attachments has a minimum and a maximum")
    func attachments() throws {
        let rule = #"{ "images": { "max": 9 }, "attachments": { "min": 2, "max": 3 } }"#
        let image = try ItemAttachment.of("public.png")
        let answers = try (0...5).map { try isAccepted(rule, Array(repeating: image, count: $0)) }
        #expect(answers == [false, false, true, true, false, false])
        let failures = try ActivationRule(rule).failures(for: try .item("public.png"))
        #expect(failures == [ErrorReason("attachmentsTooFew", ["limit": 2, "count": 1])])
    }

    @Test(
        "Version 1 and strict matching need all attachments to be of a supported kind; version 2 needs one of them",
        arguments: [
            ("", false), (#", "version": 1"#, false), (#", "version": 2"#, true),
            (#", "version": 2, "strictMatching": true"#, false), (#", "version": 2, "strictMatching": false"#, true),
            (#", "strictMatching": false"#, false),
        ])
    func strictness(members: String, isAccepted: Bool) throws {
        let rule = try ActivationRule(#"{ "webURLs": { "max": 1 }\#(members) }"#)
        let mixed = try [ExtensionItem].item("public.url", "public.plain-text")
        #expect(rule.activates(for: mixed) == isAccepted)
        #expect(rule.activates(for: try .item("public.url")))
        #expect(!rule.activates(for: try .item("public.plain-text")))
        #expect(!rule.activates(for: try .item("public.url", "public.url", "public.plain-text")))
        if !isAccepted {
            #expect(
                rule.failures(for: mixed) == [
                    ErrorReason(
                        "attachmentUnsupported",
                        ["item": 1, "attachment": 2, "types": ["public.plain-text"], "kinds": ["webURLs"]])
                ])
        }
    }

    @Test("An attachment that is available in several types is supported if one of them is")
    func representations() throws {
        let page = try ItemAttachment.of("com.example.page", "public.url", "public.plain-text")
        #expect(try isAccepted(#"{ "webURLs": { "max": 1 } }"#, [page]))
        #expect(try isAccepted(#"{ "text": true }"#, [page]))
        #expect(try !isAccepted(#"{ "images": { "max": 1 } }"#, [page]))
    }

    @Test("A file counts as a file of any type unless another key of the rule counts it")
    func files() throws {
        let image = try ItemAttachment.of("public.png", isFile: true)
        let other = try ItemAttachment.of("public.file-url", "com.example.model")
        #expect(try isAccepted(#"{ "files": { "max": 2 } }"#, [image, other]))
        #expect(try !isAccepted(#"{ "files": { "max": 1 } }"#, [image, other]))
        #expect(try isAccepted(#"{ "files": { "max": 1 }, "images": { "max": 1 } }"#, [image, other]))
        #expect(try isAccepted(#"{ "files": { "max": 1 }, "images": { "max": 0 } }"#, [image]))
        #expect(try !isAccepted(#"{ "files": { "max": 1 } }"#, [try .of("public.png")]))
    }

    @Test("The URL of a file is not a web URL")
    func fileURLs() throws {
        let file = try ItemAttachment.of("public.file-url")
        #expect(try !isAccepted(#"{ "webURLs": { "max": 1 } }"#, [file]))
        #expect(try isAccepted(#"{ "files": { "max": 1 } }"#, [file]))
    }

    @Test("No rule accepts an input without attachments")
    func empty() throws {
        for rule in [#"{ "text": true }"#, #"{ "text": true, "version": 2 }"#] {
            for input in [[], [ExtensionItem()]] {
                let failures = try ActivationRule(rule).failures(for: input)
                #expect(failures.map(\.name) == ["noAttachmentSupported"])
            }
        }
    }

    @Test("All problems are reported together with their keys, and a misspelled key with a suggestion")
    func problems() throws {
        let text = #"""
            { "text": 1, "image": { "max": 3 }, "images": { "most": 1 }, "movies": 2, "files": { "max": -1 },
              "attachments": { "min": 3, "max": 2 }, "version": 3, "strictMatching": "yes" }
            """#
        do {
            _ = try ActivationRule(text)
            Issue.record("the rule was accepted")
        } catch {
            #expect(error.code == .activationInvalid)
            let places = error.problems.compactMap { problem -> String? in
                guard case .text(let place) = problem.values["place"],
                    case .reason(let reason) = problem.values["problem"]
                else { return nil }
                return "\(place.dropFirst("activation.".count)) \(reason.name)"
            }
            #expect(
                places == [
                    "text boolExpected", "images.most fieldUnknown", "movies limitsExpected", "files.max countExpected",
                    "attachments minimumAboveMaximum", "version oneOfExpected", "strictMatching boolExpected",
                    "image fieldMisspelled",
                ])
        }
        #expect(ActivationRule.problem(of: "{}")?.name == "kindMissing")
        #expect(ActivationRule.problem(of: #"{ "text": true, }"#)?.name == "verbatim")
    }

    @Test("A predicate is rejected with the object to write in its place")
    func predicate() throws {
        #expect(ActivationRule.problem(of: "TRUEPREDICATE")?.name == "verbatim")
        let reason = try #require(ActivationRule.problem(of: #""TRUEPREDICATE""#))
        #expect(reason.name == "activationText")
        guard case .text(let example)? = reason.values["example"] else {
            Issue.record("the reason has no example")
            return
        }
        #expect(try ActivationRule(example).activates(for: try .item("public.plain-text")))
    }

    @Test("A huge text is rejected", arguments: ["{", "[", "{\"a\":", "\""])
    func hugeText(piece: String) {
        #expect(ActivationRule.problem(of: String(repeating: piece, count: 100_000)) != nil)
    }

    @Test("The failures of a huge input are bounded")
    func hugeInput() throws {
        let attachment = try ItemAttachment.of("com.adobe.pdf")
        let input = [ExtensionItem(attachments: Array(repeating: attachment, count: 200_000))]
        #expect(try ActivationRule(#"{ "files": { "max": 3 } }"#).failures(for: input).count == 8)
    }

    @Test("An accepted input has a key of the rule")
    func ruleKeys() throws {
        let attachments: [ItemAttachment] = [
            try .of("public.png"), try .of("public.html", "public.url"), try .of("com.example.a", isFile: true),
            try .of(), try .of(isFile: true),
        ]
        var accepted = 0
        for rule in ["text", "webURLs", "webPages", "images", "movies", "files"].map({
            #"{ "\#($0)": \#($0 == "text" ? "true" : #"{ "max": 2 }"#), "version": 2 }"#
        }) {
            let rule = try ActivationRule(rule)
            for one in attachments {
                for other in attachments {
                    let input = [ExtensionItem(), ExtensionItem(attachments: [one, other])]
                    guard rule.activates(for: input) else { continue }
                    accepted += 1
                    #expect(
                        input.ruleKeys.contains { AttachmentKind(rawValue: $0).map(rule.kinds.contains) == true },
                        "\(input)")
                }
            }
        }
        #expect(accepted > 20)
    }

    @Test("A rule has the values of all its keys")
    func keys() throws {
        let rule = try ActivationRule(
            #"{ "strictMatching": true, "version": 2, "attachments": { "max": 4 }, "images": {"max": 3}, "text": true }"#
        )
        #expect(rule.maximums == [.text: .max, .images: 3] && rule.minimum == nil && rule.maximum == 4)
        #expect(rule.version == 2 && rule.usesStrictMatching)
    }
}
