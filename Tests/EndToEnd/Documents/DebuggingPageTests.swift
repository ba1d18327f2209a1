import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The page on debugging", .tags(.large), .timeLimit(.minutes(10)))
struct DebuggingPageTests {
    private static let debugger = DocumentPage.root.appending(path: "Scripts/lib/lldb").path

    private static func hasDebugger() async throws -> Bool {
        try await Executable(FilePath(debugger)).run("--version", timeout: .seconds(60)).status == 0
    }

    @Test(
        "A reader who follows the page sees what it shows, and no deadline ends an extension that a debugger has stopped",
        .enabled("lldb does not start; see Scripts/lib/lldb") { try await hasDebugger() })
    func follow() async throws {
        let page = try DocumentPage("Packages/Core/Sources/PluginCore/PluginCore.docc/Debugging.md")
        var walkthrough = try Walkthrough(page)
        // More than the 5 seconds that a widget has.
        walkthrough.edit { command in
            guard let place = command.debugger.firstIndex(of: "p input.rows") else { return }
            command.debugger.insert("script __import__('time').sleep(6)", at: place)
        }
        #expect(walkthrough.commands.map(\.debugger.count).filter { $0 > 0 } == [8, 7])
        try await walkthrough.follow(debugger: Self.debugger)
    }
}
