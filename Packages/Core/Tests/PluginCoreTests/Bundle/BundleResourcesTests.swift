import FoundationEssentials
@testable import PluginCore
import Synchronization
import Testing

extension TestFolder {
    /// Writes the files of a bundle, and returns the folder's path.
    @discardableResult
    func write(_ files: [String: String]) throws -> FilePath {
        for (name, text) in files { try write(text, to: name) }
        return FilePath(path)
    }
}

@Suite("Bundle resources", .tags(.medium))
struct BundleResourcesTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test("A text is looked up in the user's language, its wider forms, English, and falls back to the key")
    func languages() async throws {
        let files = [
            "en.lproj/Localizable.json": #"{"hello": "Hello, {}!", "only": "English"}"#,
            "zh-Hans.lproj/Localizable.json": #"{"hello": "你好，{}！"}"#,
        ]
        let root = try folder.write(files)
        let resources = BundleResources(root: root, languages: ["zh-Hans-CN"])
        #expect(resources.string("hello", "家居") == "你好，家居！")
        #expect(resources.string("only") == "English")
        #expect(resources.string("none") == "none")
        #expect(BundleResources(root: root).string("hello", 5) == "Hello, 5!")
    }

    @Test(
        "A name that leads out of the resource folder is rejected",
        arguments: ["/etc/passwd", "../x", "a/../../x", "", "a//b", "."])
    func outside(name: String) throws {
        let resources = BundleResources(root: "/tmp")
        #expect(throws: AtriumError.self) { try resources.path(of: name) }
    }

    @Test(
        "The file for a scale is that of the scale, otherwise the next larger, otherwise the largest smaller one",
        arguments: [
            ([1, 2, 3], [1, 2, 3]), ([1, 2], [1, 2, 2]), ([1, 3], [1, 3, 3]), ([2, 3], [2, 2, 3]), ([1], [1, 1, 1]),
            ([2], [2, 2, 2]), ([3], [3, 3, 3]),
        ])
    func scales(existing: [Int], expected: [Int]) async throws {
        let names = ["icons/a.png", "icons/a@2x.png", "icons/a@3x.png"]
        let files = Dictionary(uniqueKeysWithValues: existing.map { (names[$0 - 1], "scale \($0)") })
        let root = try folder.write(files)
        let resources = BundleResources(root: root)
        for (asked, scale) in zip(1...3, expected) {
            let file = try resources.file("icons/a.png", scale: asked)
            #expect(file.name == names[scale - 1] && file.scale == scale, "\(asked)")
            #expect(file.bytes == Array("scale \(scale)".utf8))
        }
        #expect(try resources.file("icons/a.png", scale: .min).scale == expected[0])
        #expect(try resources.file("icons/a.png", scale: .max).scale == expected[2])
    }

    @Test(
        "A file for a scale outside of the languages' folders comes first, then the user's language, whatever the scale"
    )
    func scalesOfLanguages() async throws {
        let files = [
            "everywhere.png": "", "de.lproj/everywhere@2x.png": "", "de.lproj/flag.png": "", "en.lproj/flag@2x.png": "",
            "en.lproj/only@3x.png": "", "noExtension@2x": "", "v1.2/.hidden@2x": "",
        ]
        let root = try folder.write(files)
        let resources = BundleResources(root: root, languages: ["de-AT"])
        let asked = [
            ("everywhere.png", 2), ("flag.png", 2), ("only.png", 1), ("noExtension", 1), ("v1.2/.hidden", 1),
        ]
        let found = try asked.map { try resources.file($0.0, scale: $0.1).name }
        #expect(
            found == [
                "everywhere.png", "de.lproj/flag.png", "en.lproj/only@3x.png", "noExtension@2x", "v1.2/.hidden@2x",
            ])
        for name in ["none.png", "../everywhere.png", "/etc/passwd", ""] {
            let error = #expect(throws: AtriumError.self) { try resources.file(name, scale: 2) }
            #expect(error?.code == .resourceUnknown && error?.subject == name)
        }
    }

    @Test("A damaged file for a scale is an error, and no other scale takes its place")
    func damagedScale() throws {
        let resources = BundleResources(root: "/nonexistent", languages: []) { name, _ throws(AtriumError) in
            switch name {
            case "a.png", "a@3x.png": return [1]
            case "a@2x.png": throw AtriumError(.sealBroken, name)
            default: throw AtriumError(.resourceUnknown, name)
            }
        } onRefusedTexts: { _ in
        }
        #expect(errorCode { try resources.file("a.png", scale: 2) } == .sealBroken)
        #expect(try resources.file("a.png", scale: 1).scale == 1)
    }

    @Test("A file is read only if it is not larger than the limit")
    func limit() async throws {
        let root = try folder.write(["a.txt": "12345"])
        let resources = BundleResources(root: root)
        let bytes = try resources.bytes(of: "a.txt", limit: 5)
        #expect(bytes == Array("12345".utf8))
        #expect(errorCode { try resources.bytes(of: "a.txt", limit: 4) } == .resourceInvalid)
        #expect(throws: AtriumError.self) { try resources.bytes(of: "", limit: .max) }
    }

    @Test("A custom reader provides the content, never receives an outside name, and hears of rejected tables")
    func reader() throws {
        let refused = Mutex<[AtriumError.Code]>([])
        let resources = BundleResources(root: "/nonexistent", languages: ["de", "fr"]) { name, _ throws(AtriumError) in
            switch name {
            case "a": return Array("A".utf8)
            case "de.lproj/Localizable.json": throw AtriumError(.sealBroken, name)
            case "en.lproj/Localizable.json": return Array(#"{"hello": "Hello"}"#.utf8)
            case "..": throw AtriumError(.sealBroken, "what leads out was asked for")
            default: throw AtriumError(.resourceUnknown, name)
            }
        } onRefusedTexts: { error in
            refused.withLock { $0.append(error.code) }
        }
        #expect(try resources.bytes(of: "a") == Array("A".utf8))
        #expect(errorCode { try resources.bytes(of: "..") } == .resourceUnknown)
        #expect(resources.string("hello") == "Hello" && resources.string("hello") == "Hello")
        #expect(refused.withLock { $0 } == [.sealBroken])
    }

    @Test("A malformed JSON file is reported with its place, and a malformed string table is ignored")
    func trailingComma() throws {
        let refused = Mutex<[String]>([])
        let resources = BundleResources(root: "/nonexistent", languages: ["de"]) { name, _ throws(AtriumError) in
            switch name {
            case "de.lproj/Localizable.json": return Array("{\"hello\": \"Hallo\",\n}".utf8)
            case "en.lproj/Localizable.json": return Array(#"{"hello": "Hello"}"#.utf8)
            default: return Array("[1,]".utf8)
            }
        } onRefusedTexts: { error in
            refused.withLock { $0.append("\(error)") }
        }
        let error = #expect(throws: AtriumError.self) { try resources.json([Int].self, of: "a.json") }
        #expect(error?.code == .resourceInvalid)
        #expect(error?.reason == .verbatim("line 1, column 4: no comma is allowed before \"]\""))
        #expect(resources.string("hello") == "Hello")
        let said = "de.lproj/Localizable.json (line 2, column 1: no comma is allowed before \"}\")"
        #expect(refused.withLock { $0 } == ["resourceInvalid: \(said)"])
    }

    @Test("Each missing text is reported once")
    func missingTexts() async throws {
        let missing = Mutex<[String]>([])
        let resources = BundleResources(root: "/nonexistent", languages: ["de-AT"]) { name, _ throws(AtriumError) in
            switch name {
            case "de.lproj/Localizable.json": return Array(#"{"both": "Beides"}"#.utf8)
            case "en.lproj/Localizable.json": return Array(#"{"both": "Both", "english": "English"}"#.utf8)
            default: throw AtriumError(.resourceUnknown, name)
            }
        } onRefusedTexts: { error in
            Issue.record(error)
        } onMissingText: { sentence in
            missing.withLock { $0.append(sentence) }
        }
        for _ in 0..<2 {
            #expect(["both", "english", "none"].map { resources.string($0) } == ["Beides", "English", "none"])
        }
        #expect(
            missing.withLock { $0 } == [
                "\"english\" has no text: it is not in de; the text in en is shown",
                "\"none\" has no text: it is not in de, en; the key is shown",
            ])
    }

    @Test("An image that is missing, damaged or too large is its text, and the reason is reported once")
    func missingImage() {
        let reported = Mutex<[String]>([])
        let resources = BundleResources(root: "/nonexistent", languages: []) { name, limit throws(AtriumError) in
            switch name {
            case "damaged.png": throw AtriumError(.sealBroken, name)
            case "large.png": throw AtriumError(limit == PageImage.largestFile ? .resourceInvalid : .inputOutput, name)
            default: throw AtriumError(.resourceUnknown, name)
            }
        } onRefusedTexts: { error in
            reported.withLock { $0.append("\(error.code)") }
        } onMissingText: { text in
            reported.withLock { $0.append(text) }
        }
        for _ in 0..<3 {
            for name in ["none.png", "damaged.png", "large.png"] {
                #expect(resources.image(name, text: "T") == PageImage(png: [], text: "T"))
            }
        }
        #expect(
            reported.withLock { $0 } == [
                "there is no image none.png; its text is shown", "sealBroken", "resourceInvalid",
            ])
    }
}
