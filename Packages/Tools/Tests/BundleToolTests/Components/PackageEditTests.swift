import Console
import HostSystem
import PluginCore
import Testing

@testable import BundleTool

@Suite("The changes of an author's files", .tags(.small))
struct PackageEditTests {
    private static let package = """
        // swift-tools-version: 6.3
        import PackageDescription

        let package = Package(
            name: "Caller",
            targets: [.target(name: "Caller")]
        )

        """

    @Test("Package.swift gets one block, which is rewritten, and is as before without components")
    func block() throws {
        let one = try #require(PackageBlock.applied(["OrdersInterface"], to: Self.package))
        #expect(one.hasPrefix(Self.package) && one.contains(".package(path: \"Components/OrdersInterface\"),"))
        let two = try #require(PackageBlock.applied(["MapInterface", "OrdersInterface"], to: one))
        #expect(two.split(separator: "\n").filter { $0.hasPrefix("// Components:") }.count == 1)
        #expect(PackageBlock.applied(["OrdersInterface"], to: two) == one)
        #expect(PackageBlock.applied([], to: two) == Self.package)
        // Lines that the author has added below stay.
        #expect(PackageBlock.applied([], to: one + "// more\n") == Self.package + "\n// more\n")
    }

    @Test(
        "A Package.swift that makes its package in another way, or with a damaged block, is not changed",
        arguments: [
            "import PackageDescription\nlet all = Package(name: \"x\")\n",
            package + "// End of components.\n",
            (PackageBlock.applied(["AInterface"], to: package) ?? "") + "// End of components.\n",
        ])
    func untouched(text: String) { #expect(PackageBlock.applied(["OrdersInterface"], to: text) == nil) }

    @Test("A name in the block is not taken, and one outside is")
    func taken() throws {
        let text = try #require(PackageBlock.applied(["OrdersInterface"], to: Self.package))
        #expect(!PackageBlock.isTaken("OrdersInterface", in: text) && PackageBlock.isTaken("Caller", in: text))
    }

    @Test(
        "A requirement is added to any form of manifest, changed in place, and removed without a trace",
        arguments: [
            "{\n  \"identifier\": \"a.b\"\n}\n", "{\"identifier\":\"a.b\",\"x\":[1.5,{\"requires\":[]}]}",
            "{\"requires\": [{\"bundle\": \"c.d\", \"versions\": \"^1.0.0\"}], \"identifier\": \"a.b\"}",
            "{ \"identifier\": \"a \\\" }.b\", \"requires\": [ {\"bundle\":\"c.d\"}, {\"bundle\":\"e.f\"} ] }",
        ])
    func requirement(text: String) throws {
        let added = try #require(ManifestRequirement.set("com.example.x", "^1.2.0", in: text))
        #expect(added.contains(#"{ "bundle": "com.example.x", "versions": "^1.2.0", "onDemand": true }"#))
        #expect(try StrictJSON.decode(Requirements.self, from: Array(added.utf8)).bundles.contains("com.example.x"))
        let changed = try #require(ManifestRequirement.set("com.example.x", "^2.0.0", in: added))
        #expect(changed == added.replacing("^1.2.0", with: "^2.0.0"))
        #expect(ManifestRequirement.set("com.example.x", "^2.0.0", in: changed) == changed)
        #expect(ManifestRequirement.remove("com.example.x", from: changed) == text)
        #expect(ManifestRequirement.remove("com.example.y", from: changed) == changed)
    }

    @Test("A requirement without a range gets one, and an empty list is filled")
    func forms() throws {
        let manifest = #"{"identifier":"a.b","requires":[{"bundle":"c.d","onDemand":true}]}"#
        let bare = try #require(ManifestRequirement.set("c.d", "^1.0.0", in: manifest))
        #expect(bare == #"{"identifier":"a.b","requires":[{"bundle":"c.d", "versions": "^1.0.0","onDemand":true}]}"#)
        let empty = try #require(ManifestRequirement.set("c.d", "*", in: #"{"identifier":"a.b","requires":[ ]}"#))
        #expect(try StrictJSON.decode(Requirements.self, from: Array(empty.utf8)).bundles == ["c.d"])
        for text in ["", "[]", "{", #"{"identifier":"a.b","requires":{}}"#, #"{"requires":[]}"#] {
            #expect(ManifestRequirement.set("c.d", "*", in: text) == nil)
        }
    }

    private struct Requirements: Decodable {
        struct Requirement: Decodable { let bundle: String }

        let requires: [Requirement]
        var bundles: [String] { requires.map(\.bundle) }
    }

    @Test(
        "A lock file that names a folder outside, or one module twice, is refused",
        arguments: [("module", "../x"), ("identifier", "x"), ("version", "1"), ("range", "?")])
    func lock(field: String, value: String) throws {
        let fields = [
            "identifier": "com.example.x", "version": "1.0.0", "range": "^1.0.0", "module": "XInterface",
            "team": "com.example", "seal": "00", "catalog": "https://example.org",
        ].map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ")
        let lock = try ComponentLock(
            reading: Array("{ \"formatVersion\": 1, \"components\": [{ \(fields) }] }".utf8), of: "components.json")
        #expect(lock["com.example.x"]?.identity.description == "com.example.x@1.0.0")
        #expect(try ComponentLock(reading: Array(lock.text.utf8), of: "components.json") == lock)
        let old =
            ["module": "XInterface", "identifier": "com.example.x", "version": "1.0.0", "range": "^1.0.0"][field] ?? ""
        let changed = lock.text.replacing("\"\(field)\" : \"\(old)\"", with: "\"\(field)\" : \"\(value)\"")
        #expect(changed != lock.text)
        #expect(throws: CommandError.self) { try ComponentLock(reading: Array(changed.utf8), of: "components.json") }
    }
}
