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

    @Test("A page layout is filled with parameters and localized texts")
    @MainActor
    func layout() async throws {
        let files = [
            "en.lproj/Localizable.json": #"{"title": "About {app}"}"#,
            "Pages/help.json": """
            {"pages": {"about": {"title": "@title", "content": [{"heading": "H"}, {"text": "{a}{b}{none}{not a name}{}"},
            {"label": "L", "value": "{a}"}, {"rows": [{"title": "R"}]}, {"divider": true}]}}}
            """,
        ]
        let root = try folder.write(files)
        let resources = BundleResources(root: root)
        let page = try LayoutPage(
            "help/about", of: resources, parameters: ["app": "Shop", "a": "{b}", "b": "2"], router: NoRouter())
        #expect(page.title == "About Shop")
        #expect(
            page.content == [
                .heading("H"), .text("{b}2{not a name}{}"), .field(label: "L", value: "{b}"), .list([PageRow("R")]),
                .divider,
            ]
        )
    }

    @Test("Parameters add at most a mebibyte to a page, however often its layout uses them")
    @MainActor
    func longPage() async throws {
        let many = String(repeating: "{x}", count: 20_000)
        let layout = """
            {"pages": {"a": {"title": "\(many)", "content": [{"text": "\(many)"}, {"text": "\(many)"}],
             "actions": [{"id": "go", "title": "G", "open": "app://x/\(many)"}]}}}
            """
        let resources = BundleResources(root: try folder.write(["Pages/help.json": layout]))
        func page(_ value: String) throws -> LayoutPage {
            try LayoutPage("help/a", of: resources, parameters: ["x": value], router: NoRouter())
        }
        #expect(try page("ab").title == String(repeating: "ab", count: 20_000))
        let long = try page(String(repeating: "a", count: 900))
        #expect(long.title.utf8.count < 1_200_000)
        #expect(long.title.last == "…")
        let texts = long.content.map { if case .text(let text) = $0 { text.utf8.count } else { 0 } }
        #expect(texts.reduce(0, +) < 1_300_000)
        let error = await refusal { try await long.perform("go", input: [:], on: NoNavigator()) }
        #expect(error?.code == .resourceInvalid)
    }

    @Test("A custom reader provides the content, never receives an outside name, and hears of rejected tables")
    func reader() throws {
        let refused = Mutex<[AtriumError.Code]>([])
        let resources = BundleResources(root: "/nonexistent", languages: ["de", "fr"]) { name, _ throws(AtriumError) in
            switch name {
            case "a": return Array("A".utf8)
            case "Pages/p.json": return Array(#"{"pages": {"a": {"title": "t", "content": []}}}"#.utf8)
            case "de.lproj/Localizable.json": throw AtriumError(.sealBroken, name)
            case "en.lproj/Localizable.json": return Array(#"{"hello": "Hello"}"#.utf8)
            case "..": throw AtriumError(.sealBroken, "what leads out was asked for")
            default: throw AtriumError(.resourceUnknown, name)
            }
        } onRefusedTexts: { error in
            refused.withLock { $0.append(error.code) }
        }
        #expect(try resources.bytes(of: "a") == Array("A".utf8))
        #expect(try resources.screen("p/a").title == "t")
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
            default: return Array("{\"pages\": {},}".utf8)
            }
        } onRefusedTexts: { error in
            refused.withLock { $0.append("\(error)") }
        }
        let error = #expect(throws: AtriumError.self) { try resources.screen("help/a") }
        #expect(error?.code == .resourceInvalid)
        #expect(error?.reason == .verbatim("line 1, column 14: no comma is allowed before \"}\""))
        #expect(resources.string("hello") == "Hello")
        let said = "de.lproj/Localizable.json (line 2, column 1: no comma is allowed before \"}\")"
        #expect(refused.withLock { $0 } == ["resourceInvalid: \(said)"])
    }

    @Test("Each missing text and each missing layout parameter is reported once")
    @MainActor
    func missingTexts() async throws {
        let missing = Mutex<[String]>([])
        let resources = BundleResources(root: "/nonexistent", languages: ["de-AT"]) { name, _ throws(AtriumError) in
            switch name {
            case "de.lproj/Localizable.json": return Array(#"{"both": "Beides"}"#.utf8)
            case "en.lproj/Localizable.json": return Array(#"{"both": "Both", "english": "English"}"#.utf8)
            case "Pages/help.json":
                return Array(#"{"pages": {"a": {"title": "Item {id}", "content": [{"text": "{id}"}]}}}"#.utf8)
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
        let page = try LayoutPage("help/a", of: resources, parameters: [:], router: NoRouter())
        #expect(page.title == "Item " && page.content == [.text("")])
        #expect(
            missing.withLock { $0 } == [
                "\"english\" has no text: it is not in de; the text in en is shown",
                "\"none\" has no text: it is not in de, en; the key is shown",
                "\"{id}\" in the layout help/a has no value; nothing is shown for it",
            ])
    }

    @Test("An action whose address lacks a parameter opens nothing")
    @MainActor
    func missingParameter() async throws {
        let text = """
            {"pages": {"a": {"title": "t", "content": [], "actions": [{"id": "go", "title": "Go", "open": "app://x/{id}"}]}}}
            """
        let resources = BundleResources(root: try folder.write(["Pages/help.json": text]))
        let page = try LayoutPage("help/a", of: resources, parameters: [:], router: NoRouter())
        let error = await refusal { try await page.perform("go", input: [:], on: NoNavigator()) }
        #expect(error?.code == .parameterMissing && error?.subject == "id")
    }

    @Test("The error for an unknown page suggests the pages of the layout")
    func unknownPage() async throws {
        let root = try folder.write(["Pages/help.json": #"{"pages": {"about": {"title": "t", "content": []}}}"#])
        let error = #expect(throws: AtriumError.self) { try BundleResources(root: root).screen("help/abuot") }
        #expect(error?.code == .resourceUnknown && error?.nearest == ["about"])
    }

    @Test("A layout with an element of an unknown kind is rejected")
    func unknownElement() async throws {
        let text = #"{"pages": {"a": {"title": "t", "content": [{"video": 1}]}}}"#
        let root = try folder.write(["Pages/help.json": text])
        #expect(errorCode { try BundleResources(root: root).screen("help/a") } == .resourceInvalid)
    }
}

/// A router without routes, which records the addresses it is asked to open.
final class NoRouter: Routing {
    private let addresses = Mutex<[String]>([])
    var opened: [String] { addresses.withLock { $0 } }

    func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        addresses.withLock { $0.append(uri.text) }
        return .shown
    }
    func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable { () }
    func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page {
        throw AtriumError(.routeUnknown, uri.text)
    }

    func canOpen(_ uri: ResourceURI) async -> Bool { false }
    func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws {}
    func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws {}
    func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try ResourceURI(pattern)
    }
    func unregister(_ pattern: String) {}
}

@MainActor
final class NoNavigator: Navigator {
    let pages: [any Page] = []
    func push(_ page: any Page) {}
    func pop() {}
    func present(_ page: any Page) async -> (any Sendable)? { nil }
    func dismiss(returning value: (any Sendable)?) {}
    func show(notice: String) {}
}
