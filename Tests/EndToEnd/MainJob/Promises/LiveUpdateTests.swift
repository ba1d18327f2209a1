import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Updates while pages are open", .tags(.large))
    struct LiveUpdateTests {
        /// Starts a verbose shell that shows an item of the old shop above another page.
        private static func shell(in fixture: Scene) async throws -> RunningProcess {
            let shell = try fixture.host.start("--verbose", "shell", "app://account")
            try await shell.wait(for: "(signIn)\n")
            try await shell.send("open app://shop/item/7\n")
            #expect(try await shell.wait(for: "(orders)\n").contains("Price: €4.50\n"))
            return shell
        }

        /// Opens the item in the new version, uses the pages of both versions, and leaves the old one.
        private static func walk(_ shell: RunningProcess, from notice: String? = nil) async throws {
            try await shell.send("open app://shop/item/7\n")
            let page = try await shell.wait(for: "(orders)\n")
            #expect(page.contains("Price: €3.50, was €4.50\n"))
            if let notice { #expect(page.hasPrefix(notice)) }
            try await shell.send("buy\n")
            #expect(try await shell.wait(for: "(orders)\n").contains("Bought Notebook: order 1\n"))
            try await shell.send("back\n")
            #expect(try await shell.wait(for: "(orders)\n").contains("Price: €4.50\n"))
            try await shell.send("buy\n")
            #expect(try await shell.wait(for: "(orders)\n").contains("Bought Notebook: order 2\n"))
            #expect(!shell.stderr.contains("\(shop)@1.0.0: retired"))
            #expect(try await shell.mappedFiles(named: "libShop.so").count == 2)
        }

        @Test(
            "Pages of the old version work beside those of the new one, and the old version is deactivated when they are closed"
        )
        func bothOnOneStack() async throws {
            let fixture = try await Scene(installed: account, orders, "\(shop)@1.0.0")
            let shell = try await Self.shell(in: fixture)
            try await shell.send("update \(shop)\n")
            #expect(try await shell.nextLine() == "Updated \(shop) from 1.0.0 to 1.1.0.")
            try await Self.walk(shell)
            try await shell.send("back\n")
            try await shell.wait(for: "(signIn)\n")
            try await shell.wait(forError: "\(shop)@1.0.0: retired (replaced)\n")
            #expect(!shell.stderr.contains("\(shop)@1.1.0: draining"))
            #expect(try await shell.end().status == 0)
        }

        @Test(
            "After another process has updated a bundle, the next request uses the new version and a notice says so")
        func byAnotherProcess() async throws {
            let fixture = try await Scene(installed: account, orders, "\(shop)@1.0.0")
            let shell = try await Self.shell(in: fixture)
            try await fixture.run("update", shop)
            try await Self.walk(shell, from: "\(shop) is now 1.1.0\n")
            try await fixture.run("rollback", shop)
            try await shell.send("open app://shop/item/7\n")
            let page = try await shell.wait(for: "(orders)\n")
            #expect(page.hasPrefix("\(shop) is now 1.0.0\n") && page.contains("Price: €4.50\n"))
            try await shell.send("back\n")
            try await shell.wait(for: "(orders)\n")
            try await fixture.run("uninstall", shop)
            try await shell.wait(forError: "\(shop)@1.0.0: retired (withdrawn)\n")
            try await shell.send("buy\n")
            #expect(try await shell.nextLine() == "\(shop) was removed")
            try await shell.wait(forError: "it has been unloaded")
            #expect(try await shell.end().status == 0)
        }
    }
}
