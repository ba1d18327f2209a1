import NotesInterface
import PluginCore
import PluginExtension
import PluginTestKit
import Testing

@testable import Notes

@Suite("The contract of the notes plugin", .tags(.medium))
@MainActor
struct ContractTests {
    @Test("The plugin provides exactly what its manifest declares")
    func manifest() async throws {
        let bench = try Bench()
        try await bench.write("Milk")
        let contract = ManifestContract(bench.host.manifest)
        let problems = await contract.problems(
            of: bench.bundle, in: bench.host.context, samples: ["notes/:id": "app://notes/1"])
        #expect(problems == [])
        #expect(contract.problems(of: NotesRoutes.list, samples: [NoValue()]) == [])
        #expect(contract.problems(of: NotesRoutes.note, samples: [1, Int.max]) == [])
    }

    @Test("Every text is available in both languages")
    func strings() throws { #expect(try StringsContract(PluginFolder()).problems() == []) }

    @Test("The entry functions describe the plugin and its extensions to the host")
    func entry() throws {
        let folder = PluginFolder()
        #expect(try folder.entry().principalType != nil)
        #expect(try folder.entry(of: "libNotesShare.so").extensionType?.declaration.identifier == "share")
        #expect(try folder.entry(of: "libNotesAction.so").extensionType?.declaration.identifier == "action")
        #expect(
            try folder.entry(of: "libNotesDocuments.so").extensionType?.declaration.identifier == "document-provider")
        #expect(try folder.entry(of: "libNotesKeyboard.so").extensionType?.declaration.identifier == "keyboard")
    }
}
