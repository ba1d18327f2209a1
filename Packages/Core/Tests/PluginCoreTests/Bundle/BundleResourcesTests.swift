import FoundationEssentials
import PluginCore
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

    @Test("A malformed JSON file is an error with its reason, and a malformed string table is reported and ignored")
    func malformed() throws {
        let refused = Mutex<[String]>([])
        let resources = BundleResources(root: "/nonexistent", languages: ["de"]) { name, _ throws(AtriumError) in
            switch name {
            case "de.lproj/Localizable.json": return Array("{\"hello\": \"Hallo\"".utf8)
            case "en.lproj/Localizable.json": return Array(#"{"hello": "Hello"}"#.utf8)
            default: return Array("[1, \"2\"]".utf8)
            }
        } onRefusedTexts: { error in
            refused.withLock { $0.append("\(error)") }
        }
        let error = #expect(throws: AtriumError.self) { try resources.json([Int].self, of: "a.json") }
        #expect(error?.code == .resourceInvalid)
        #expect(error?.reason == .verbatim("[1]: expected Int"))
        #expect(resources.string("hello") == "Hello")
        #expect(
            refused.withLock { $0 } == [
                "resourceInvalid: de.lproj/Localizable.json (it cannot be read: The given data was not valid JSON.)"
            ])
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
            #expect(["both", "english", "englsih"].map { resources.string($0) } == ["Beides", "English", "englsih"])
        }
        #expect(
            missing.withLock { $0 } == [
                "\"english\" has no text: it is not in de; the text in en is shown",
                "\"englsih\" has no text: it is not in de, en; the key is shown; did you mean \"english\"?",
            ])
    }
}
