import PluginTestKit
import Testing

extension MainJob {
    @Suite("The host in Chinese", .tags(.large))
    struct ChineseTests {
        private static let chinese = ["LANG": "zh_CN.UTF-8", "LANGUAGE": "", "LC_ALL": "", "LC_MESSAGES": ""]

        @Test("Results, tables and errors with their remedies are in the language of the locale")
        func pinned() async throws {
            let fixture = try Scene()
            let empty = try await fixture.run("list", environment: Self.chinese)
            #expect(empty.stdout == "没有安装任何插件。\n")
            let installed = try await fixture.run("install", "\(shop)@1.0.0", environment: Self.chinese)
            #expect(installed.stdout == "已安装 \(shop)@1.0.0。\n" && installed.stderr == "", "\(installed)")
            let updated = try await fixture.run("update", environment: Self.chinese)
            #expect(
                updated.stdout
                    == "已将 \(shop) 从 1.0.0 更新到 1.1.0。\n已安装 com.example.lib.money@1.1.0，现在需要它。\n", "\(updated)")
            let list = try await fixture.run("list", environment: Self.chinese)
            #expect(list.lines.first?.hasPrefix("名称   标识符                 版本   上一版本      大小") == true, "\(list)")
            let info = try await fixture.run("info", shop, environment: Self.chinese)
            #expect(info.lines.contains { $0.hasPrefix("标识符") && $0.hasSuffix(shop) }, "\(info)")
            #expect(info.lines.contains { $0.hasPrefix("已安装 ") && $0.hasSuffix("，按名称安装") }, "\(info)")

            let unknown = try await fixture.host.hostapp.run(
                ["open", "app://no-such-address-anywhere"], environment: Self.chinese)
            #expect(unknown.status == 66)
            #expect(
                unknown.stderr
                    == """
                    错误：没有插件处理“app://no-such-address-anywhere”
                      解决方法：请更正该地址，或者安装能处理它的插件；“hostapp catalog”会列出可用的插件

                    """, "\(unknown)")
            let misspelled = try await fixture.host.hostapp.run(["instal", "--language", "zh-Hans"])
            #expect(misspelled.status == 64)
            #expect(
                misspelled.stderr == "错误：hostapp 没有命令“instal”\n  解决方法：是否要输入“install”？请参阅“hostapp --help”\n",
                "\(misspelled)")
        }

        @Test("No sentence in what commands print is in English")
        func sentences() async throws {
            let fixture = try await Scene(installed: shop)
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

        @Test("Documents for scripts are the same in every language")
        func json() async throws {
            let fixture = try await Scene(installed: shop)
            for words in [
                ["list"], ["catalog"], ["info", shop], ["why", shop], ["outdated"], ["history"], ["routes"], ["doctor"],
                ["route", "explain", "app://shop/item/42"], ["open", "app://nowhere"],
                ["install", "com.example.nothing"], ["instal"], ["extension", "points"], ["trust", "list"],
                ["app", "status"],
            ] {
                let english = try await fixture.host.hostapp.run(words + ["--json"])
                let chinese = try await fixture.host.hostapp.run(words + ["--json"], environment: Self.chinese)
                #expect(chinese.status == english.status && chinese.stdout == english.stdout)
                #expect(chinese.stdout.hasPrefix("{") && chinese.stderr == "", "\(chinese)")
            }
        }

        @Test("A document for scripts inside of a session in Chinese is in English")
        func shell() async throws {
            let fixture = try await Scene(installed: shop)
            let session = try await fixture.run("shell", input: "doctor --json\nlist\n", environment: Self.chinese)
            #expect(session.stdout.contains("\n名称 "), "\(session)")
            #expect(session.stdout.contains("the registry is intact") && !session.stdout.contains("注册表"), "\(session)")
        }
    }
}
