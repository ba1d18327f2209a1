import CatalogFormat
import Console
import Foundation
import HostSystem
import PluginCore
import Signing
import Testing
import Trust

@testable import BundleTool

@Suite("bundletool add", .tags(.large))
struct AddCommandTests {
    private let fixture: ComponentFixture

    init() throws { fixture = try ComponentFixture() }

    @Test("adds the newest version in the range, updates it, fetches it again, and removes it without a trace")
    func life() throws {
        for version in ["1.0.0", "1.1.0-beta.1"] { try fixture.pack(version) }
        try fixture.catalog.run("publish", fixture.catalog.path("packages"))
        try fixture.makeAuthor()
        let before = try fixture.authorFiles()

        let added = try fixture.add("com.example.app.orders")
        #expect(added.status == 0 && added.output.hasPrefix("added  com.example.app.orders@1.0.0"), "\(added)")
        #expect(added.output.contains("import OrdersInterface"))
        let source = "Components/OrdersInterface/Sources/OrdersInterface/OrdersActions.swift"
        #expect(try fixture.text(source).contains("// 1.0.0"))
        #expect(try fixture.text("Package.swift").contains("Components/OrdersInterface"))
        #expect(try fixture.text("manifest.json").contains(#""versions": "^1.0.0""#))
        let first = try fixture.authorFiles()
        #expect(try fixture.add("com.example.app.orders", options: []).output.hasPrefix("unchanged"))
        #expect(try fixture.authorFiles() == first)

        for version in ["1.1.0", "2.0.0"] { try fixture.pack(version) }
        try fixture.catalog.run("publish", fixture.catalog.path("packages"))
        let updated = try fixture.add("com.example.app.orders", options: ["--json"])
        #expect(updated.output.contains(#""change": "updated""#) && updated.output.contains(#""version": "1.1.0""#))
        #expect(try fixture.add("com.example.app.orders", "^2.0.0", options: []).output.contains("orders@2.0.0"))
        #expect(try fixture.text("manifest.json").contains(#""versions": "^2.0.0""#))
        let second = try fixture.authorFiles()

        for name in [".build", "Components/OrdersInterface"] {
            try FileManager.default.removeItem(atPath: fixture.author.appending(name).string)
        }
        let restored = try runProgram(["add", "--directory", fixture.author.string])
        #expect(
            restored.status == 0 && restored.output.contains("restored  com.example.app.orders@2.0.0"), "\(restored)")
        #expect(try fixture.authorFiles() == second)

