import ExtensionHost
import PluginCore
import PluginExtension
import PluginRuntime
import Testing

@Suite("Pages of extensions", .tags(.large), .timeLimit(.minutes(5)))
@MainActor
struct ExtensionPageTests {
    private final class HostPage: Page {
        let title = "host"
        let content: [PageElement] = []
    }

    private let stack = PageStack()
    private let own = HostPage()

    init() { stack.push(own) }

    private var titles: [String] { stack.pages.map(\.title) }

    private func press(_ action: String, _ input: [String: String] = [:]) async throws {
        try await stack.top?.perform(action, input: input, on: stack)
    }

    private func presents(_ count: Int) async throws -> Bool {
        for _ in 0..<12_000 where stack.presentedCount != count { try await Task.sleep(for: .milliseconds(5)) }
        return stack.presentedCount == count
    }

    /// Runs an extension that shows a page, uses the page, and returns the end of the request, after which no page is left.
    private func end(
        _ command: String = "page", limits: ExtensionLimits = ExtensionLimits(), _ use: () async throws -> Void
    ) async throws -> Result<String, any Error> {
        try await running(limits: limits) { run in
            let request = Task { try await run(command, stack) }
            try #require(try await presents(1))
            try await use()
            let end = await request.result
            #expect(titles == ["host"])
            return end
        }
    }

    /// Calls a closure with the extension, which gets a command and a stack for its page.
    private func running<End>(
        limits: ExtensionLimits = ExtensionLimits(),
        _ use: (@escaping @Sendable (String, PageStack?) async throws -> String) async throws -> End
    ) async throws -> End {
        try await ExtensionManagerTests().withExtension(limits: limits) { _, extensions in
            try await use {
                try await extensions.run(ExtensionManagerTests.works, at: ExtensionManagerTests.point, $0, on: $1)
                    .output
            }
        }
    }

    private func code(_ end: Result<String, any Error>) -> String? {
        if case .failure(let error) = end { (error as? AtriumError)?.code.name } else { nil }
    }

    @Test("An extension shows a page, whose actions run in its process and complete the request")
    func completed() async throws {
        let end = try await end {
            #expect(titles == ["host", "page"])
            #expect(stack.top?.content == [.list([PageRow("0")])])
            try await press("count")
            #expect(stack.top?.content == [.list([PageRow("1")])])
            try await press("save", ["text": "Tea"])
            // The page is gone before the action has ended for the host.
            #expect(titles == ["host"])
        }
        #expect(try end.get() == "Tea")
    }

    @Test(
        "The user who leaves the page cancels the request, and so does the page that leaves itself",
        arguments: [nil, "pop", "dismiss"])
    func left(action: String?) async throws {
        let end = try await end { if let action { try await press(action) } else { stack.pop() } }
        #expect(code(end) == "requestCanceled")
    }

    @Test("The request's time does not count while its page waits for the user")
    func waits() async throws {
        let end = try await end("page works", limits: ExtensionLimits(start: 60, request: 1)) {
            try await Task.sleep(for: .milliseconds(1_500))
            try await press("count")
            try await Task.sleep(for: .milliseconds(1_500))
            try await press("save")
        }
        #expect(try end.get() == "Milk")
    }

    @Test(
        "An action that crashes, hangs, takes too long or makes the page too large ends the page and the request",
        arguments: [
            ("crash", "extensionCrashed"), ("hang", "extensionTimedOut"), ("never", "extensionTimedOut"),
            ("blink", "extensionTimedOut"), ("much", "extensionProtocolBroken"),
        ])
    func failed(action: String, expected: String) async throws {
        let limits = ExtensionLimits(start: 60, request: action == "much" ? 60 : 2)
        #expect(code(try await end(limits: limits) { try? await press(action) }) == expected)
    }

    @Test("An action that begins while another runs has as much time as the other")
    func overlapping() async throws {
        let end = try await end(limits: ExtensionLimits(start: 60, request: 3)) {
            let first = Task { try await press("nap") }
            try await Task.sleep(for: .milliseconds(1_500))
            try await press("nap")
            try await first.value
            try await press("save")
        }
        #expect(try end.get() == "Milk")
    }

    @Test("An action that presents a page again whenever the user leaves it keeps nobody from leaving the request")
    func insists() async throws {
        let end = try await end {
            let action = Task { try await press("insist") }
            for _ in 0..<8 {
                try #require(try await presents(2))
                stack.pop()
            }
            try await action.value
        }
        #expect(code(end) == "requestCanceled")
    }

    @Test("An action that goes on after the request changes no later one, and nobody waits for it")
    func lingers() async throws {
        try await running(limits: ExtensionLimits(idle: 60)) { run async throws in
            let first = Task { try await run("page", stack) }
            try #require(try await presents(1))
            try await press("linger")
            #expect(try await first.value == "early" && titles == ["host"])
            let second = Task { try await run("page", stack) }
            try #require(try await presents(1))
            try await Task.sleep(for: .seconds(1))
            #expect(titles == ["host", "page"])
            try await press("save")
            #expect(try await second.value == "Milk")
        }
    }

    @Test("A request has a limited number of pages, and an action shows a limited number of notices")
    func filled() async throws {
        var notices: [String] = []
        stack.didNotice = { notices.append($0) }
        let end = try await end {
            try await failingAsync(.pageNotShown, because: "tooManyPages") { try await press("fill") }
            #expect(titles.count == 1 + 32 && notices.count == 32)
            try await press("save")
        }
        #expect(try end.get() == "Milk")
    }

    @Test("An extension sees and changes its own pages only, and an action that waits for one of them has time")
    func navigation() async throws {
        var notices: [String] = []
        stack.didNotice = { notices.append($0) }
        let end = try await end(limits: ExtensionLimits(start: 60, request: 2)) {
            let action = Task { try await press("stack") }
            #expect(try await presents(2))
            #expect(titles == ["host", "page", "pushed", "presented"])
            try await Task.sleep(for: .milliseconds(2_500))
            try await press("dismiss")
            try await action.value
            #expect(notices == ["1 7"] && titles == ["host", "page", "pushed"])
            // A page of the host over those of the extension stays.
            let other = HostPage()
            stack.push(other)
            let page = try #require(stack.pages.first { $0.title == "pushed" })
            try await page.perform("pop", input: [:], on: stack)
            #expect(titles == ["host", "page", "pushed", "host"])
            try await page.perform("save", input: [:], on: stack)
            #expect(titles == ["host", "host"])
            stack.pop()
        }
        #expect(try end.get() == "Milk")
    }

    @Test("An extension shows one page of an open request, and none to a host that shows none")
    func refused() async throws {
        let end = try await end {
            try await failingAsync(.pageNotShown) { try await press("again") }
            #expect(titles == ["host", "page"])
            try await press("save")
        }
        #expect(try end.get() == "Milk")
        try await running(limits: ExtensionLimits(idle: 60)) { run in
            try await failingAsync(.pageNotShown) { try await run("page", nil) }
            #expect(try await run("late-page", stack) == "early")
            #expect(try await run("old-page", stack) == "refused")
            #expect(titles == ["host"])
        }
    }

    @Test("A request that is canceled with its task ends its page, and one without a page ends as any other")
    func canceled() async throws {
        try await running { run async throws in
            let request = Task { try await run("page", stack) }
            try #require(try await presents(1))
            request.cancel()
            await #expect(throws: CancellationError.self) { try await request.value }
            #expect(titles == ["host"])
            #expect(try await run("echo 1", stack) == "echo 1")
        }
    }
}
