import Authoring
import PluginCore
import Testing
@testable import BundleFormat

@Suite("Manifests that code completes", .tags(.small))
struct CompletedManifestTests {
    private static let code = BundleDeclarations(
        routes: [
            RouteDeclaration(pattern: "shop", kind: .page, name: "home", guards: ["Account.requireSignIn"]),
            RouteDeclaration(
                pattern: "find", kind: .handler, name: "find", priority: -3, deadline: 2.5, mayDecline: true),
            RouteDeclaration(pattern: "price/:id", kind: .object, name: "price"),
        ],
        targets: [
            TargetDeclaration(name: "Shop", actions: ["price", "stock"]), TargetDeclaration(name: "Till", actions: []),
        ],
        services: ["PriceList"])

    private static func manifest(_ fields: String, kind: String = "app") -> [UInt8] {
        Array(
            """
            {"formatVersion": 1, "identifier": "com.example.app.shop", "version": "1.1.0", "name": "Shop é",
            "kind": "\(kind)", "entry": "libShop.so", "coreABI": 2,
            "requires": [{"bundle": "com.example.lib.money", "versions": "^1.0.0", "onDemand": true}],
            "appGroups": ["group.com.example"]\(fields)}
            """.utf8)
    }

    private static func problems(_ fields: String, _ code: BundleDeclarations? = code) throws -> [String] {
        let error = try failing(.manifestInvalid) { try CompletedManifest(manifest(fields), of: "test", with: code) }
        return error.problems.map(\.description)
    }

