import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Deferred addresses", .tags(.large))
    struct DeferredTests {
        private struct Kept: Decodable {
            struct Record: Decodable {
                let url: String
                let origin: String
            }
            let deferred: Record
            let error: Refusal
        }

        private struct Listing: Decodable {
            let deferred: [Kept.Record]
        }

        private struct Round: Decodable {
            struct Opened: Decodable {
                let url: String
                let page: Page?
            }
            struct Failed: Decodable {
                let url: String
                let error: Refusal
            }
            let opened: [Opened]
            let kept: [String]
            let failed: [Failed]
        }

        /// A host whose catalog is missing until it is restored.
        private struct Scene {
            let fixture: HostFixture
            private let catalog: ThrowawayCatalog
            private let folder: ThrowawayFolder

            init() throws {
                catalog = try ThrowawayCatalog(copying: HostApp.find().catalog)
                folder = try ThrowawayFolder()
                fixture = try HostFixture(catalog: catalog)
                try FileManager.default.moveItem(
                    atPath: catalog.folder.string, toPath: folder.appending("away").string)
            }

            func run(_ words: String..., input: String = "") async throws -> ProcessResult {
                try await fixture.host.hostapp.run(words, input: input)
            }

            func bringBack() throws {
                try FileManager.default.moveItem(
                    atPath: folder.appending("away").string, toPath: catalog.folder.string)
            }

            func waiting() async throws -> [String] {
                try await run("deferred", "list", "--json").json(as: Listing.self).deferred.map(\.url)
            }
        }

        @Test("An address is stored while the catalog is unreachable, and a later process opens it")
        func survives() async throws {
            let scene = try Scene()
            let kept = try await scene.run("open", "app://shop/item/42?from=link", "--defer", "--json")
            #expect(kept.status == 75, "\(kept)")
            let answer = try kept.json(as: Kept.self)
            #expect(answer.deferred.url == "app://shop/item/42?from=link")
            #expect(answer.deferred.origin == "host")
            #expect(answer.error.code == "routeUnknown")
            #expect(try await scene.run("open", "app://orders/help", "--defer").status == 75)
            #expect(try await scene.run("open", "app://shop/item/42?from=link", "--defer").status == 75)
            #expect(try await scene.waiting() == ["app://shop/item/42?from=link", "app://orders/help"])

            let early = try await scene.run("deferred", "run", "--json")
            #expect(early.status == 75)
            #expect(try early.json(as: Round.self).kept.count == 2)

            try scene.bringBack()
            let run = try await scene.run("deferred", "run", "--json")
            #expect(run.status == 0, "\(run)")
            let round = try run.json(as: Round.self)
            #expect(round.opened.map(\.url) == ["app://shop/item/42?from=link", "app://orders/help"])
            #expect(round.opened.first?.page?.title == "Desk lamp")
            #expect(round.opened.first?.page?.value(of: "From") == "link")
            #expect(try await scene.waiting() == [])
        }

        @Test("The next shell opens a stored address on top of the start page")
        func shell() async throws {
            let scene = try Scene()
            #expect(try await scene.run("open", "app://shop/item/42", "--defer").status == 75)
            try scene.bringBack()
            let shell = try await scene.run("shell", input: "pages\nquit\n")
            #expect(shell.status == 0)
            #expect(shell.stdout.contains("Shop > Desk lamp"), "\(shell)")
            #expect(try await scene.waiting() == [])
        }

        @Test("A stored external link is opened with the permissions of an external link")
        func origin() async throws {
            let scene = try Scene()
            #expect(try await scene.run("open", "app://shop/item/42", "--external", "--defer").status == 75)
            #expect(try await scene.run("open", "app://orders/help", "--external", "--defer").status == 75)
            try scene.bringBack()
            let round = try await scene.run("deferred", "run", "--json").json(as: Round.self)
            #expect(round.opened.map(\.url) == ["app://shop/item/42"])
            #expect(round.failed.map(\.error.code) == ["exposureDenied"])
        }

        @Test("The commands report stored, waiting and removed addresses")
        func text() async throws {
            let scene = try Scene()
            #expect(try await scene.run("deferred", "list").stdout == "No deferred addresses.\n")
            #expect(try await scene.run("deferred", "run").stdout == "No deferred addresses.\n")
            let kept = try await scene.run("open", "app://shop", "--defer")
            #expect(kept.stdout.hasPrefix("Kept app://shop until 20"))
            #expect(kept.stdout.hasSuffix("Z; \"hostapp deferred run\" opens it.\n"))
            #expect(kept.stderr.contains("the catalog cannot be reached"))
            let list = try await scene.run("deferred", "list")
            #expect(list.stdout.contains("app://shop  host  20"))
            #expect(try await scene.run("deferred", "run").stdout.hasSuffix("1 address is still deferred.\n"))
            #expect(try await scene.run("deferred", "clear").stdout == "Dropped 1.\n")
            #expect(try await scene.run("deferred", "clear").stdout == "No deferred addresses.\n")
        }

        @Test("An address that can never open is not stored but rejected as usual")
        func never() async throws {
            let scene = try Scene()
            try scene.bringBack()
            let unknown = try await scene.run("open", "app://nobody", "--defer")
            #expect(unknown.status == 66 && unknown.stdout.isEmpty)
            let ready = try await scene.run("open", "app://shop", "--defer")
            #expect(ready.status == 0 && ready.lines.first == "Shop")
            #expect(try await scene.run("open", "app://shop", "--defer", "--tap", "1").status == 64)
            #expect(try await scene.waiting() == [])
        }

        @Test("A stored address that fails permanently is reported and removed")
        func fails() async throws {
            let scene = try Scene()
            #expect(try await scene.run("open", "app://nobody", "--defer").status == 75)
            try scene.bringBack()
            let run = try await scene.run("deferred", "run", "--json")
            #expect(run.status == 66)
            #expect(try run.json(as: Round.self).failed.map(\.error.code) == ["routeUnknown"])
            #expect(try await scene.waiting() == [])
        }

        @Test("A damaged file of stored addresses is set aside and reported, and the host continues")
        func unreadable() async throws {
            let scene = try Scene()
            #expect(try await scene.run("open", "app://shop", "--defer").status == 75)
            let file = scene.fixture.sandbox.root.appending("Containers/Data/Host/Library/deferred.json")
            try Data("{".utf8).write(to: URL(filePath: file.string))
            let list = try await scene.run("deferred", "list")
            #expect(list.status == 0 && list.stdout == "No deferred addresses.\n")
            #expect(list.stderr.contains("it was moved to deferred.json.unreadable"))
            let again = try await scene.run("deferred", "list")
            #expect(again.stderr.isEmpty)
        }
    }
}
