import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Recording and replaying sessions", .tags(.large))
    struct RecordingTests {
        private struct Replay: Decodable {
            struct Difference: Decodable {
                let step: Int
                let line: String
                let path: String
                let recorded: String?
                let now: String?
            }
            let steps: Int
            let difference: Difference?
        }

        private let steps = """
            open app://shop/item/42
            buy
            page
            open app://nowhere
            link app://shop/item/7
            link app://orders
            open app://orders
            signIn name=Ada Lovelace
            call Orders place item=Red socks price=900
            back
            quit

            """

        private func record(on fixture: HostFixture) async throws -> (folder: ThrowawayFolder, file: String) {
            let folder = try ThrowawayFolder()
            let file = folder.path.appending("session.jsonl").string
            try await fixture.run("shell", "app://shop", "--record", file, input: steps)
            return (folder, file)
        }

        @Test("A replay of opens, taps, calls and errors has no difference")
        func same() async throws {
            let (folder, file) = try await record(on: HostFixture())
            let again = try await HostFixture().answer("replay", file, as: Replay.self)
            #expect(again.steps == 10 && again.difference == nil)
            let text = try await HostFixture().run("replay", file).stdout
            #expect(text == "10 steps, no difference.\n")
            withExtendedLifetime(folder) {}
        }

        @Test("A replay reports the first difference with its step, path and values")
        func different() async throws {
            let (folder, file) = try await record(on: HostFixture())
            let fixture = try await HostFixture(with: orders)
            try await fixture.run("call", "Orders", "place", "item=Lamp", "price=100")
            let result = try await fixture.host.run("replay", file, "--json")
            #expect(result.status == 1)
            let difference = try #require(try result.json(as: Replay.self).difference)
            #expect(difference.step == 3 && difference.line == "buy")
            #expect(difference.path.hasSuffix("value") || difference.path.hasSuffix("notices[0]"), "\(difference)")
            #expect(difference.recorded?.contains("1") == true && difference.now?.contains("2") == true)
            withExtendedLifetime(folder) {}
        }
    }
}
