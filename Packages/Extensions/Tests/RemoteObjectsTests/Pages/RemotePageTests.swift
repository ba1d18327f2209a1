@testable import ExtensionProtocol
import Glibc
import PluginCore
import Synchronization
import Testing

@Suite("Pages of a plugin in another process", .tags(.medium), .timeLimit(.minutes(1)))
@MainActor
struct RemotePageTests {
    /// A page that counts, and pushes, presents and shows what its actions say.
    private final class Counter: Page {
        struct Own: Sendable {}
        var count = 0
        var isClosed = false
        var title: String { "Count \(count)" }
        var content: [PageElement] { [.field(label: "count", value: "\(count)"), .list([PageRow("a", detail: "b")])] }
        private struct Form: Codable {
            var by = 1
        }

        var actions: [PageAction] {
            PageAction("add", title: "Add", input: Form(), fields: [PageField("by", label: "By")]) { form, _ in
                count += form.by
            }
        }
        var rowActions: [PageAction] {
            PageAction("push", title: "") { navigator in
                navigator.push(Counter())
                navigator.show(notice: "pushed over \(navigator.pages.filter { $0 === self }.count)")
            }
            PageAction("present", title: "") { count = await $0.present(Counter()) as? Int ?? -1 }
            PageAction("leave", title: "") { navigator in
                navigator.dismiss(returning: 5)
                if navigator.pages.last === self { navigator.pop() }
            }
            PageAction("dismissOwn", title: "") { $0.dismiss(returning: Counter.Own()) }
        }

        func didClose() { isClosed = true }
    }

    private final class Stack: Navigator {
        var pages: [any Page]
        var notices: [String] = []
        var presented: CheckedContinuation<(any Sendable)?, Never>?

        init(_ pages: [any Page]) { self.pages = pages }

        func push(_ page: any Page) { pages.append(page) }
        var presentedPages: [any Page] { presented == nil ? [] : pages.suffix(1) }
        func pop() { pages.removeLast() }
        func present(_ page: any Page) async -> (any Sendable)? {
            pages.append(page)
            return await withCheckedContinuation { presented = $0 }
        }
        func dismiss(returning value: (any Sendable)?) {
            guard let presenter = presented else { return }
            pages.removeLast()
            presented = nil
            presenter.resume(returning: value)
        }
        func show(notice: String) { notices.append(notice) }
    }

    private let counter = Counter()

    private func link(
        _ settings: ObjectConnectionSettings = ObjectConnectionSettings(), to page: (any Page)? = nil
    ) throws -> Link {
        let page = page ?? counter
        return try Link(plugin: Function { value in value is String ? value : page }, settings)
    }

