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

    @Test("Routes and actions that only the plugin itself could use may go")
    func own() throws {
        var subject = try LintFixture.subject()
        subject.published = LintFixture.published(
            routes: [.page("shop/gone", exposure: .internal)],
            targets: [TargetDeclaration(name: "Gone", actions: [ActionDeclaration(name: "x", exposure: .internal)])])
        #expect(LintReport(of: subject).findings.map(\.rule.code) == [])
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

    private func found(_ old: String, _ new: [String]) throws -> [String] {
        var subject = try LintFixture.subject()
        subject.published = LintFixture.published(routes: [.page(old)])
        subject.manifest = LintFixture.manifest(routes: new.map { .page($0) })
        return LintReport(of: subject, rules: LintRule.contracts).findings.map(\.rule.code)
    }
}
