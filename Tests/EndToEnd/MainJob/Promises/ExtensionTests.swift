import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Extensions of installed plugins", .tags(.large))
    struct ExtensionTests {
        private let fixture: Scene

        init() async throws { fixture = try await Scene(installed: "com.example.app.notes") }

        private static let share = "com.example.app.notes.share"

        @Test("A link that is shared goes to the extension that accepts it, and its plugin shows it")
        func shared() async throws {
            let result = try await fixture.run("share", "https://example.com/lamp")
            #expect(result.stdout == "Sent to Notes.\n", "\(result)")
            let page = try await fixture.run("open", "app://notes")
            #expect(page.stdout.contains("https://example.com/lamp"), "\(page)")
        }

        @Test("An extension is confined, and its result and doctor say in the same words what the kernel enforces")
        func confined() async throws {
            let ran = try await fixture.answer("extension", "run", Self.share, "--text", "A note")
            #expect(ran.output == "{}" && !["", "none"].contains(ran.confinement.string))
            let checkup = try await fixture.answer("doctor")
            #expect(checkup.confinement == ran.confinement && checkup.sound == true)
        }

        @Test("The page of an extension is shown, and its actions end the request, which is canceled otherwise")
        func page() async throws {
            let (fixture, folder) = (try await Scene(installed: "com.example.app.photos"), try ThrowawayFolder())
            let picture = DocumentPage.root.appending(path: "Plugins/Photos/Resources/Pictures/lighthouse.png").path()
            let empty = #"{}"#
            let words = ["extension", "run", "photos.editor", "--input", picture, "--json-input", empty]
            let taps = ["gray", "rotate", "done"].flatMap { ["--tap", $0] }
            // A missing folder must not cost what the user has done on the page.
            let output = folder.appending("new/edited")
            let edited = try await fixture.host.hostapp.run(words + taps + ["--output", output.string])
            #expect(edited.status == 0 && edited.stdout.contains("In gray, rotated by 90°"), "\(edited)")
            #expect(edited.lines.last == output.appending("lighthouse.png").string, "\(edited)")
            let answer = try await fixture.host.hostapp.run(words + taps + ["--json"]).succeeded().json(as: JSON.self)
            #expect(answer.output.string.contains(#""rotation":"90""#) && answer.page == .null, "\(answer)")

            // Without an action that ends the request.
            let left = try await fixture.host.hostapp.run(words)
            #expect(left.status == 75 && left.stdout.contains("Rotate (rotate)"), "\(left)")
            #expect(left.stdout.contains("The request was canceled"), "\(left)")
            let canceled = try await fixture.host.hostapp.run(words + ["--tap", "gray", "--json"])
            let page = try canceled.json(as: JSON.self)
            #expect(canceled.status == 75 && page.canceled == true && page.waiting == .null, "\(canceled)")
            #expect(page.page.title == "lighthouse.png", "\(canceled)")

            let line = "extension run photos.editor --input \(picture) --json-input=\(empty)"
            let shell = try await fixture.run("shell", input: "\(line)\nrotate\ndone\n\(line)\nback\npages\n")
            #expect(shell.stdout.contains("In color, rotated by 90°"), "\(shell)")
            #expect(shell.stdout.contains(#""rotation":"90""#) && shell.lines.last == "Shop", "\(shell)")
            #expect(shell.stderr.contains(#"the request to "com.example.app.photos.editor" was canceled"#), "\(shell)")
        }

        @Test("In the shell, the process of a widget ends when the user leaves the widgets")
        func leavingToday() async throws {
            let fixture = try await Scene(installed: "com.example.app.stocks")
            let shell = try fixture.host.start("shell")
            for _ in 0..<2 {
                try await shell.send("today\n")
                _ = try await shell.wait(for: "Stocks")
                #expect(try await hasChildren(1, shell))
            }
            try await shell.send("list\n")
            _ = try await shell.wait(for: "com.example.app.stocks")
            #expect(try await hasChildren(0, shell))
            #expect(try await shell.end().status == 0)
        }

        /// Waits until a process has a number of child processes.
        private func hasChildren(_ count: Int, _ process: RunningProcess) async throws -> Bool {
            let end = ContinuousClock.now + .seconds(60)
            while ContinuousClock.now < end {
                let found = try await Executable("/usr/bin/pgrep").run("--parent", "\(process.identifier)").lines
                if found.count == count { return true }
                try await Task.sleep(for: .milliseconds(5))
            }
            return false
        }

        @Test("The documents that a plugin provides are listed and fetched")
        func documents() async throws {
            #expect(try await fixture.run("documents").stdout == "No documents.\n")
            try await fixture.run("open", "app://notes", "--tap", "add text=Milk")
            let listed = try await fixture.run("documents", "--json").stdout
            for part in ["app.notes.documents", "Milk.txt", "4"] { #expect(listed.contains(part), "\(listed)") }
            #expect(try await fixture.run("documents", "1").stdout == "Milk\n")
            let folder = try ThrowawayFolder()
            try await fixture.run("documents", "1", "--from", "notes.documents", "--output", folder.path.string)
            #expect(try folder.bytes(of: "1.txt") == Array("Milk".utf8))
            #expect(try await fixture.refusal("documents", "7", status: 66).code == "resourceUnknown")
        }

        @Test("The shell offers extensions as actions of a page, and gives them its title, text and address")
        func pageActions() async throws {
            let fixture = try await Scene(installed: "com.example.app.notes", shop)
            let address = "app://shop/item/42"
            let input = """
                open \(address)
                notes.share
                notes.action
                back
                open app://notes/1

                """
            let shell = try await fixture.run("shell", input: input)
            #expect(shell.stderr == "", "\(shell)")
            let lines = shell.lines
            #expect(lines.contains { $0.hasSuffix("Share with Notes (notes.share)") }, "\(shell)")
            #expect(lines.contains { $0.hasSuffix("Checklist (notes.action)") })
            #expect(lines.contains("Sent to Notes."))
            #expect(lines.contains { $0.hasPrefix("- [ ] ") }, "\(shell)")
            // The note has the title of the page and its address.
            let note = try await fixture.run("open", "app://notes/1").stdout
            #expect(note.contains("Desk lamp") && note.contains(address), "\(note)")
        }

        @Test("In the shell, the user types into a page's field with the keyboard of a plugin")
        func keyboard() async throws {
            let input = """
                open app://notes
                keyboard notes.keyboard
                add text=Home -> Shop...
                keyboard off
                add text=A -> B

                """
            let shell = try await fixture.run("shell", input: input)
            #expect(shell.stdout.contains("You type with Arrows and boxes.\n"), "\(shell)")
            #expect(shell.stdout.contains("1 · Home → Shop…") && shell.stdout.contains("2 · A -> B"), "\(shell)")
            let refused = try await fixture.run("shell", input: "keyboard notes.share\n")
            #expect(refused.stderr.contains("is not for this extension point"), "\(refused)")
        }

        @Test("A host says which clause of an extension's rule rejects an input")
        func why() async throws {
            let accepted = try await fixture.answer(
                "extension", "why", "notes.share", "--url", "https://example.com")
            #expect(accepted.offered == true && accepted.reasons == [])
            let result = try await fixture.host.hostapp.run(["extension", "why", "notes.share", "--json"])
            #expect(result.status == 1)
            #expect(try !result.json(as: JSON.self).reasons.elements.isEmpty, "\(result)")
        }

        @Test("An unknown extension and an unknown point are reported with similar names")
        func unknown() async throws {
            let limits = try await fixture.refusal("extension", "limits", "notes.shar", status: 66)
            let point = try await fixture.refusal("extension", "list", "--point", "shar", status: 66)
            #expect([limits.code, point.code] == ["extensionUnknown", "extensionPointUnknown"])
        }
    }
}