    @Test("Everything that the code declares is added, and what only the author has written stays")
    func added() throws {
        let source = Self.manifest(
            #"""
            , "routes": [{"pattern": "about", "page": "about", "layout": "help/about"},
            {"pattern": "shop", "exposure": "external"}],
            "targets": [{"name": "Shop", "actions": [{"name": "stock", "exposure": "internal"}]}]
            """#)
        let complete = try CompletedManifest(source, of: "test", with: Self.code)
        #expect(complete.manifest.routes.map(\.pattern) == ["shop", "find", "price/:id", "about"])
        #expect(
            complete.manifest.routes[0]
                == RouteDeclaration(
                    pattern: "shop", kind: .page, name: "home", guards: ["Account.requireSignIn"], exposure: .external))
        #expect(complete.manifest.routes[1...2] == Self.code.routes[1...])
        #expect(
            complete.manifest.targets == [
                TargetDeclaration(
                    name: "Shop", actions: [ActionDeclaration(name: "stock", exposure: .internal), "price"]),
                TargetDeclaration(name: "Till", actions: []),
            ])
        #expect(complete.manifest.services == ["PriceList"])
        #expect(complete.additions.routes == ["shop", "find", "price/:id"])
        #expect(complete.additions.actions == ["Shop.price", "Till"])
        #expect(complete.additions.services == ["PriceList"])
    }

    @Test("A host reads the completed file as the same manifest, and completing it again changes no byte")
    func encoded() throws {
        let complete = try CompletedManifest(Self.manifest(""), of: "test", with: Self.code)
        #expect(try ManifestReader.read(complete.bytes, of: "test") == complete.manifest)
        let again = try CompletedManifest(complete.bytes, of: "test", with: Self.code)
        #expect(again.additions.isEmpty && again.bytes == complete.bytes)
        // A file to which the code adds nothing stays as it is.
        let without = try CompletedManifest(Self.manifest(""), of: "test", with: BundleDeclarations())
        #expect(without.additions.isEmpty && without.bytes == Self.manifest(""))
    }

    @Test(
        "Prerelease identifiers are added to the version, and everything else stays",
        arguments: [("1.1.0", "1.1.0-dev.7"), ("1.1.0-beta", "1.1.0-beta.dev.7")])
    func prerelease(written: String, version: String) throws {
        let source = String(decoding: Self.manifest(""), as: UTF8.self).replacing("1.1.0", with: written)
        let complete = try CompletedManifest(
            Array(source.utf8), of: "test", with: BundleDeclarations(), prerelease: "dev.7")
        #expect(complete.manifest.identity.version.description == version && complete.additions.isEmpty)
        #expect(try ManifestReader.read(complete.bytes, of: "test") == complete.manifest)
    }

    @Test(
        "Each difference names its place and both sides",
        arguments: [
            (#""page": "start""#, "page", #"page "home""#, #"page "start""#),
            (#""object": "home""#, "object", #"page "home""#, #"object "home""#),
            (#""guards": []"#, "guards", #"["Account.requireSignIn"]"#, "[]"),
            (#""priority": 1"#, "priority", "0", "1"),
            (#""deadline": 5"#, "deadline", "no deadline", "5.0 seconds"),
            (#""mayDecline": true"#, "mayDecline", "false", "true"),
            (#""page": "home", "layout": "a/b""#, "layout", "a closure", #""a/b""#),
        ])
    func difference(field: String, place: String, bound: String, written: String) throws {
        let problems = try Self.problems(#", "routes": [{"pattern": "shop", \#(field)}]"#)
        #expect(
            problems == ["at(place: routes[0].\(place), problem: codeDiffers(bound: \(bound), written: \(written)))"])
    }

    @Test("Values that agree with the code are no difference, the defaults included")
    func agreeing() throws {
        let source = Self.manifest(
            #"""
            , "routes": [{"pattern": "shop", "page": "home", "guards": ["Account.requireSignIn"], "priority": 0,
            "mayDecline": false}, {"pattern": "find", "handler": "find", "deadline": 2.5, "priority": -3}]
            """#)
        #expect(try CompletedManifest(source, of: "test", with: Self.code).additions.routes == ["find", "price/:id"])
    }

    @Test("A route, an action or a service that no code binds is reported with a suggestion")
    func unbound() throws {
        let problems = try Self.problems(
            #"""
            , "routes": [{"pattern": "shpo", "page": "home"}], "targets": [{"name": "Shop", "actions": ["prise"]}],
            "services": ["Stock"]
            """#)
        #expect(
            problems == [
                "at(place: routes[0], problem: unboundMisspelled(nearest: shop, what: route, written: shpo))",
                "at(place: targets[0].actions[0], problem: "
                    + "unboundMisspelled(nearest: Shop.price, what: action, written: Shop.prise))",
                "at(place: services[0], problem: unbound(what: service, written: Stock))",
            ])
    }

    @Test("A contradiction in the code, and a value that a manifest cannot contain, are reported as the code's")
    func invalidCode() throws {
        let code = BundleDeclarations(
            routes: [RouteDeclaration(pattern: "shop/:", kind: .page, name: "home", deadline: -1)],
            targets: [TargetDeclaration(name: "Shop", actions: ["no name"])],
            problems: ["route shop is bound twice"])
        let problems = try Self.problems("", code)
        #expect(problems.contains("at(place: the code, problem: route shop is bound twice)"))
        #expect(
            problems.contains {
                $0.hasPrefix("at(place: the code's route \"shop/:\".deadline, problem: deadlineInvalid(deadline: -1.0")
            })
        #expect(problems.contains { $0.hasPrefix("at(place: the code's route \"shop/:\".pattern, ") })
        #expect(problems.contains("at(place: the code's action Shop.no name, problem: notName(text: no name))"))
        #expect(problems.count == 4, "\(problems)")
    }

    @Test("While the code is unknown, only an app's route may lack its kind")
    func unknownCode() throws {
        let route = #", "routes": [{"pattern": "shop", "exposure": "external"}]"#
        #expect(try CompletedManifest(Self.manifest(route), of: "test", with: nil).manifest.routes == [])
        let library = #expect(throws: AtriumError.self) {
            try CompletedManifest(Self.manifest(route, kind: "lib"), of: "test", with: nil)
        }
        #expect(library?.problems.contains(.at("routes[0]", ErrorReason("oneKindExpected"))) == true)
        #expect(throws: AtriumError.self) { try ManifestReader.read(Self.manifest(route), of: "test") }
    }
}
