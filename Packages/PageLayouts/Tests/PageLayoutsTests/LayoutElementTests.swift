import PageLayouts
import PluginCore
import PluginTestKit
import Synchronization
import Testing

@Suite("Elements and actions of page layouts", .tags(.medium))
@MainActor
struct LayoutElementTests {
    private static let layout = """
        {"pages": {"home": {"title": "@title", "content": [
          {"image": "shop.png", "text": "@window"},
          {"progress": "Delivered", "fraction": "{done}"}, {"progress": "Packed", "fraction": 0.5}, {"progress": "Paid"},
          {"section": "@offers", "content": [
            {"rows": [{"title": "Tea", "open": "app://shop/item?id={id}", "image": {"name": "tea.png", "text": ""}},
                      {"title": "None", "open": "app://shop/item?id={missing}"}]},
            {"slot": "offers"}, {"slot": "empty"}]}],
         "actions": [{"id": "find", "title": "Find", "open": "app://shop/find?text={text}&new={new}&size={size}&id={id}",
           "fields": [{"name": "text", "label": "@text"}, {"name": "new", "label": "New", "toggle": true},
                      {"name": "size", "label": "Size", "choices": [{"value": "s", "title": "@small"}, {"value": "l"}],
                       "initial": "l"}]}]}}}
        """
    private static let files = [
        "Pages/shop.json": layout, "tea.png": "tea", "de.lproj/shop@2x.png": "German", "en.lproj/shop.png": "English",
        "en.lproj/Localizable.json":
            #"{"title": "Shop", "window": "A window", "offers": "Offers", "text": "Text", "small": "Small"}"#,
    ]

    private let folder: TestFolder
    private let router = FakeRouter()

    init() throws {
        folder = try TestFolder()
        for (name, text) in Self.files { try folder.write(text, to: name) }
    }

    private func page(
        languages: [String] = ["en"], slots: [String: LayoutPage.Slot] = [:]
    ) throws -> LayoutPage {
        try LayoutPage(
            "shop/home", of: BundleResources(root: FilePath(folder.path), languages: languages),
            parameters: ["id": "4 2", "done": "0.25"], router: router, slots: slots)
    }

    @Test("A slot that asks for the title gives the content no more room for values")
    func room() throws {
        let content = #"[{"text": "{big}"}, {"slot": "title"}, {"text": "{big}"}]"#
        try folder.write(#"{"pages": {"home": {"title": "Big", "content": \#(content)}}}"#, to: "Pages/big.json")
        final class Shown { var page: LayoutPage? }
        let shown = Shown()
        shown.page = try LayoutPage(
            "big/home", of: BundleResources(root: FilePath(folder.path), languages: []),
            parameters: ["big": String(repeating: "a", count: 1 << 20)], router: router,
            slots: ["title": { [.text(shown.page?.title ?? "")] }])
        #expect(shown.page?.content.dropFirst() == [.text("Big"), .text("…")])
    }

    @Test("A layout has images, progress, sections, and rows that open addresses; code fills its slots")
    func content() async throws {
        let page = try page(slots: ["offers": { [.text("from code")] }])
        let tea = PageImage(png: Array("tea".utf8), text: "")
        #expect(
            page.content == [
                .image(PageImage(png: Array("English".utf8), text: "A window")),
                .progress(label: "Delivered", fraction: 0.25), .progress(label: "Packed", fraction: 0.5),
                .progress(label: "Paid", fraction: nil),
                .section(
                    title: "Offers",
                    [
                        .list([
                            PageRow("Tea", image: tea, opens: try ResourceURI("app://shop/item?id=4%202")),
                            PageRow("None"),
                        ]), .text("from code"),
                    ]),
            ])
    }

    @Test("Choosing a row opens its address, and no address that the page does not show")
    func rows() async throws {
        let page = try page()
        let row = try #require(page.content.flatMap(\.rows).first)
        try await page.perform(row.action ?? "", input: row.input, on: FakeNavigator())
        #expect(router.openedAddresses == ["app://shop/item?id=4%202"])
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("app://bank/pay", input: [:], on: FakeNavigator())
        }
        #expect(error?.code == .pageActionUnknown && router.opened.count == 1)
    }

    @Test("The values of an action's fields are inserted into its address, percent-encoded")
    func fields() async throws {
        let page = try page()
        let action = try #require(page.actions.first).description
        let options = [PageOption("s", title: "Small"), PageOption("l")]
        #expect(
            action.fields == [
                PageField("text", label: "Text"), .toggle("new", label: "New"),
                .choice("size", label: "Size", of: options, initial: "l"),
            ])
        let input = try action.input(from: ["text": "a&b", "new": "yes"])
        try await page.perform("find", input: input, on: FakeNavigator())
        #expect(router.openedAddresses == ["app://shop/find?text=a%26b&new=true&size=l&id=4%202"])
    }

    @Test("An image is the one for the user's language and the scale")
    func imageOfLanguage() async throws {
        let resources = BundleResources(root: FilePath(folder.path), languages: ["de-AT"])
        let german = PageImage(png: Array("German".utf8), text: "A window", scale: 2)
        #expect(try page(languages: ["de-AT"]).content.first == .image(german))
        #expect(resources.image("shop.png", text: "t", scale: 1).scale == 2)
    }

    @Test("The time to fill placeholders in grows with their number, and not with its square")
    func manyPlaceholders() throws {
        func page(_ count: Int) throws -> LayoutPage {
            let text = String(repeating: "{x}", count: count)
            let layout = "{\"pages\": {\"a\": {\"title\": \"T\", \"content\": [{\"text\": \"\(text)\"}]}}}"
            try folder.write(layout, to: "Pages/long.json")
            let resources = BundleResources(root: FilePath(folder.path))
            return try LayoutPage("long/a", of: resources, parameters: ["x": "value"], router: FakeRouter())
        }
        let (few, many) = (try page(500), try page(20_000))
        let clock = ContinuousClock()
        // The shortest of several runs in turns, because other programs run on the machine.
        var (short, long) = (Duration.seconds(1_000), Duration.seconds(1_000))
        for _ in 0..<5 {
            short = min(short, clock.measure { _ = few.content })
            long = min(long, clock.measure { _ = many.content })
        }
        #expect(long / short < 400)
    }
}
