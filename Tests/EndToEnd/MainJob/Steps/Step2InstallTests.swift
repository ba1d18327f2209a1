import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Step 2: installing a plugin", .tags(.large))
    struct InstallTests {
        /// The output of installing Shop's newest version with the library that it links.
        private static let answer = "Installed \(shop)@1.1.0.\nInstalled \(money)@1.1.0.\n"

        @Test("An install on a terminal shows a progress bar for each bundle and then their lines")
        func progress() async throws {
            let fixture = try Scene()
            let result = try await fixture.host.startOnTerminal("install", shop).result()
            #expect(result.status == 0)
            let frames = result.stdout.split(separator: "\r").map(String.init)
            for bundle in ["\(shop)@1.1.0", "\(money)@1.1.0"] {
                #expect(frames.contains { $0.hasPrefix(bundle) && $0.contains("[----") && $0.contains("0%") })
                #expect(frames.contains { $0.hasPrefix(bundle) && $0.contains("####]") && $0.contains("100%") })
            }
            let afterBar = result.stdout.split(separator: "\r\u{1B}[K").last
            #expect(afterBar == Self.answer.replacing("\n", with: "\r\n")[...], "\(result)")
        }
    }
}
