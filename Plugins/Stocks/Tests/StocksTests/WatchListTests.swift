import PluginCore
import PluginExtension
import PluginTestKit
import Testing

@testable import Stocks

@Suite("The watch list", .tags(.medium), .timeLimit(.minutes(1)))
@MainActor
struct WatchListTests {
    private let bench: Bench

    init() throws { bench = try Bench() }

    @Test("An empty list says so in the user's language")
    func empty() async throws {
        let bench = try Bench(language: "zh-Hans")
        #expect(try await bench.page().content == [.text("自选列表为空。")])
        #expect(try await bench.widgetContent().elements == [.text("自选列表为空。")])
    }

    @Test("Stocks are added once, in capital letters, and can be removed")
    func change() async throws {
        for symbol in ["acme", " ACME ", "Zeta"] { try await bench.perform("add", symbol: symbol) }
        #expect(try await bench.page().actions.map(\.identifier) == ["add", "remove-ACME", "remove-ZETA"])
        try await bench.perform("remove-ACME")
        #expect(try await bench.page().actions.map(\.identifier) == ["add", "remove-ZETA"])
        let error = await #expect(throws: AtriumError.self) { try await bench.perform("remove-ACME") }
        #expect(error?.code == .pageActionUnknown)
    }

    @Test("A stock can be added at the top")
    func first() async throws {
        try await bench.perform("add", symbol: "ACME")
        try await bench.perform("add", symbol: "ZETA", first: true)
        #expect(try await bench.page().actions.map(\.identifier) == ["add", "remove-ZETA", "remove-ACME"])
    }

    @Test("A page that is open changes by itself when another process changes the list, until it is closed")
    func changesByItself() async throws {
        let page = try await bench.page()
        let recorder = InvalidationRecorder(of: page)
        try bench.host.context.appGroup(Bench.group).write(Array(#"["ACME"]"#.utf8), to: "watch-list.json")
        try await recorder.next()
        #expect(page.content.flatMap(\.rows).map(\.title) == ["ACME"])
        page.didClose()
    }

    @Test("A text that is no symbol is rejected", arguments: ["", "TOOLONG", "A1", "ÄB", "../AB"])
    func invalid(symbol: String) async throws {
        let error = await #expect(throws: AtriumError.self) { try await bench.perform("add", symbol: symbol) }
        #expect(error?.code.name == "watchListInvalid")
    }

    @Test("A full list rejects another stock")
    func full() async throws {
        for letter in "ABCDEFGHIJKLMNOPQRST" { try await bench.perform("add", symbol: String(letter)) }
        await #expect(throws: AtriumError.self) { try await bench.perform("add", symbol: "U") }
        try await bench.perform("add", symbol: "A")
        #expect(try await bench.page().actions.count == 21)
    }

    @Test("A damaged list is logged, the page says so, and the widget's request fails")
    func damaged() async throws {
        try await bench.perform("add", symbol: "ACME")
        try bench.host.context.appGroup(Bench.group).write(Array("[".utf8), to: "watch-list.json")
        #expect(try await bench.page().content == [.text("The watch list cannot be read.")])
        #expect(bench.host.log.messages(.error).isEmpty == false)
        await #expect(throws: (any Error).self) { try await bench.widgetContent() }
    }
}
