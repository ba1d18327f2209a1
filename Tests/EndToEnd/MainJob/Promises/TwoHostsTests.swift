import PluginCore
import PluginTestKit
import Testing

import Glibc

extension MainJob {
    @Suite("Two hosts that run at the same time", .tags(.large))
    struct TwoHostsTests {
        @Test("While a host is running, another opens pages, and what the first one uses stays on the disk")
        func opens() async throws {
            let fixture = try await Scene(installed: account, shop)
            let first = try fixture.host.start("shell", "app://shop/item/42")
            try await first.wait(for: "(orders)\n")
            let opened = try await fixture.host.hostapp.run(
                ["open", "app://shop/item/42"], environment: ["LD_DEBUG": "files"])
            #expect(opened.lines.first == "Desk lamp" && opened.openedPlugins.count == 2, "\(opened.lines)")
            // A session that goes on would leave a version that was removed.
            first.signal(SIGSTOP)
            #expect(try await fixture.run("uninstall", shop).stdout == "Removed \(shop)@1.1.0; its data is kept.\n")
            let folder = try #require(try fixture.versions(of: shop).first)
            let inUse = fixture.code(of: shop).appending(folder)
            #expect(try await fixture.run("gc").lines.first == "Kept \(inUse), which a running host uses.")
            #expect(try FileTree(of: inUse).files.contains { $0.hasSuffix("/libShop.so") })
            first.signal(SIGCONT)
            #expect(try await first.end().status == 0)
            #expect(try await fixture.run("gc").lines.first == "Removed \(inUse).")
            #expect(try fixture.versions(of: shop) == [])
        }

        @Test("Orders that two hosts place at the same time have different numbers")
        func orders() async throws {
            let fixture = try await Scene(installed: account, MainJob.orders, shop)
            async let first = fixture.open("app://shop/item/42", tapping: "buy", "buy", "buy")
            async let second = fixture.open("app://shop/item/7", tapping: "buy", "buy", "buy")
            async let third = fixture.open("app://shop/item/99", tapping: "buy", "buy", "buy")
            let notices = try await [first, second, third].flatMap(\.notices.elements)
            let numbers = notices.compactMap { $0.string.split(separator: " ").last.flatMap { Int($0) } }
            #expect(numbers.sorted() == Array(1...9), "\(notices)")
        }
    }
}
