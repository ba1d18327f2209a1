import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Step 4: from a page of Shop to a page of Account, and back by a closure", .tags(.large))
    struct GreetingTests {
        private static let written = "Happy birthday, Ann! You are 30 today."
        private static let greeting = "On the card: " + written

        @Test(
            "The JSON output contains the greeting, and the closure has reached Shop's page",
            arguments: ["choose", "look-up"])
        func json(way: String) async throws {
            let fixture = try await Scene(installed: account, shop)
            let opening = try await fixture.open("app://shop/gift", tapping: way, "greet", "greet")
            #expect(opening.stack == ["Gift card", "Profile"])
            #expect(opening.notices == [Self.greeting, Self.greeting])
            #expect(opening.steps.map(\.tap) == [nil, way, "greet", "greet"])
            #expect(opening.steps.map(\.notices) == [[], [], [Self.greeting], [Self.greeting]])
            let profile = try #require(opening.page)
            #expect(profile.title == "Profile")
            #expect(profile.value(of: "Name") == "Ann" && profile.value(of: "Age") == "30")
        }

        @Test("Shop's library neither links nor imports Account's")
        func linkage() async throws {
            let fixture = try Scene()
            let folder = try ThrowawayFolder()
            func library(_ name: String, of identifier: String, _ version: String) throws -> FilePath {
                let package = try PackageEditor(fixture.host.catalog.appending("\(identifier)-\(version).zip"))
                let file = try #require(package.fileNames.first { $0.hasSuffix("/\(name)") })
                return try folder.write(try package.bytes(of: file), to: "\(version)/\(name)")
            }
            func tell(_ words: String...) async throws -> [String] {
                try await Executable("/usr/bin/env").run(words).succeeded().lines
            }
            for version in ["1.0.0", "1.1.0"] {
                let shopLibrary = try library("libShop.so", of: shop, version).string
                let needed = try await tell("readelf", "--dynamic", "--wide", shopLibrary)
                    .filter { $0.contains("(NEEDED)") }
                #expect(needed.contains { $0.contains("[libPluginCore.so]") })
                #expect(!needed.contains { $0.contains("Account") || $0.contains("Orders") })
                let imported = try await tell("nm", "--dynamic", "--undefined-only", shopLibrary)
                // `7Account` is the module's name in a mangled symbol; `16AccountInterface` is a different module.
                #expect(!imported.contains { $0.contains("s7Account") || $0.contains("s6Orders") })
                #expect(imported.contains { $0.contains("$s10PluginCore") })
                // The same check must find the library that the second version links, in debug and release builds.
                #expect(needed.contains { $0.contains("[libMoney.so]") } == (version == "1.1.0"))
                #expect(imported.contains { $0.contains("s5Money") } == (version == "1.1.0"))
            }
        }
    }
}
