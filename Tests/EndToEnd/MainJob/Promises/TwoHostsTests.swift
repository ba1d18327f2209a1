import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Two hosts that run at the same time", .tags(.large))
    struct TwoHostsTests {
        @Test("A host opens pages while another is still running")
        func opens() async throws {
            let fixture = try await Scene(installed: account, shop)
            // The first host opens a page that is larger than a pipe, and the listener reads one line until it is told to continue.
            // The listener reports that line when the host is blocked by the pipe, because a host that still runs would release a
            // removed bundle.
            let listener = #"""
                exec 3<&0
                sh -c 'echo $$; exec "$@"' sh "$@" </dev/null | {
                    read -r host; read -r line
                    for _ in $(seq 2400); do
                        case $(cat "/proc/$host"/task/*/wchan 2>/dev/null) in *pipe_write*) break ;; esac
                        sleep 0.05
                    done
                    echo "$line"; read -r go <&3; cat
                }
                """#
            let count = 2000
            let words =
                ["open", "app://shop/gift", "--tap", "choose"] + (1...count).flatMap { _ in ["--tap", "greet"] }
            let hostapp = [fixture.host.hostapp.path.string, "--sandbox", fixture.sandbox.root.string]
            let first = try Executable("/bin/sh").start(["-c", listener, "sh"] + hostapp + words)
            try await first.wait(for: "Gift card\n")

            #expect(try await fixture.run("open", "app://shop/item/42").lines.first == "Desk lamp")
            #expect(try await fixture.run("list").lines.count == 4)
            // A change does not wait for running hosts; the files that they use are removed after they have ended.
            #expect(try await fixture.run("uninstall", shop).stdout == "Removed \(shop)@1.1.0; its data is kept.\n")
            let folder = try #require(try fixture.versions(of: shop).first)
            let inUse = fixture.code(of: shop).appending(folder)
            #expect(try await fixture.run("gc").lines.first == "Kept \(inUse), which a running host uses.")
            #expect(try FileTree(of: inUse).files.contains { $0.hasSuffix("/libShop.so") })

            try await first.send("go on\n")
            let result = try await first.result()
            let greeting = "On the card: Happy birthday, Ann! You are 30 today."
            #expect(result.lines.count { $0 == greeting } == count && result.stderr == "", "\(result.stderr)")
            #expect(try await fixture.run("gc").lines.first == "Removed \(inUse).")
            #expect(try fixture.versions(of: shop) == [])
        }

        @Test("Orders that two hosts place at the same time have different numbers")
        func orders() async throws {
            let fixture = try await Scene(installed: account, MainJob.orders, shop)
            async let first = fixture.open("app://shop/item/42", tapping: "buy", "buy", "buy")
            async let second = fixture.open("app://shop/item/7", tapping: "buy", "buy", "buy")
            async let third = fixture.open("app://shop/item/99", tapping: "buy", "buy", "buy")
            let notices = try await [first, second, third].flatMap(\.notices)
            let numbers = notices.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
            #expect(numbers.sorted() == Array(1...9), "\(notices)")
        }
    }
}
