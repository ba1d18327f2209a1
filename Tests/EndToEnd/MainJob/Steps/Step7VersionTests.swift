import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Step 7: versions, updates and rollbacks", .tags(.large))
    struct VersionTests {
        private let fixture: Scene

        init() throws { fixture = try Scene() }

        private static let first = "Welcome to the shop"
        private static let second = "Welcome to the new shop"

        private func greeting(in fixture: Scene) async throws -> String? {
            try await fixture.open("app://shop").page.content.elements.first { $0.heading != .null }?.heading.string
        }

        @Test("An old version can be installed, updated, rolled back, and rolled forward, as its page shows")
        func text() async throws {
            #expect(try await fixture.run("install", "\(shop)@1.0.0").stdout == "Installed \(shop)@1.0.0.\n")
            #expect(try await greeting(in: fixture) == Self.first)
            #expect(
                try await fixture.run("update", shop).lines == [
                    "Updated \(shop) from 1.0.0 to 1.1.0.", "Installed \(money)@1.1.0, which is now required.",
                ])
            #expect(try await greeting(in: fixture) == Self.second)
            #expect(
                try await fixture.run("rollback", shop).stdout == "Rolled \(shop) back from 1.1.0 to 1.0.0. "
                    + "It stays there until a version newer than 1.1.0 is available, or \"hostapp unpin \(shop)\".\n")
            #expect(try await greeting(in: fixture) == Self.first)
            #expect(try await fixture.run("rollback", shop).stdout == "Rolled \(shop) back from 1.0.0 to 1.1.0.\n")
            #expect(try await greeting(in: fixture) == Self.second)
            #expect(try await fixture.run("update", shop).stdout == "\(shop)@1.1.0 is the newest.\n")
            #expect(try await fixture.run("uninstall", shop).stdout == "Removed \(shop)@1.1.0; its data is kept.\n")
        }

        @Test("Info shows all facts about a plugin, and the attributes that differ from the defaults")
        func info() async throws {
            try fixture.change(orders) { package in
                try package.setManifest("services", to: #"["OrderBook"]"#)
                try package.setManifest(
                    "targets",
                    to: #"[{"name": "Orders", "actions": ["place", {"name": "count", "exposure": "internal"}]}]"#)
                try package.setManifest(
                    "routes",
                    to: #"""
                        [{"pattern": "orders", "page": "list", "priority": 3, "exposure": "external", "deadline": 2.5,
                          "mayDecline": true},
                         {"pattern": "orders/:id", "page": "order", "guards": ["Account.requireSignIn"]}]
                        """#)
            }
            for bundle in [orders, "\(shop)@1.0.0", shop] { try await fixture.run("install", bundle) }
            let shopInfo = try await fixture.answer("info", shop)
            let seal = shopInfo.sealSHA256.string
            #expect(shopInfo.version == "1.1.0" && shopInfo.previous == "1.0.0" && seal.count == 64)
            #expect(shopInfo.code.string.hasSuffix("/\(shop)/1.1.0-\(seal.prefix(12))"))
            #expect(try FileTree(of: FilePath(shopInfo.code.string)).files.contains("manifest.json"))
            #expect(FilePath(shopInfo.data.string) == fixture.container(of: shop))
            #expect(shopInfo.routes.elements.first { $0.pattern == "shop/about" }?.layout == "help/about")
            let info = try await fixture.answer("info", orders)
            let routes = info.routes.elements.map { route -> JSON in
                [route.pattern, route.guards, route.priority, route.exposure, route.deadline, route.mayDecline]
            }
            #expect(
                routes == [
                    ["orders", [], 3, "external", 2.5, true],
                    ["orders/:id", ["Account.requireSignIn"], 0, "plugins", .null, false],
                ])
            #expect(info.targets.elements.map(\.exposures) == [.object(["place": "plugins", "count": "internal"])])
            #expect(info.services == ["OrderBook"])
            let lines = try await fixture.run("info", orders).lines
            let data = fixture.container(of: orders)
            for line in ["identifier       \(orders)", "version          1.0.0", "data             \(data)"] {
                #expect(lines.contains(line), "\(line): \(lines)")
            }
            for part in [
                "orders  page list  external, priority 3, deadline 2.5 s, may decline",
                "orders/:id  page order  after Account.requireSignIn", "Orders: place, count (internal)", "OrderBook",
            ] {
                #expect(lines.contains { $0.hasSuffix(part) }, "\(part): \(lines)")
            }
        }

        @Test("An uninstall keeps the plugin's data for the next install")
        func dataKept() async throws {
            let fixture = try await Scene(installed: account)
            try await fixture.run("open", "app://account/sign-in", "--tap", "signIn name=Ada")
            let data = try FileTree(of: fixture.container(of: account))
            try await fixture.run("uninstall", account)
            #expect(try fixture.versions(of: account) == [])
            #expect(try data.changes(to: FileTree(of: fixture.container(of: account))) == [])
            try await fixture.run("install", account)
            let page = try await fixture.open("app://account").page
            #expect(page.content.elements.map(\.text) == ["Signed in as Ada."])
        }
    }
}
