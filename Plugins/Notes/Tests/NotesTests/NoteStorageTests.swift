import FoundationEssentials
import NotesStorage
import PluginCore
import PluginTestKit
import Testing

@Suite("The storage of notes", .tags(.medium))
struct NoteStorageTests {
    @Test("Notes that are added at the same time all get a number of their own, and no draft is left")
    func concurrent() async throws {
        let container = try TestContainer()
        let numbers = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask { try (0..<25).map { _ in try NoteStorage(in: container.container).add("Milk") } }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(numbers.sorted() == Array(1...100))
        #expect(try NoteStorage(in: container.container).notes().map(\.number) == (1...100).reversed())
        let folder = container.container.documents.appending("Notes").string
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.allSatisfy { $0.hasSuffix(".txt") && !$0.hasPrefix(".") })
    }
}
