import PageLayouts
import PluginCore
import PluginTestKit
import Synchronization
import Testing

@Suite("Page layouts", .tags(.small))
@MainActor
struct LayoutPageTests {
    /// Returns the resources of a bundle with one layout, `help`, in English.
    private func resources(
        _ layout: String, texts: String = "{}", onMissingText: @escaping @Sendable (String) -> Void = { _ in }
    ) -> BundleResources {
        BundleResources(
            root: "/nonexistent",
            reader: { name, _ throws(AtriumError) in
                switch name {
                case "Pages/help.json": return Array(layout.utf8)
                case "en.lproj/Localizable.json": return Array(texts.utf8)
                default: throw AtriumError(.resourceUnknown, name)
                }
            }, onMissingText: onMissingText)
    }

    private func page(of resources: BundleResources, _ parameters: ActionParameters = [:]) throws -> LayoutPage {
        try LayoutPage("help/a", of: resources, parameters: parameters, router: FakeRouter())
    }

    @Test("A page layout is filled with parameters and localized texts")
    func layout() throws {
        let layout = """
            {"pages": {"a": {"title": "@title", "content": [{"heading": "H"}, {"text": "{a}{b}{none}{not a name}{}"},
            {"label": "L", "value": "{a}"}, {"rows": [{"title": "R"}]}, {"divider": true}]}}}
            """
        let page = try page(
            of: resources(layout, texts: #"{"title": "About {app}"}"#), ["app": "Shop", "a": "{b}", "b": "2"])
        #expect(page.title == "About Shop")
        #expect(
            page.content == [
                .heading("H"), .text("{b}2{not a name}{}"), .field(label: "L", value: "{b}"), .list([PageRow("R")]),
                .divider,
            ]
        )
    }

    @Test("Parameters add at most a mebibyte to a page, however often its layout uses them")
    func longPage() async throws {
        let many = String(repeating: "{x}", count: 20_000)
        let resources = resources(
            """
            {"pages": {"a": {"title": "\(many)", "content": [{"text": "\(many)"}, {"text": "\(many)"}],
             "actions": [{"id": "go", "title": "G", "open": "app://x/\(many)"}]}}}
            """)
        #expect(try page(of: resources, ["x": "ab"]).title == String(repeating: "ab", count: 20_000))
        let long = try page(of: resources, ["x": String(repeating: "a", count: 900)])
        #expect(long.title.utf8.count < 1_200_000)
        #expect(long.title.last == "…")
        let texts = long.content.map { if case .text(let text) = $0 { text.utf8.count } else { 0 } }
        #expect(texts.reduce(0, +) < 1_300_000)
        let error = await #expect(throws: AtriumError.self) {
            try await long.perform("go", input: [:], on: FakeNavigator())
        }
        #expect(error?.code == .resourceInvalid)
    }

    @Test("Each missing parameter is reported once")
    func missingTexts() throws {
        let missing = Mutex<[String]>([])
        let layout = #"{"pages": {"a": {"title": "Item {id}", "content": [{"text": "{id}"}]}}}"#
        let page = try page(of: resources(layout) { sentence in missing.withLock { $0.append(sentence) } })
        #expect(page.title == "Item " && page.content == [.text("")])
        #expect(
            missing.withLock { $0 } == ["\"{id}\" in the layout help/a has no value; nothing is shown for it"])
    }

    @Test("An action whose address lacks a parameter opens nothing")
    func missingParameter() async throws {
        let text = """
            {"pages": {"a": {"title": "t", "content": [], "actions": [{"id": "go", "title": "Go", "open": "app://x/{id}"}]}}}
            """
        let page = try page(of: resources(text))
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("go", input: [:], on: FakeNavigator())
        }
        #expect(error?.code == .parameterMissing && error?.subject == "id")
    }

    @Test("The error for an unknown page suggests the pages of the layout")
    func unknownPage() {
        let resources = resources(#"{"pages": {"about": {"title": "t", "content": []}}}"#)
        #expect(throws: Never.self) { try resources.screen("help/about") }
        let error = #expect(throws: AtriumError.self) { try resources.screen("help/abuot") }
        #expect(error?.code == .resourceUnknown && error?.nearest == ["about"])
    }

    @Test("A layout with an element of an unknown kind, or without a colon, is rejected")
    func invalid() {
        let video = resources(#"{"pages": {"a": {"title": "t", "content": [{"video": 1}]}}}"#)
        let error = #expect(throws: AtriumError.self) { try video.screen("help/a") }
        #expect(error?.code == .resourceInvalid)
        let colon = #expect(throws: AtriumError.self) { try resources("{\"pages\" {}}").screen("help/a") }
        #expect(colon?.code == .resourceInvalid)
    }
}