    /// Returns a page of a plugin as its host shows it.
    private func shown(
        _ settings: ObjectConnectionSettings = ObjectConnectionSettings(), page: (any Page)? = nil
    ) async throws -> (Link, RemotePage) {
        let link = try link(settings, to: page)
        return (link, try #require(try await link.host.call(1) as? RemotePage))
    }

    @Test(
        "The page shows the title, the content and the actions of the plugin's page, and always the newest after an action"
    )
    func content() async throws {
        let (link, page) = try await shown()
        #expect(page.title == "Count 0" && page.content == counter.content)
        #expect(page.actions.map(\.description) == counter.actions.map(\.description))
        let stack = Stack([page])
        for expected in 1...20 {
            try await page.perform("add", input: [:], on: stack)
            #expect(page.title == "Count \(expected)")
        }
        try await page.perform("add", input: ["by": "30"], on: stack)
        #expect(page.title == "Count 50" && page.content == counter.content)
        let error = await #expect(throws: AtriumError.self) { try await page.perform("nope", input: [:], on: stack) }
        #expect(error?.code == .pageActionUnknown && error?.nearest == ["add"])
        #expect(try await link.host.call(1) as? RemotePage === page)
    }

    @Test("A change that the plugin makes by itself is there after the content was read")
    func refresh() async throws {
        let (_, page) = try await shown()
        counter.count = 9
        _ = page.content
        #expect(try await eventually { await page.title == "Count 9" })
    }

    @Test("A page that invalidates itself is invalidated in the host when its new content is there")
    func invalidation() async throws {
        let (_, page) = try await shown()
        var changes = page.invalidations().makeAsyncIterator()
        for expected in 1...20 {
            counter.count = expected
            counter.invalidate()
            await changes.next()
            #expect(page.title == "Count \(expected)")
        }
    }

    @Test("A page that invalidates itself without end sends its content as often as the host can show it")
    func invalidationFlood() async throws {
        let (_, page) = try await shown()
        var changes = page.invalidations().makeAsyncIterator()
        // The main actor, on which pages are read, is not free meanwhile.
        for number in 1...10_000 {
            counter.count = number
            counter.invalidate()
        }
        var seen = 0
        // The next change is nil at the end of the time for this test; without that check the main actor would never be free again.
        while page.title != "Count 10000", await changes.next() != nil { seen += 1 }
        #expect(page.title == "Count 10000" && seen <= 3)
    }

    @Test("Every element and field passes to the host as it is")
    func elements() async throws {
        let image = PageImage(png: [1, 2, 0xFF], text: "Tea", scale: 2)
        let all = AllElements(
            content: [
                .heading("H"), .text("T"), .field(label: "L", value: "V"), .divider, .image(image),
                .progress(label: "P", fraction: 0.5), .progress(label: "P", fraction: nil),
                .section(
                    title: "S",
                    [
                        .list([
                            PageRow("a", detail: "b", image: image, action: "open", input: ["id": "1"]),
                            PageRow("c", opens: try ResourceURI("app://shop")),
                        ])
                    ]),
            ],
            actions: [
                PageAction.Description(
                    "a", title: "A",
                    fields: [
                        PageField("t", label: "T", initial: "x", isRequired: true, range: 1...2, message: "M"),
                        .toggle("g", label: "G", initial: true),
                        .choice("c", label: "C", of: [PageOption("1", title: "One"), PageOption("2")]),
                    ])
            ])
        let (_, page) = try await shown(page: all)
        #expect(page.content == all.content && page.actions.map(\.description) == all.descriptions)
    }

    private final class AllElements: Page {
        let title = "All"
        let content: [PageElement]
        let descriptions: [PageAction.Description]
        var actions: [PageAction] { descriptions.map { PageAction($0) } }
        init(content: [PageElement], actions: [PageAction.Description]) {
            (self.content, descriptions) = (content, actions)
        }
    }

    @Test("Pages that an action pushes are on the stack, and its notices are shown, when the action has returned")
    func navigator() async throws {
        let (_, page) = try await shown()
        let stack = Stack([page])
        for expected in 2...10 {
            try await page.perform("push", input: [:], on: stack)
            #expect(stack.pages.map(\.title) == ["Count 0"] + Array(repeating: "Count 0", count: expected - 1))
        }
        #expect(stack.notices == Array(repeating: "pushed over 1", count: 9))
    }

    @Test(
        "A page that dismisses itself returns its value and is not on its stack anymore, and one that was pushed still is"
    )
    func leave() async throws {
        let (_, page) = try await shown()
        let stack = Stack([page])
        let presenting = Task { try await page.perform("present", input: [:], on: stack) }
        #expect(try await eventually { await stack.presented != nil })
        try await #require(stack.pages.last as? RemotePage).perform("leave", input: [:], on: stack)
        try await presenting.value
        #expect(stack.pages.map(\.title) == ["Count 5"])
        try await page.perform("push", input: [:], on: stack)
        try await #require(stack.pages.last as? RemotePage).perform("leave", input: [:], on: stack)
        #expect(stack.pages.map(\.title) == ["Count 5"])
    }

    @Test("A dismissal with a value that cannot pass is an error of the action")
    func dismissal() async throws {
        let (_, page) = try await shown()
        let error = await #expect(throws: AtriumError.self) {
            try await page.perform("dismissOwn", input: [:], on: Stack([page]))
        }
        #expect(error?.reason?.name == "notTransferable")
        try await page.perform("add", input: [:], on: Stack([page]))
    }

