import PluginTestKit
import Testing

extension MainJob {
    @Suite("Extensions of installed plugins", .tags(.large))
    struct ExtensionTests {
        private static let share = "com.example.app.notes.share"
        private static let widget = "com.example.app.stocks.widget"

        private struct Offered: Decodable {
            let offered: Bool
            let reasons: [String]
        }

        private struct Ran: Decodable {
            let output: String
            let confinement: String
        }

        private struct Widgets: Decodable {
            struct Widget: Decodable {
                let `extension`: String
                let widget: Page?
            }

            let widgets: [Widget]
        }

        private func fixture(_ bundles: String...) async throws -> HostFixture {
            let fixture = try HostFixture()
            for bundle in bundles { #expect(try await fixture.run("install", bundle).status == 0) }
            return fixture
        }

        @Test("A link that is shared goes to the extension that accepts it, and its plugin shows it")
        func shared() async throws {
            let fixture = try await fixture("com.example.app.notes")
            let result = try await fixture.run("share", "https://example.com/lamp")
            #expect(result.stdout == "Sent to Notes.\n", "\(result)")
            let page = try await fixture.run("open", "app://notes")
            #expect(page.stdout.contains("https://example.com/lamp"), "\(page)")
        }

        @Test("An extension is confined, and its result and doctor say in the same words what the kernel enforces")
        func confined() async throws {
            let fixture = try await fixture("com.example.app.notes")
            let ran = try await fixture.answer(
                "extension", "run", Self.share, "--text", "A note", as: Ran.self)
            #expect(ran.output == "{}" && ran.confinement != "none")
            struct Checkup: Decodable { let confinement: String }
            #expect(try await fixture.answer("doctor", as: Checkup.self).confinement == ran.confinement)
        }

        @Test("Widgets are drawn in the user's order, and a disabled one is not")
        func today() async throws {
            let fixture = try await fixture("com.example.app.stocks")
            let shown = try await fixture.answer("today", as: Widgets.self)
            #expect(shown.widgets.map(\.extension) == [Self.widget])
            #expect(shown.widgets.first?.widget != nil)
            #expect(try await fixture.run("extension", "disable", "stocks.widget").status == 0)
            #expect(try await fixture.run("today").stdout == "No widgets.\n")
            let disabled = try await fixture.host.hostapp.run(["extension", "run", Self.widget, "--json"])
            #expect(disabled.status == 77)
            #expect(try disabled.json(as: RefusalDocument.self).error.code == "extensionDisabled")
        }

        @Test("A plugin hides its widget while it has nothing to show, and shows it again")
        func hidden() async throws {
            let fixture = try await fixture("com.example.app.stocks")
            func tap(_ actions: String...) async throws {
                let taps = actions.flatMap { ["--tap", $0] }
                #expect(try await fixture.host.hostapp.run(["open", "app://stocks"] + taps).status == 0)
            }
            try await tap("add symbol=ACME", "remove-ACME")
            #expect(try await fixture.run("today").stdout == "No widgets.\n")
            #expect(try await fixture.run("extension", "list").stdout.contains("nothing to show"))
            try await tap("add symbol=ACME")
            #expect(try await fixture.run("today").stdout.contains("ACME"))
        }

        @Test("A host says which clause of an extension's rule rejects an input")
        func why() async throws {
            let fixture = try await fixture("com.example.app.notes")
            let accepted = try await fixture.answer(
                "extension", "why", "notes.share", "--url", "https://example.com", as: Offered.self)
            #expect(accepted.offered && accepted.reasons.isEmpty)
            let result = try await fixture.host.hostapp.run(["extension", "why", "notes.share", "--json"])
            #expect(result.status == 1)
            #expect(try !result.json(as: Offered.self).reasons.isEmpty, "\(result)")
        }

        @Test("An unknown extension and an unknown point are reported with similar names")
        func unknown() async throws {
            let fixture = try await fixture("com.example.app.notes")
            let result = try await fixture.host.hostapp.run(["extension", "limits", "notes.shar", "--json"])
            #expect(result.status == 66)
            #expect(try result.json(as: RefusalDocument.self).error.code == "extensionUnknown")
            let point = try await fixture.host.hostapp.run(["extension", "list", "--point", "shar", "--json"])
            #expect(point.status == 66)
            #expect(try point.json(as: RefusalDocument.self).error.code == "extensionPointUnknown")
        }

        @Test("The extensions of an uninstalled plugin are gone")
        func uninstalled() async throws {
            let fixture = try await fixture("com.example.app.notes")
            #expect(try await fixture.run("extension", "list").stdout.contains(Self.share))
            #expect(try await fixture.run("uninstall", "com.example.app.notes").status == 0)
            #expect(try await fixture.run("extension", "list").stdout == "No extensions.\n")
        }
    }
}
