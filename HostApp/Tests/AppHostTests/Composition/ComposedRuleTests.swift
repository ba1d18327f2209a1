import PluginCore
import PluginRouter
import Testing

@testable import AppHost

@Suite("Rules of bundle.json", .tags(.small))
struct ComposedRuleTests {
    private static let converters = RouteConverters.standard

    private func rule(_ page: String, at pattern: String = "shop/x") throws -> ComposedRule {
        ComposedRule(
            pattern: try RoutePattern(pattern), owner: "com.example.shop", page: (page, nil), parameters: [],
            converters: Self.converters)
    }

    private func manifest(_ routes: RouteDeclaration...) -> Manifest { manifest(routes) }

    private func manifest(_ routes: [RouteDeclaration]) -> Manifest {
        let version = SemanticVersion(major: 1, minor: 0, patch: 0)
        return Manifest(
            identity: BundleIdentity(identifier: "com.example.shop", version: version), name: "Shop", kind: .app,
            entry: "libShop.so", routes: routes)
    }

    /// Returns the page or layout that a rule leads to.
    private func served(_ rule: ComposedRule, by manifest: Manifest) -> String {
        guard case .declared(let name, let layout) = rule.route(in: manifest).service else {
            return "code"
        }
        return layout ?? name
    }

    @Test(
        "A rule finds its page with or without the suffix Page, preferring the spelling in the rule",
        arguments: [
            ("item", ["item"], "item"), ("itemPage", ["item"], "item"), ("ItemPage", ["item"], "item"),
            ("Item", ["item"], "item"), ("item", ["itemPage"], "itemPage"), ("Item", ["ItemPage"], "ItemPage"),
            ("item", ["itemPage", "item"], "item"), ("itemPage", ["item", "itemPage"], "itemPage"),
            ("Page", ["Page"], "Page"), ("items", ["item"], "items"),
        ])
    func suffix(page: String, names: [String], found: String) throws {
        let routes = names.map { RouteDeclaration(pattern: "shop/\($0)", kind: .page, name: $0) }
        #expect(served(try rule(page), by: manifest(routes)) == found)
    }

    @Test("A rule without a page leads to the first page of the manifest that needs no captures")
    func entry() throws {
        let item = RouteDeclaration(pattern: "shop/:id", kind: .page, name: "item")
        let home = RouteDeclaration(pattern: "shop(/home)", kind: .page, name: "home")
        let about = RouteDeclaration(pattern: "shop/about", kind: .page, name: "about", layout: "help/about")
        let price = RouteDeclaration(pattern: "price", kind: .object, name: "price")
        #expect(served(try rule(""), by: manifest(price, item, home, about)) == "home")
        #expect(served(try rule(""), by: manifest(about, home)) == "help/about")
        #expect(served(try rule(""), by: manifest(price, item)) == "item")
        #expect(manifest(price).entryPage(Self.converters) == nil)
    }

    @Test("A rule keeps the guards and the exposure of the page and puts its own guards first")
    func inherited() throws {
        let manifest = self.manifest(
            RouteDeclaration(
                pattern: "shop/a", kind: .page, name: "item", guards: ["A.b", "C.d"], exposure: .external),
            RouteDeclaration(
                pattern: "shop/b", kind: .page, name: "item", guards: ["A.b"], exposure: .internal, deadline: 3),
            RouteDeclaration(pattern: "shop/c", kind: .page, name: "open", exposure: .external))
        var rule = try rule("itemPage")
        let silent = rule.route(in: manifest)
        #expect(silent.guards == ["A.b", "C.d"] && silent.exposure == .internal)
        #expect(silent.deadline == .seconds(3))
        rule.guards = ["C.d", "E.f"]
        rule.exposure = .external
        let outspoken = rule.route(in: manifest)
        #expect(outspoken.guards == ["C.d", "E.f", "A.b"] && outspoken.exposure == .external)
        #expect(try self.rule("open").route(in: manifest).exposure == .external)
        #expect(try self.rule("undeclared").route(in: manifest).exposure == .plugins)
    }

    @Test("A rule takes precedence over the manifest's route for the same address, whatever its priority")
    func priority() throws {
        let manifest = self.manifest(
            RouteDeclaration(pattern: "shop/:id", kind: .page, name: "item", priority: 5),
            RouteDeclaration(pattern: "shop/a", kind: .page, name: "a", priority: 9))
        var rule = try rule("other", at: "shop/:other")
        #expect(rule.route(in: manifest).priority == 5)
        rule.priority = 7
        #expect(rule.route(in: manifest).priority == 7)
        #expect(try self.rule("b", at: "shop/b").route(in: manifest).priority == 0)
    }
}
