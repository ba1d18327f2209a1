import Authoring
import ExtensionHost
import PluginCore
import Testing
@testable import BundleFormat

@Suite("Extensions in manifests", .tags(.small))
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
         "kind": "\(kind)", "entry": "libNotes.so", "coreABI": 2, \(fields)\(others)}
        """
    }

    @Test("The fields of extensions, points, permissions and isolation are read")
    func good() throws {
        let manifest = try ManifestReader.read(Array(Self.manifest().utf8), of: "test.zip")
        #expect(ExtensionRules().problems(in: manifest).isEmpty)
        #expect(
            manifest.extensions == [
                ExtensionDeclaration(
                    identifier: "com.example.app.notes.share", point: "share", entry: "libNotesShare.so", name: "Notes",
                    activation: #"{"images":{"max":3},"text":true,"version":2}"#,
                    limits: LoweredLimits(request: 10, memory: 64 << 20)),
                ExtensionDeclaration(
                    identifier: "com.example.app.notes.pay", point: "com.example.app.bank.payment", entry: "libPay.so",
                    name: "Pay", activation: #"{"files":{"max":1}}"#),
                ExtensionDeclaration(
                    identifier: "com.example.app.notes.style", point: "com.example.app.notes.styles",
                    entry: "libStyle.so", name: "Bold", limits: LoweredLimits(idle: 5)),
            ])
        #expect(
            manifest.extensionPoints == [
                ExtensionPointDeclaration(
                    identifier: "com.example.app.notes.styles", limits: ExtensionLimits(request: 4, idle: 60))
            ])
        #expect(manifest.permissions == [.network])
        #expect(manifest.isolation == .process)
    }

    @Test("A manifest without them has no extensions, points and permissions, and runs in the host")
    func absent() throws {
        let manifest = try ManifestReader.read(Array(Self.manifest(#""services": []"#).utf8), of: "test.zip")
        #expect(manifest.extensions.isEmpty && manifest.extensionPoints.isEmpty && manifest.permissions.isEmpty)
        #expect(manifest.isolation == .host)
    }

    @Test("An encoded manifest is read as the same manifest")
    func encoded() throws {
        let manifest = try ManifestReader.read(Array(Self.manifest().utf8), of: "test.zip")
        #expect(try ManifestReader.read(manifest.encoded(), of: "test.zip") == manifest)
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
            (#""max": 3"#, #""max": "x""#, "extensions[0].activation.images.max", "countExpected"),
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
            (#"["network"]"#, #"["camera"]"#, "permissions[0]", "valueUnknown(known: [network], text: camera)"),
            (#"["network"]"#, #"["network", "network"]"#, "permissions", "nameTwice(name: network)"),
            (
                #""process""#, #""prozess""#,
                "isolation", "valueMisspelled(known: [host, process], nearest: process, text: prozess)"
            ),
        ])
    func fault(old: String, new: String, place: String, problem: String) throws {
        let text = Self.manifest().replacing(old, with: new, maxReplacements: 1)
        try #require(text != Self.manifest())
        let problems: [String]
        do throws(AtriumError) {
            let manifest = try ManifestReader.read(Array(text.utf8), of: "test.zip")
            problems = ExtensionRules().problems(in: manifest).map(\.description)
        } catch {
            problems = error.problems.map(\.description)
        }
        #expect(problems.count == 1 && problems[0].hasPrefix("at(place: \(place), problem: \(problem)"), "\(problems)")
    }

    @Test("A limit above that of a point that another bundle's code declares is rejected")
    func foreignPoint() throws {
        let bank = ExtensionPointDeclaration(
            identifier: "com.example.app.bank.payment", limits: ExtensionLimits(request: 5))
        let text = Self.manifest().replacing(
            #"{"files": {"max": 1}}"#, with: #"{"files": {"max": 1}}, "limits": {"request": 6}"#)
        let manifest = try ManifestReader.read(Array(text.utf8), of: "test.zip")
        #expect(
            ExtensionRules(points: [bank]).problems(in: manifest).map(\.description) == [
                "at(place: extensions[1].limits.request, problem: limitAbovePoint(most: 5, value: 6))"
            ])
        #expect(ExtensionRules().problems(in: manifest).isEmpty)
    }

    @Test("Faults of several extensions are reported together")
    func several() throws {
        let text = Self.manifest(
            #"""
            "extensions": [{"identifier": "share", "entry": "share", "name": ""}, 7, {"point": "today"}],
            "permissions": ["camera", "network", 5], "isolation": true
            """#)
        let places = try ManifestReaderTests.problems(of: text).map { String($0.dropFirst(10).prefix { $0 != "," }) }
        #expect(
            places.sorted() == [
                "extensions[0].entry", "extensions[0].identifier", "extensions[0].name", "extensions[0].point",
                "extensions[1]", "extensions[2].entry", "extensions[2].identifier", "extensions[2].name", "isolation",
                "permissions[0]", "permissions[2]",
            ])
    }

    @Test("Only an app has extensions, extension points, permissions and isolation")
    func onlyApps() throws {
        let problems = try ManifestReaderTests.problems(of: Self.manifest(kind: "lib"))
        #expect(
            problems
                == ["extensions", "extensionPoints", "permissions", "isolation"].map {
                    "at(place: \($0), problem: onlyApps(kind: lib))"
                })
    }

    @Test("Code adds the points of extensions and of the bundle")
    func completed() throws {
        let source = Self.manifest(
            #""extensions": [{"identifier": "com.example.app.notes.share", "entry": "libNotesShare.so", "name": "Notes"}]"#
        )
        let point = ExtensionPointDeclaration(
            identifier: "com.example.app.notes.styles", limits: ExtensionLimits(request: 4))
        let complete = try CompletedManifest(
            Array(source.utf8), of: "test", with: BundleDeclarations(extensionPoints: [point]),
            extensionPoints: ["libNotesShare.so": ExtensionPoints.share.declaration])
        #expect(complete.manifest.extensions.map(\.point) == ["share"])
        #expect(complete.manifest.extensionPoints == [point])
        #expect(complete.additions.extensions == ["com.example.app.notes.share at share"])
        #expect(complete.additions.extensionPoints == ["com.example.app.notes.styles"])
        #expect(try ManifestReader.read(complete.bytes, of: "test") == complete.manifest)
        let again = try CompletedManifest(
            complete.bytes, of: "test", with: BundleDeclarations(extensionPoints: [point]),
            extensionPoints: ["libNotesShare.so": ExtensionPoints.share.declaration])
        #expect(again.additions.isEmpty && again.bytes == complete.bytes)
    }

    @Test("A manifest whose extensions' code is not known lacks those without a point")
    func withoutCode() throws {
        let source = Self.manifest(
            #""extensions": [{"identifier": "com.example.app.notes.share", "entry": "libNotesShare.so", "name": "Notes"}]"#
        )
        let complete = try CompletedManifest(Array(source.utf8), of: "test", with: BundleDeclarations())
        #expect(complete.manifest.extensions.isEmpty)
    }

    @Test("Each difference between the manifest and the code of an extension names both sides")
    func differences() throws {
        let code = BundleDeclarations(extensionPoints: [
            ExtensionPointDeclaration(
                identifier: "com.example.app.notes.styles", limits: ExtensionLimits(request: 5, idle: 60))
        ])
        let error = try #require(throws: AtriumError.self) {
            try CompletedManifest(
                Array(Self.manifest().utf8), of: "test", with: code,
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
}
