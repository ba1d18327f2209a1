import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("The demo", .tags(.large))
struct DemoTests {
    @Test("The demo succeeds, keeps the state of its session, and shows the transcript of the README")
    func demo() async throws {
        let script = FilePath(DocumentPage.root.appending(path: "Scripts/demo").path)
        let result = try await Executable(script, environment: ProcessInfo.processInfo.environment).run(
            "--no-build", timeout: .seconds(300))
        #expect(result.status == 0, "\(result)")
        #expect(result.stdout.contains("Bought Desk lamp: order 2\n"), "\(result)")
        #expect(
            result.stderr.contains("1.1.0 crashed the host (SIGILL) when its page was shown; 1.0.0 is active again\n"))
        let transcript = try #require(try DocumentPage("README.md").blocks().first)
        var rest = result.stdout[...]
        for command in transcript.split(separator: "\n") where command.hasPrefix("$ ") {
            let command = command.replacing(#/ +# .*/#, with: "")
            let found = try #require(rest.firstRange(of: "\(command)\n"), "\(command)")
            rest = rest[found.upperBound...]
        }
    }
}
