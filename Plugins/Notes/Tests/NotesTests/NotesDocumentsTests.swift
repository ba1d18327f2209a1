import PluginCore
import PluginExtension
import PluginTestKit
import Testing

@testable import NotesDocuments

@Suite("Notes as documents", .tags(.medium))
@MainActor
struct NotesDocumentsTests {
    @Test("Each note is a document, whose content is the note's text")
    func documents() async throws {
        let container = try TestContainer()
        let bench = try Bench(container: container)
        for text in ["Milk\nBread", "Tea"] { try await bench.write(text) }
        let provider = try TestExtension(of: NotesDocuments.self, container: container)
        let list = try await provider.run(.list(folder: "")).output
        #expect(
            list
                == .list([
                    DocumentEntry(identifier: "2", name: "Tea.txt", size: 3),
                    DocumentEntry(identifier: "1", name: "Milk.txt", size: 10),
                ]))
        let fetched = try await provider.run(.fetch(document: "1"))
        let attachment = try #require(fetched.items.first?.attachments.first)
        #expect(fetched.output == .fetched && fetched.items.count == 1)
        #expect(try attachment.loadText() == "Milk\nBread" && attachment.types == [.plainText])
    }

    @Test("A folder or a document that does not exist is an error", arguments: ["7", "x", "../1", ""])
    func unknown(name: String) async throws {
        let provider = try TestExtension(of: NotesDocuments.self)
        let request: DocumentRequest = name == "x" ? .list(folder: name) : .fetch(document: name)
        let error = await #expect(throws: AtriumError.self) { try await provider.run(request) }
        #expect(error?.code == .resourceUnknown && error?.subject == name)
    }
}
