import Authoring
import PluginCore
import PluginLint
import Testing

@Suite("Routes that replace others", .tags(.small))
struct ContractChangeTests {
    @Test(
        "A route may be replaced by others that match all of its addresses",
        arguments: [
            ("a/:id", ["a/:name"]), ("a/b", ["a/:x"]), ("a/:n<int>", ["a/:x"]), ("a/:x", ["a/*"]), ("a/*", ["a/:x"]),
            ("a/:x", ["a/:y<string>"]), ("a/b/c", ["a/**"]), ("a/**rest", ["**"]), ("a(/:x)", ["a", "a/:y"]),
            ("web://a/b", ["a/b"]), ("a#b", ["a"]), ("a/:id.html", ["a/:name.html"]), ("a/:id.html", ["a/:x"]),
        ])
    func replaced(old: String, new: [String]) throws { #expect(try found(old, new) == []) }

    @Test(
        "Any other change of a pattern loses addresses",
        arguments: [
            ("a/:id", ["a/b"]), ("a/b", ["a/c"]), ("a/:x", ["a/:n<int>"]), ("a/:n<int>", ["a/:n<uuid>"]),
            ("a", ["a/b"]),
            ("a/b", ["a"]), ("a/**", ["a/:x"]), ("a(/:x)", ["a/:y"]), ("a/b", ["web://a/b"]), ("a", ["a#b"]),
            ("a#:x", ["a#b"]), ("a/:id.html", ["a/:id.htm"]),
        ])
    func lost(old: String, new: [String]) throws { #expect(try found(old, new) == ["route-removed"]) }

    @Test("Routes and actions that only the plugin itself could use may go, or get other types")
    func own() throws {
        var subject = try LintFixture.subject()
        subject.published = LintFixture.published(
            routes: [.page("shop/gone", exposure: .internal)],
            targets: [TargetDeclaration(name: "Gone", actions: [ActionDeclaration(name: "x", exposure: .internal)])])
        #expect(LintReport(of: subject).findings.map(\.rule.code) == [])
        let target = TargetDeclaration(name: "Shop", actions: [ActionDeclaration(name: "price", exposure: .internal)])
        subject.published = LintFixture.published(targets: [target], inputs: [LintFixture.price()])
        subject.inputs = [LintFixture.price("String", .value("String"))]
        #expect(LintReport(of: subject, rules: LintRule.contracts).findings.isEmpty)
    }

    @Test("A parameter that may have been hidden, or was always required, is no finding")
    func parameters() throws {
        var subject = try LintFixture.subject()
        let new = InputDeclaration(
            of: "Shop.price", parameters: [.init("a", isRequired: true), .init("b", isRequired: true)])
        subject.inputs = [new]
        for old in [
            InputDeclaration(of: "Shop.price", parameters: [.init("a", isRequired: true)], isComplete: false), new,
        ] {
            subject.published = PublishedVersion(
                manifest: LintFixture.manifest(version: "1.0.0"), symbols: nil, inputs: [old])
            #expect(LintReport(of: subject).findings.map(\.rule.code) == [])
        }
    }

    private static func order(_ properties: (String, ValueShape)..., isComplete: Bool = true) -> ValueShape {
        .structure(properties.map { .init($0, $1) }, isComplete: isComplete)
    }

    @Test(
        "A result may gain properties, and always have those that could be absent",
        arguments: [
            (order(("id", .value("Int"))), order(("id", .value("Int")), ("note", .value("String")))),
            (order(("note", .optional(.value("String")))), order(("note", .value("String")))),
            (order(("note", .optional(.value("String")))), order()),
            (order(("id", .value("Int"))), order(isComplete: false)), (.value("NoValue"), .value("Int")),
            (.list(order(("id", .value("Int")))), .list(order(("id", .value("Int"))))),
        ])
    func results(old: ValueShape, new: ValueShape) throws { #expect(try resultFindings(old, new) == []) }

    @Test(
        "A result that lacks a property, or has another type, breaks its readers",
        arguments: [
            (order(("id", .value("Int"))), order(("number", .value("Int"))), "lacks the property \"id\", which it had"),
            (
                order(("id", .value("Int"))), order(("id", .optional(.value("Int")))),
                "has the property \"id\" of type Int?, but had Int"
            ),
            (
                .list(order(("line", order(("id", .value("Int")))))),
                .list(order(("line", order(("id", .value("UUID")))))),
                "has the property \"line.id\" of type UUID, but had Int"
            ),
            (.value("Int"), .list(.value("Int")), "has the type [Int], but had Int"),
        ])
    func lostResults(old: ValueShape, new: ValueShape, what: String) throws {
        #expect(try resultFindings(old, new) == ["the result of \"Shop.price\" \(what) in 1.0.0"])
    }

    private func resultFindings(_ old: ValueShape, _ new: ValueShape) throws -> [String] {
        var subject = try LintFixture.subject()
        subject.published = LintFixture.published(
            targets: [LintFixture.target], inputs: [LintFixture.price("Int", old)])
        subject.inputs = [LintFixture.price("Int", new)]
        return LintReport(of: subject, rules: LintRule.contracts).findings.flatMap { $0.problems.map(\.what) }
    }

    private func found(_ old: String, _ new: [String]) throws -> [String] {
        var subject = try LintFixture.subject()
        subject.published = LintFixture.published(routes: [.page(old)])
        subject.manifest = LintFixture.manifest(routes: new.map { .page($0) })
        return LintReport(of: subject, rules: LintRule.contracts).findings.map(\.rule.code)
    }
}