        let removed = try runProgram(["remove", "com.example.app.orders", "--directory", fixture.author.string])
        #expect(removed.status == 0, "\(removed)")
        #expect(try fixture.authorFiles() == before)
        let again = try runProgram(["remove", "com.example.app.orders", "--directory", fixture.author.string])
        #expect(again.status == 66 && again.output.contains("was not added"))
    }

    @Test("An error says what to do, and changes nothing")
    func errors() throws {
        try fixture.pack("1.0.0")
        try fixture.catalog.package("com.example.app.shop", "1.0.0", signedBy: fixture.key)
        try fixture.catalog.run("publish", fixture.catalog.path("packages"))
        try fixture.makeAuthor()
        let before = try fixture.authorFiles()
        let orders = "com.example.app.orders"
        let (root, trust) = (Array(fixture.options[2...3]), Array(fixture.options[4...]))
        let site = Array(fixture.options[...1])
        func expect(_ status: Int32, _ text: String, _ words: [String], _ options: [String]) throws {
            let result = try runProgram(["add"] + words + ["--directory", fixture.author.string] + options)
            #expect(result.status == status && result.output.contains(text), "\(words): \(result)")
            #expect(try fixture.authorFiles() == before, "\(words)")
        }
        try expect(66, "has no plugin \"com.example.app.other\"", ["com.example.app.other"], fixture.options)
        try expect(66, "was published without an Interface", ["com.example.app.shop"], fixture.options)
        try expect(66, "choose a range with one of 1.0.0", [orders, "^3.0.0"], fixture.options)
        try expect(69, "cannot be reached", [orders], ["--catalog", "http://127.0.0.1:1"] + root + trust)
        try expect(77, "no root of the catalog", [orders], site + trust)
        try expect(77, "no team is trusted", [orders], site + root)
        try expect(64, "no catalog is named", [orders], root + trust)
        try expect(64, "is not the address of a catalog", [orders], ["--catalog", "nowhere"] + root + trust)
        try expect(64, "give a range such as", [orders, "newest"], fixture.options)
        try expect(64, "give a reverse-domain name", ["orders"], fixture.options)
        try expect(64, "<plugin>", [], fixture.options)
        try expect(64, "--team", [orders, "--key", fixture.catalog.path("trust.json")], fixture.options)
        let other = try ComponentFixture.trust(SigningKey.generate().publicKey)
        try fixture.catalog.write(other.encoded(), to: "other.json")
        try expect(77, "team", [orders], site + root + ["--trust", fixture.catalog.path("other.json")])
    }

    @Test("A module whose name is taken, and a manifest that is none, are refused, and nothing changes")
    func taken() throws {
        try fixture.pack("1.0.0")
        try fixture.catalog.run("publish", fixture.catalog.path("packages"))
        try fixture.makeAuthor()
        let package = try fixture.text("Package.swift")
        let taken = package.replacing("targets: [\n", with: "targets: [\n        .target(name: \"OrdersInterface\"),\n")
        try fixture.catalog.write(Array(taken.utf8), to: "author/Package.swift")
        let target = try fixture.add("com.example.app.orders")
        #expect(target.status == 65 && target.output.contains("already called \"OrdersInterface\""), "\(target)")
        try fixture.catalog.write(Array(package.utf8), to: "author/Package.swift")
        try fixture.catalog.write([1], to: "author/Components/OrdersInterface/own")
        let folder = try fixture.add("com.example.app.orders")
        #expect(folder.status == 65 && folder.output.contains("the folder"), "\(folder)")
        try FileManager.default.removeItem(atPath: fixture.author.appending("Components").string)
        try fixture.catalog.write(Array("[]".utf8), to: "author/manifest.json")
        let before = try fixture.authorFiles()
        let manifest = try fixture.add("com.example.app.orders")
        #expect(manifest.status == 65 && manifest.output.contains("is not a manifest"), "\(manifest)")
        #expect(try fixture.authorFiles() == before)
    }

    @Test("A Package.swift that cannot be changed stays, and the lines to add are printed until they are there")
    func lines() throws {
        try fixture.pack("1.0.0")
        try fixture.catalog.run("publish", fixture.catalog.path("packages"))
        try fixture.makeAuthor()
        let own = try fixture.text("Package.swift").replacing(
            "let package = Package(", with: "let package: Package = .init(")
        try fixture.catalog.write(Array(own.utf8), to: "author/Package.swift")
        let added = try fixture.add("com.example.app.orders")
        let lines = PackageBlock.lines(for: ["OrdersInterface"]).joined(separator: "\n")
        #expect(added.status == 0 && added.output.contains(lines), "\(added)")
        #expect(try fixture.text("Package.swift") == own)
        try fixture.catalog.write(Array((own + lines + "\n").utf8), to: "author/Package.swift")
        #expect(try !fixture.add("com.example.app.orders").output.contains("Add these lines"))
    }

    @Test("An archive that is not what the signed metadata describe is refused, and so is another root or content")
    func mismatch() throws {
        let archive = try fixture.pack("1.0.0")
        try fixture.catalog.run("publish", fixture.catalog.path("packages"))
        try fixture.makeAuthor()
        let path = CatalogPath.interface(of: try identity("1.0.0", of: ComponentFixture.orders))
        try fixture.publish(path, archive, custom: ComponentFixture.described(archive, as: "OtherInterface"))
        let before = try fixture.authorFiles()
        let refused = try fixture.add("com.example.app.orders")
        let instead = "\"OrdersInterface\" instead of \"OtherInterface\""
        #expect(refused.status == 77 && refused.output.contains(instead), "\(refused)")
        #expect(try fixture.authorFiles() == before)

        try fixture.publish(path, archive, custom: ComponentFixture.described(archive))
        #expect(try fixture.add("com.example.app.orders").status == 0)
        try fixture.catalog.write([1], to: "other.root.json")
        let pinned = ["--root", fixture.catalog.path("other.root.json")]
        let root = try fixture.add("com.example.app.orders", options: pinned)
        #expect(root.status == 77 && root.output.contains("another root is pinned"), "\(root)")
        // The owner of the catalog replaces the content of a version that was added.
        try FileManager.default.removeItem(atPath: archive.string)
        let other = try fixture.pack("1.0.0", source: "import Foundation\n")
        try fixture.publish(path, other, custom: ComponentFixture.described(other))
        try FileManager.default.removeItem(atPath: fixture.author.appending(".build").string)
        let locked = try runProgram(["add", "--directory", fixture.author.string])
        #expect(locked.status == 77 && locked.output.contains("not the one that the lock file names"), "\(locked)")
    }

    @Test("An SDK is fetched by a range of versions, and an archive that is none is not published")
    func sdk() throws {
        func make(_ version: String, named name: String? = nil) throws -> String {
            let name = name ?? "atrium-sdk-\(version)-\(Platform.triple)"
            let facts = #"{"formatVersion":1,"version":"\#(version)","triple":"\#(Platform.triple)","swift":"6.3"}"#
            try fixture.catalog.write(Array(facts.utf8), to: "sdks/\(name)/sdk.json")
            let path = fixture.catalog.path("sdks/\(name).tar.gz")
            let tar = try runProgram(
                at: "/usr/bin/env", ["tar", "-C", fixture.catalog.path("sdks"), "-czf", path, name])
            #expect(tar.status == 0, "\(tar.output)")
            return path
        }
        for version in ["0.9.0", "0.9.1", "1.0.0"] { try fixture.catalog.run("publish", make(version)) }
        let report = try bundletool("catalog", fixture.catalog.site.string, "--json")
        #expect(report.status == .done && report.text.contains(#""kind": "sdk""#))
        let output = fixture.catalog.path("out")
        let options = Array(fixture.options[...3]) + ["--output", output]
        let fetched = try runProgram(["add", "--sdk", "^0.9.0"] + options)
        #expect(fetched.status == 0 && fetched.output.contains("the SDK 0.9.1"), "\(fetched)")
        let name = "atrium-sdk-0.9.1-\(Platform.triple).tar.gz"
        let original = fixture.catalog.path("sdks/\(name)")
        #expect(FileManager.default.contentsEqual(atPath: "\(output)/\(name)", andPath: original))
        let nothing = try runProgram(["add", "--sdk", "^2.0.0"] + options)
        #expect(nothing.status == 66 && nothing.output.contains("1.0.0, 0.9.1, 0.9.0"), "\(nothing)")
        for path in [try make("1.1.0", named: "other"), fixture.catalog.path("password") + ".tar.gz"] {
            try fixture.catalog.write([1], to: "password.tar.gz")
            #expect(throws: CommandError.self) { try fixture.catalog.run("publish", path) }
        }
    }
}