    @Test("The plugin's page learns that it was closed, and is released when the host no longer has it")
    func close() async throws {
        let link = try link()
        var page = try await link.host.call(1) as? RemotePage
        page?.didClose()
        #expect(try await eventually { await counter.isClosed })
        page = nil
        #expect(try await eventually { link.plugin.exportCount == 0 })
        let again = try #require(try await link.host.call(1) as? RemotePage)
        #expect(again.title == "Count 0")
    }

    @Test("A page that is released while the plugin returns it again shows its content")
    func releasedAndReturned() async throws {
        let link = try link()
        let results = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<250 {
                        guard let page = try await link.host.call(1) as? RemotePage,
                            await page.title.hasPrefix("Count")
                        else { return false }
                    }
                    return true
                }
            }
            var results: [Bool] = []
            for try await result in group { results.append(result) }
            return results
        }
        #expect(results == [true, true, true, true])
        #expect(try await eventually { link.plugin.exportCount == 0 })
    }

    /// A page with a new text of 1 MiB for each reading, which first calls a closure.
    private final class ChangingPage: Page {
        let title = "Changing"
        var reading: @MainActor () -> Void = {}
        private var readings = 0
        var content: [PageElement] {
            readings += 1
            reading()
            return [.text(String(repeating: "\(readings % 10)", count: 1 << 20))]
        }
    }

    @Test("The content of a page that the host releases while it is read does not stay in the host")
    func releasedWhileRead() async throws {
        let page = ChangingPage()
        let link = try link(to: page)
        // All contents together are above the limit for those of the pages that the host has.
        for _ in 0..<20 {
            var shown = try #require(try await link.host.call(1) as? RemotePage) as RemotePage?
            page.reading = {
                shown = nil
                for _ in 0..<200 where link.plugin.exportCount > 0 { usleep(1_000) }
            }
            #expect(try await link.host.call("content") as? String == "content")
            page.reading = {}
            #expect(shown == nil)
        }
    }

    @Test("A page with more text than fits into a message arrives")
    func largePage() async throws {
        let text = String(repeating: "x", count: 2 << 20)
        let (_, page) = try await shown(page: AllElements(content: [.text(text)], actions: []))
        #expect(page.content == [.text(text)])
    }

    @Test("The end of the process invalidates the page, which then shows its replacement")
    func ended() async throws {
        var settings = ObjectConnectionSettings()
        let replacement = Counter()
        replacement.count = 3
        settings.replacement = { page in page.lastTitle == "Count 0" ? replacement : nil }
        let (link, page) = try await shown(settings)
        var changes = page.invalidations().makeAsyncIterator()
        link.endPlugin()
        await changes.next()
        #expect(page.isEnded)
        #expect(page.title == "Count 3" && page.content == replacement.content)
        try await page.perform("add", input: [:], on: Stack([page]))
        page.didClose()
        #expect(replacement.count == 4 && replacement.isClosed)
    }

    @Test("The host of a request shows a page that the other process has, and no other")
    func request() async throws {
        let shown = Mutex<[(UInt32, String)]>([])
        let root = ObjectConnection.root { number, page in
            let title = await page.title
            shown.withLock { $0.append((number, title)) }
        }
        let link = try Link(plugin: root)
        try await link.host.show(counter, for: 7)
        #expect(shown.withLock { $0.map(\.0) == [7] && $0.map(\.1) == ["Count 0"] })
        // The number of the request, and that of a page that was never sent, of one of the receiver, or none.
        for (objects, page) in [([9], [0, 9, 0, 0, 0]), ([], [1, 1, 0, 0, 0]), ([], [])] as [([UInt32], [UInt8])] {
            let values = TransferredValues(objects: objects, .message([7, 0, 0, 0] + page))
            await #expect(throws: AtriumError.self) { try await link.send(values) }
        }
        #expect(shown.withLock { $0.count } == 1)
    }

    @Test("A process that sends more than 16 MiB of page contents ends its connection")
    func flood() async throws {
        let link = try link()
        let content = TransferredBytes.message([UInt8](repeating: 0, count: 1 << 16))
        for number in 0..<300 as Range<UInt32> { link.plugin.send(Messages.pageChanged, number, content) }
        #expect(try await link.endOfHost() == .violation(.messageMalformed(Messages.pageChanged.number)))
    }
}
