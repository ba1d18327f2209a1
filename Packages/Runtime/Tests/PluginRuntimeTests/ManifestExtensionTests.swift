import Authoring
import ExtensionHost
import HostSystem
import PluginCore
import PluginExtension
import PluginRouter
import Testing
@testable import BundleFormat

@Suite("Manifests with extensions, and those that code completes", .tags(.small))
struct ManifestExtensionTests {
    static let fields = #"""
        "extensions": [
          {"identifier": "com.example.app.notes.share", "point": "share", "entry": "libNotesShare.so", "name": "Notes",
           "activation": {"text": true, "images": {"max": 3}, "version": 2}, "limits": {"memory": 67108864, "request": 10}},
          {"identifier": "com.example.app.notes.pay", "point": "com.example.app.bank.payment", "entry": "libPay.so",
           "name": "Pay", "activation": {"files": {"max": 1}}},
          {"identifier": "com.example.app.notes.style", "point": "com.example.app.notes.styles", "entry": "libStyle.so",
           "name": "Bold", "limits": {"idle": 5}} ],
        "extensionPoints": [{"identifier": "com.example.app.notes.styles", "limits": {"request": 4, "idle": 60}}],
        "permissions": ["network"], "isolation": "process"
        """#

    static func manifest(_ fields: String = fields, kind: String = "app", and others: String = "") -> String {
        """
        {"formatVersion": 1, "identifier": "com.example.app.notes", "version": "1.0.0", "name": "Notes",
         "kind": "\(kind)", "entry": "libNotes.so", "coreABI": 3, \(fields)\(others)}
        """
    }

    @Test("Extensions, points, permissions and isolation are read, read again when encoded, and may be absent")
    func good() throws {
        let manifest = try ManifestReader.read(Array(Self.manifest().utf8), of: "test.zip")
        try ExtensionRules().require(manifest, of: "test.zip")
        #expect(
            manifest.extensions == [
                ExtensionDeclaration(
                    identifier: "com.example.app.notes.share", point: "share", entry: "libNotesShare.so", name: "Notes",
                    activation: #"{"images":{"max":3},"text":true,"version":2}"#,
                    limits: ["request": 10, "memory": 67_108_864]),
                ExtensionDeclaration(
                    identifier: "com.example.app.notes.pay", point: "com.example.app.bank.payment", entry: "libPay.so",
                    name: "Pay", activation: #"{"files":{"max":1}}"#),
                ExtensionDeclaration(
                    identifier: "com.example.app.notes.style", point: "com.example.app.notes.styles",
                    entry: "libStyle.so", name: "Bold", limits: ["idle": 5]),
            ])
        #expect(
            manifest.extensionPoints == [
                ExtensionPointDeclaration(
                    identifier: "com.example.app.notes.styles", limits: ExtensionLimits(request: 4, idle: 60))
            ])
        #expect(manifest.permissions == [.network] && manifest.isolation == .process)
        let changed = try CompletedManifest(
            Array(Self.manifest().utf8), of: "test.zip", with: nil, prerelease: "dev.1"
        ).manifest
        #expect(changed.extensions == manifest.extensions && changed.extensionPoints == manifest.extensionPoints)
        #expect(changed.permissions == [.network] && changed.isolation == .process)
        let least = try ManifestReader.read(Array(Self.manifest(#""services": []"#).utf8), of: "test.zip")
        #expect(least.extensions.isEmpty && least.extensionPoints.isEmpty && least.permissions.isEmpty)
        #expect(least.isolation == .host)
    }

    @Test(
        "A fault of an extension is rejected with one problem at its place",
        arguments: [
            (#""com.example.app.notes.share""#, #""share""#, "extensions[0].identifier", "notIdentifier(text: share)"),
            (
                #""com.example.app.notes.share""#, #""com.example.app.notesshare""#,
                "extensions[0].identifier",
                "notBelowBundle(bundle: com.example.app.notes, text: com.example.app.notesshare)"
            ),
            ("notes.pay", "notes.share", "extensions", "nameTwice(name: com.example.app.notes.share)"),
            ("libPay.so", "libNotes.so", "extensions", "nameTwice(name: libNotes.so)"),
            ("libPay.so", "../libPay.so", "extensions[1].entry", "notLibraryName(text: ../libPay.so)"),
            (#""point": "share", "#, "", "extensions[0].point", "fieldMissing"),
            (
                #""point": "share""#, #""point": "shard""#,
                "extensions[0].point", "valueMisspelled(known: [action, com.example.app.notes.styles, "
            ),
            (
                #""point": "com.example.app.notes.styles""#, #""point": "com.example.app.notes.style""#,
                "extensions[2].point", "pointNotDeclared(text: com.example.app.notes.style)"
            ),
            (#""name": "Pay""#, #""name": """#, "extensions[1].name", "empty"),
            (
                #""name": "Pay""#, #""name": "\#(String(repeating: "x", count: 257))""#,
                "extensions[1].name", "tooLong(limit: 256)"
            ),
            (#""images""#, #""imagse""#, "extensions[0].activation.imagse", "fieldMisspelled(nearest: images)"),
            (
                #"{"files": {"max": 1}}"#, #""TRUEPREDICATE""#,
                "extensions[1].activation",
                #"activationText(example: {"text": true, "images": {"max": 3}}, kinds: [text, "#
            ),
            (#"{"files": {"max": 1}}"#, "7", "extensions[1].activation", "objectExpected"),
            (
                "67108864", "536870912",
                "extensions[0].limits.memory", "limitAbovePoint(most: 268435456, value: 536870912)"
            ),
            (#""idle": 5"#, #""idle": 61"#, "extensions[2].limits.idle", "limitAbovePoint(most: 60, value: 61)"),
            (
                "67108864", "1000",
                "extensions[0].limits.memory", "limitInvalid(least: 1048576, most: 1099511627776, value: 1000)"
            ),
            (#""memory""#, #""memry""#, "extensions[0].limits.memry", "fieldMisspelled(nearest: memory)"),
            (#"{"idle": 5}"#, "5", "extensions[2].limits", "objectExpected"),
            (
                #""idle": 60}}]"#, #""idle": 60}}, {"identifier": "com.example.app.notes.styles"}]"#,
                "extensionPoints", "nameTwice(name: com.example.app.notes.styles)"
            ),
            (
                #""request": 4"#, #""request": 0"#,
                "extensionPoints[0].limits.request", "limitInvalid(least: 0.1, most: 3600, value: 0)"
            ),
            (
                #"["network"]"#, #"["netwrk"]"#,
                "permissions[0]", "valueMisspelled(known: [network], nearest: network, text: netwrk)"
            ),
            (#"["network"]"#, #"["network", "network"]"#, "permissions", "nameTwice(name: network)"),
            (
                #""process""#, #""prozess""#,
                "isolation", "valueMisspelled(known: [host, process], nearest: process, text: prozess)"
            ),
        ])
    func fault(old: String, new: String, place: String, problem: String) throws {
        let text = Self.manifest().replacing(old, with: new, maxReplacements: 1)
        try #require(text != Self.manifest())
        let problems = try Self.problems(of: text)
        #expect(problems.count == 1 && problems[0].hasPrefix("at(place: \(place), problem: \(problem)"), "\(problems)")
    }

    @Test("A limit above that of a point that another bundle's code declares is rejected")
    func foreignPoint() throws {
        let bank = ExtensionPointDeclaration(
            identifier: "com.example.app.bank.payment", limits: ExtensionLimits(request: 5))
        let text = Self.manifest().replacing(
            #"{"files": {"max": 1}}"#, with: #"{"files": {"max": 1}}, "limits": {"request": 6}"#)
        let manifest = try ManifestReader.read(Array(text.utf8), of: "test.zip")
        let problems = ManifestProblems()
        ExtensionRules(points: [bank]).check(manifest, problems)
        #expect(
            problems.all.map(\.description) == [
                "at(place: extensions[1].limits.request, problem: limitAbovePoint(most: 5, value: 6))"
            ])
        try ExtensionRules().require(manifest, of: "test.zip")
    }

    /// Returns the problems that a tool reports at once, of the runtime's fields and the layer's.
    static func problems(of text: String) throws -> [String] {
        let error = #expect(throws: AtriumError.self) {
            try ManifestReader.read(
                Array(text.utf8), of: "test.zip", converters: .standard, reporting: ManifestProblems(),
                checking: ExtensionRules().check)
        }
        return error?.problems.map(\.description) ?? []
    }

    @Test("Faults of several extensions are reported together")
    func several() throws {
        let text = Self.manifest(
            #"""
            "extensions": [{"identifier": "share", "entry": "share", "name": ""}, 7, {"point": "today"}],
            "permissions": ["camera", "network", 5], "isolation": true
            """#)
        let places = try Self.problems(of: text).map { String($0.dropFirst(10).prefix { $0 != "," }) }
        #expect(
            places.sorted() == [
                "extensions[0].entry", "extensions[0].identifier", "extensions[0].name", "extensions[0].point",
                "extensions[1]", "extensions[2].entry", "extensions[2].identifier", "extensions[2].name", "isolation",
                "permissions[0]", "permissions[2]",
            ])
    }

    @Test("Only an app has extensions, extension points, permissions and isolation")
    func onlyApps() throws {
        let problems = try Self.problems(of: Self.manifest(kind: "lib"))
        #expect(
            problems
                == ["permissions", "isolation", "extensions", "extensionPoints"].map {
                    "at(place: \($0), problem: onlyApps(kind: lib))"
                })
    }

    @Test("Code adds the points of extensions and of the bundle, and an extension without a point is left out")
    func completed() throws {
        let source = Self.manifest(
            #""extensions": [{"identifier": "com.example.app.notes.share", "entry": "libNotesShare.so", "name": "Notes"}]"#
        )
        let point = ExtensionPointDeclaration(
            identifier: "com.example.app.notes.styles", limits: ExtensionLimits(request: 4))
        let complete = try CompletedManifest(
            Array(source.utf8), of: "test", with: BundleDeclarations(), ownPoints: [point],
            extensionPoints: ["libNotesShare.so": ExtensionPoints.share.declaration])
        #expect(complete.manifest.extensions.map(\.point) == ["share"])
        #expect(complete.manifest.extensionPoints == [point])
        #expect(complete.additions.extensions == ["com.example.app.notes.share at share"])
        #expect(complete.additions.extensionPoints == ["com.example.app.notes.styles"])
        #expect(try ManifestReader.read(complete.bytes, of: "test") == complete.manifest)
        let again = try CompletedManifest(
            complete.bytes, of: "test", with: BundleDeclarations(), ownPoints: [point],
            extensionPoints: ["libNotesShare.so": ExtensionPoints.share.declaration])
        #expect(again.additions.isEmpty && again.bytes == complete.bytes)
        let without = try CompletedManifest(Array(source.utf8), of: "test", with: BundleDeclarations())
        #expect(without.manifest.extensions.isEmpty)
    }

    @Test("A point that the code declares twice is a problem of the code")
    func twice() throws {
        let point = ExtensionPointDeclaration(identifier: "com.example.app.notes.gift")
        let error = #expect(throws: AtriumError.self) {
            try CompletedManifest(Array("{}".utf8), of: "test", with: BundleDeclarations(), ownPoints: [point, point])
        }
        let problem = ErrorReason.verbatim("extension point com.example.app.notes.gift is bound twice")
        #expect(error?.problems.first == .at("the code", problem))
    }

    @Test("Each difference between the manifest and the code of an extension names both sides")
    func differences() throws {
        let point = ExtensionPointDeclaration(
            identifier: "com.example.app.notes.styles", limits: ExtensionLimits(request: 5, idle: 60))
        let error = try #require(throws: AtriumError.self) {
            try CompletedManifest(
                Array(Self.manifest().utf8), of: "test", with: BundleDeclarations(), ownPoints: [point],
                extensionPoints: ["libNotesShare.so": ExtensionPoints.action.declaration])
        }
        #expect(
            error.problems.map(\.description) == [
                "at(place: extensionPoints[0].limits.request, problem: codeDiffers(bound: 5, written: 4))",
                "at(place: extensions[0].point, problem: codeDiffers(bound: \"action\", written: \"share\"))",
            ])
        let unbound = try #require(throws: AtriumError.self) {
            try CompletedManifest(Array(Self.manifest().utf8), of: "test", with: BundleDeclarations())
        }
        #expect(
            unbound.problems.map(\.description) == [
                "at(place: extensionPoints[0], problem: unbound(what: extension point, written: com.example.app.notes.styles))"
            ])
    }

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

    private static func source(_ fields: String, kind: String = "app") -> [UInt8] {
        Array(
            """
            {"formatVersion": 1, "identifier": "com.example.app.shop", "version": "1.1.0", "name": "Shop é",
            "kind": "\(kind)", "entry": "libShop.so", "coreABI": 3,
            "requires": [{"bundle": "com.example.lib.money", "versions": "^1.0.0", "onDemand": true}],
            "appGroups": ["group.com.example"]\(fields)}
            """.utf8)
    }

    private static func problems(_ fields: String, _ code: BundleDeclarations? = code) throws -> [String] {
        let error = try failing(.manifestInvalid) { try CompletedManifest(source(fields), of: "test", with: code) }
        return error.problems.map(\.description)
    }

    @Test("Everything that the code declares is added, and what only the author has written stays")
    func added() throws {
        let source = Self.source(
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
        let complete = try CompletedManifest(Self.source(""), of: "test", with: Self.code)
        #expect(try ManifestReader.read(complete.bytes, of: "test") == complete.manifest)
        let again = try CompletedManifest(complete.bytes, of: "test", with: Self.code)
        #expect(again.additions.isEmpty && again.bytes == complete.bytes)
        // A file to which the code adds nothing stays as it is.
        let without = try CompletedManifest(Self.source(""), of: "test", with: BundleDeclarations())
        #expect(without.additions.isEmpty && without.bytes == Self.source(""))
    }

    @Test(
        "Prerelease identifiers are added to the version, and everything else stays",
        arguments: [("1.1.0", "1.1.0-dev.7"), ("1.1.0-beta", "1.1.0-beta.dev.7")])
    func prerelease(written: String, version: String) throws {
        let source = String(decoding: Self.source(""), as: UTF8.self).replacing("1.1.0", with: written)
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
        let source = Self.source(
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
        #expect(try CompletedManifest(Self.source(route), of: "test", with: nil).manifest.routes == [])
        let library = #expect(throws: AtriumError.self) {
            try CompletedManifest(Self.source(route, kind: "lib"), of: "test", with: nil)
        }
        #expect(library?.problems.contains(.at("routes[0]", ErrorReason("oneKindExpected"))) == true)
        #expect(throws: AtriumError.self) { try ManifestReader.read(Self.source(route), of: "test") }
    }
}
