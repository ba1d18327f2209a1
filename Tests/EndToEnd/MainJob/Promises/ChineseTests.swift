import PluginTestKit
import Testing

extension MainJob {
    @Suite("The host in Chinese", .tags(.large))
    struct ChineseTests {
        private let fixture: Scene

        init() async throws { fixture = try await Scene(installed: shop) }

        private static let chinese = ["LANG": "zh_CN.UTF-8", "LANGUAGE": "", "LC_ALL": "", "LC_MESSAGES": ""]

        @Test("No sentence in what commands print is in English")
        func sentences() async throws {
            let commands = [
                ["list"], ["info", shop], ["why", shop], ["outdated"], ["history"], ["routes"], ["doctor"], ["catalog"],
                ["route", "explain", "app://shop/item/42"], ["open", "app://shop/item/42"], ["open", "app://nowhere"],
                ["open"], ["open", "http://"], ["call", "Account"], ["install", "com.example.nothing"],
                ["install", "a b@1"], ["instal"], ["extension", "points"], ["trust", "list"],
                ["trust", "remove", "nobody"], ["app", "status"], ["crashes"], ["pin", shop], ["rollback", shop],
                ["uninstall", "com.example.lib.money"], ["gc"], ["update"], ["verify", shop], ["unblock", shop],
                ["extension", "run", "nothing"], ["--sandbox", "/dev/null", "list"], ["--help"],
                ["list", "--no-such-option"], ["catalog", "refresh"], ["uninstall", shop],
            ]
            for words in commands {
                let run = try await fixture.host.hostapp.run(words, environment: Self.chinese)
                let lines = (run.stdout + run.stderr).split(separator: "\n")
                #expect(!lines.isEmpty, "\(words)")
                // Names and command lines are the same in every language, and the summary of a plugin is its author's.
                for line in lines where !line.hasPrefix("摘要") {
                    let own = line.replacing(/“[^”]*”|hostapp( [a-z-]+)*/, with: "")
                    #expect(!own.contains(/[A-Za-z]{2,},? [a-z]{2,},? [a-z]{2,}/), "\(words): \(line)")
                }
            }
        }

        @Test("A document for scripts inside of a session in Chinese is in English")
        func shell() async throws {
            let session = try await fixture.run("shell", input: "doctor --json\nlist\n", environment: Self.chinese)
            #expect(session.stdout.contains("\n名称 "), "\(session)")
            #expect(session.stdout.contains("the registry is intact") && !session.stdout.contains("注册表"), "\(session)")
        }
    }
}
