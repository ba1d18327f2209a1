import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Step 7: versions, updates and rollbacks", .tags(.large))
    struct VersionTests {
        private static let first = "Welcome to the shop"
        private static let second = "Welcome to the new shop"

        private func greeting(in fixture: HostFixture) async throws -> String? {
            try await fixture.open("app://shop").page?.headings.first
        }

        @Test("An old version can be installed, updated, rolled back, and rolled forward, as its page shows")
        func text() async throws {
            let fixture = try HostFixture()
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

        @Test("The JSON output reports the same changes of versions")
        func json() async throws {
            let fixture = try HostFixture()
            let installed: Change = try await fixture.answer("install", "\(shop)@1.0.0")
            let updated: Updates = try await fixture.answer("update", shop)
            let newest: Updates = try await fixture.answer("update", shop)
            let back: Change = try await fixture.answer("rollback", shop)
            let forth: Change = try await fixture.answer("rollback", shop)
            let changes = [installed] + updated.bundles + newest.bundles + [back, forth]
            #expect(
                changes.map { "\($0.identifier) \($0.before ?? "-") to \($0.version)" } == [
                    "\(shop) - to 1.0.0", "\(shop) 1.0.0 to 1.1.0", "\(money) - to 1.1.0", "\(shop) 1.1.0 to 1.1.0",
                    "\(shop) 1.1.0 to 1.0.0", "\(shop) 1.0.0 to 1.1.0",
                ])
            #expect(changes.map(\.changed) == [true, true, true, false, true, true])
            // A library that was installed as a requirement stays, so nothing else changes with a rollback.
            #expect([installed, back, forth].allSatisfy { $0.with?.isEmpty == true })
            let removed: Removal = try await fixture.answer("uninstall", shop)
            #expect(removed.identifier == shop && removed.version == "1.1.0" && !removed.dataDeleted)
        }

        @Test("The old version of the shop has neither the deals page nor its route")
        func routes() async throws {
            let fixture = try await HostFixture(with: "\(shop)@1.0.0")
            // Only a version that has run here is a rollback target of one that has run.
            #expect(try await fixture.open("app://shop").page != nil)
            try await fixture.run("update", shop)
            #expect(try await fixture.open("app://shop/deals").page?.title == "Deals")
            #expect(try await fixture.open("app://shop/item/7").page?.value(of: "Price") == "€3.50, was €4.50")
            try await fixture.run("rollback", shop)
            let refusal = try await fixture.refusal("open", "app://shop/deals", status: 66)
            #expect(refusal.code == "routeUnknown")
            #expect(try await fixture.open("app://shop/item/7").page?.value(of: "Price") == "€4.50")
        }

        @Test("At most two versions are on disk, the active one and the rollback target")
        func disk() async throws {
            let fixture = try await HostFixture(with: "\(shop)@1.0.0", shop)
            func names() throws -> [String] {
                try fixture.versions(of: shop).map { String($0.prefix { $0 != "-" }) }
            }
            #expect(try names() == ["1.0.0", "1.1.0"])
            let before = try fixture.sandbox.tree()
            try await fixture.run("rollback", shop)
            #expect(before.changes(to: try fixture.sandbox.tree()) == ["~ Containers/Bundle/registry.sqlite: content"])
            try await fixture.run("uninstall", shop)
            #expect(try names() == [])
        }

        @Test("An update without an identifier updates all plugins")
        func updateAll() async throws {
            let fixture = try await HostFixture(with: account, "\(shop)@1.0.0")
            let result = try await fixture.run("update")
            #expect(
                result.lines == [
                    "\(account)@1.0.0 is the newest.", "Updated \(shop) from 1.0.0 to 1.1.0.",
                    "Installed \(money)@1.1.0, which is now required.",
                ])
            let again: Updates = try await fixture.answer("update")
            #expect(again.bundles.map(\.identifier) == [account, shop, money])
            #expect(again.bundles.map(\.changed) == [false, false, false])
        }

        @Test("The last version that has run stays the rollback target, however many later versions never ran")
        func kept() async throws {
            let catalog = try ThrowawayCatalog(copying: HostApp.find().catalog)
            for version in ["1.1.0", "1.2.0"] {
                try catalog.pack(from: catalog.package(account, try #require(SemanticVersion("1.0.0")))) {
                    try $0.rename(version: version)
                }
            }
            let fixture = try await HostFixture(with: "\(account)@1.0.0", catalog: catalog)
            try await fixture.run("open", "app://account")
            for version in ["1.1.0", "1.2.0"] {
                let said = try await fixture.run("install", "\(account)@\(version)").stdout
                #expect(said == "Installed \(account)@\(version); 1.0.0 is kept to roll back to.\n")
            }
            let back = try await fixture.run("rollback", account).stdout
            #expect(back.hasPrefix("Rolled \(account) back from 1.2.0 to 1.0.0. "), "\(back)")
        }

        @Test("The list shows the active version and the rollback target")
        func list() async throws {
            let fixture = try HostFixture()
            #expect(try await fixture.run("list").stdout == "Nothing is installed.\n")
            #expect(try fixture.sandbox.tree().isEmpty)
            for bundle in [account, "\(shop)@1.0.0", shop] { try await fixture.run("install", bundle) }
            let words = try await fixture.run("list").lines.map { $0.split(separator: " ").map(String.init) }
            #expect(
                words.map { $0.prefix(4) } == [
                    ["NAME", "IDENTIFIER", "VERSION", "PREVIOUS"], ["Account", account, "1.0.0", "-"],
                    ["Shop", shop, "1.1.0", "1.0.0"], ["Money", money, "1.1.0", "-"],
                ])
            let list: List = try await fixture.answer("list")
            #expect(list.bundles.map(\.previous) == [nil, "1.0.0", nil])
            #expect(list.bundles.map(\.kind) == ["app", "app", "lib"])
            #expect(list.bundles.allSatisfy { $0.size > 0 })
        }

        @Test("Info shows all facts about a plugin")
        func info() async throws {
            let fixture = try await HostFixture(with: "\(orders)@1.0.0", "\(shop)@1.0.0", shop)
            let shopInfo: Info = try await fixture.answer("info", shop)
            #expect(shopInfo.version == "1.1.0" && shopInfo.previous == "1.0.0" && shopInfo.sealSHA256.count == 64)
            #expect(shopInfo.code.hasSuffix("/\(shop)/1.1.0-\(shopInfo.sealSHA256.prefix(12))"))
            #expect(try FileTree(of: FilePath(shopInfo.code)).files.contains("manifest.json"))
            #expect(FilePath(shopInfo.data) == fixture.container(of: shop))
            #expect(shopInfo.routes.first { $0.pattern == "shop/about" }?.layout == "help/about")
            let ordersInfo: Info = try await fixture.answer("info", orders)
            #expect(ordersInfo.routes.first?.guards == ["Account.requireSignIn"])
            #expect(ordersInfo.targets.map { "\($0.name): \($0.actions)" } == [#"Orders: ["place", "count"]"#])
            let lines = try await fixture.run("info", orders).lines
            #expect(lines.contains("identifier       \(orders)") && lines.contains("version          1.0.0"))
            #expect(lines.contains("route            orders  page list  after Account.requireSignIn"))
            #expect(lines.contains("data             \(fixture.container(of: orders))"))
        }

        @Test("The history is kept, also after a plugin was uninstalled")
        func history() async throws {
            let fixture = try HostFixture()
            #expect(try await fixture.run("history").stdout == "The history is empty.\n")
            for words in [["install", "\(shop)@1.0.0"], ["update", shop], ["rollback", shop], ["uninstall", shop]] {
                #expect(try await fixture.host.hostapp.run(words).status == 0)
            }
            try await fixture.run("install", account)
            let history: History = try await fixture.answer("history", shop)
            #expect(
                history.history.map { "\($0.event) \($0.version) \($0.before ?? "-")" } == [
                    "installed 1.0.0 -", "updated 1.1.0 1.0.0", "rolledBack 1.0.0 1.1.0", "uninstalled 1.0.0 -",
                ])
            #expect(history.history.allSatisfy { $0.identifier == shop && $0.at.hasSuffix("Z") && $0.at.count == 20 })
            let all: History = try await fixture.answer("history")
            #expect(all.history.map(\.identifier) == [shop, money, shop, shop, shop, account])
            let lines = try await fixture.run("history", shop).lines
            #expect(lines.first?.split(separator: " ") == ["WHEN", "WHAT", "IDENTIFIER", "VERSION", "BEFORE", "DATA"])
            #expect(lines.count == 5 && lines[3].contains("  rolled back  "))
        }

        @Test("An uninstall keeps the plugin's data for the next install")
        func dataKept() async throws {
            let fixture = try await HostFixture(with: account)
            try await fixture.run("open", "app://account/sign-in", "--tap", "signIn name=Ada")
            let data = try FileTree(of: fixture.container(of: account))
            try await fixture.run("uninstall", account)
            #expect(try fixture.versions(of: account) == [])
            #expect(try data.changes(to: FileTree(of: fixture.container(of: account))) == [])
            try await fixture.run("install", account)
            #expect(try await fixture.open("app://account").page?.texts == ["Signed in as Ada."])
        }

        @Test("An uninstall with --delete-data removes the plugin's data")
        func dataDeleted() async throws {
            let fixture = try await HostFixture(with: account)
            try await fixture.run("open", "app://account/sign-in", "--tap", "signIn name=Ada")
            let result = try await fixture.run("uninstall", account, "--delete-data")
            #expect(result.stdout == "Removed \(account)@1.0.0; its data is deleted.\n")
            #expect(try FileTree(of: fixture.container(of: account)).isEmpty)
            try await fixture.run("install", account)
            #expect(try await fixture.open("app://account").page?.texts == ["Nobody is signed in."])
            let removal: Removal = try await fixture.answer("uninstall", account, "--delete-data")
            #expect(removal.dataDeleted)
        }

        @Test("Orders are kept across an update and a rollback")
        func dataAcrossVersions() async throws {
            let catalog = try ThrowawayCatalog(copying: HostApp.find().catalog)
            try catalog.pack(from: catalog.package(orders, try #require(SemanticVersion("1.0.0")))) {
                try $0.rename(version: "1.2.0")
            }
            let fixture = try await HostFixture(with: account, "\(orders)@1.0.0", shop, catalog: catalog)
            try await fixture.run("open", "app://shop/item/42", "--tap", "buy")
            #expect(try await fixture.run("update", orders).stdout == "Updated \(orders) from 1.0.0 to 1.2.0.\n")
            let bought = try await fixture.open("app://shop/item/7", tapping: "buy")
            #expect(bought.notices == ["Bought Notebook: order 2"])
            try await fixture.run("rollback", orders)
            let list = try await fixture.open("app://orders", tapping: "signIn name=Ada")
            #expect(list.page?.rows == ["2 · Notebook", "1 · Desk lamp"])
        }
    }
}
