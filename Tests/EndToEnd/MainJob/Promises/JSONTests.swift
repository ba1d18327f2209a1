import Foundation
import PluginTestKit
import Testing

extension MainJob {
    @Suite("JSON output", .tags(.large))
    struct JSONTests {
        /// Returns whether the output is exactly one JSON object.
        private func isOneDocument(_ result: ProcessResult) -> Bool {
            (try? JSONSerialization.jsonObject(with: Data(result.stdout.utf8)) as? [String: Any])?.isEmpty == false
        }

        @Test("With --json, the output of every successful command is one document")
        func successes() async throws {
            let fixture = try Scene()
            for words in [
                ["catalog"], ["list"], ["history"], ["update"], ["install", "\(shop)@1.0.0"],
                ["install", "\(shop)@1.0.0"], ["open", "app://shop"], ["open"],
                ["open", "app://shop/gift", "--tap", "choose", "--tap", "greet"],
                ["open", "app://shop/item/42", "--tap", "buy"], ["open", "app://orders/cancel/1"], ["update", shop],
                ["update"], ["rollback", shop], ["list"], ["info", shop], ["history"], ["history", shop], ["catalog"],
                ["routes"], ["call", "Orders", "count"], ["route", "explain", "-p", "a/:x", "a/1"],
                ["uninstall", shop],
                ["--help"], ["install", "--help"], ["help", "open"], ["--version"],
            ] {
                let result = try await fixture.host.hostapp.run(words + ["--json"])
                #expect(result.status == 0, "\(result)")
                #expect(isOneDocument(result), "\(result)")
                #expect(!result.stdout.contains("\u{1B}"))
            }
        }

        private static let refused: KeyValuePairs<String, Int32> = [
            "catalog extra": 64, "install": 64, "install com.example.app.shpo": 66,
            "install com.example.app.shop@9.9.9": 66, "install com.example.app.shop@nine": 64,
            "open app://nowhere/at/all": 66, "open app://shop/%zz": 65, "open app://shop --tap x": 66,
            "open app://shop/item/4711": 66, "open a b": 64, "shell": 64, "update com.example.app.orders": 66,
            "rollback com.example.app.shop": 77, "rollback": 64, "uninstall com.example.app.orders": 66,
            "uninstall": 64, "list extra": 64, "info com.example.app.shpo": 66, "info": 64,
            "history com.example.app.shpo": 66, "instal": 64, "list --jsn": 64, "": 64, "help nothing": 64,
            "bundletool inspect /nowhere.zip": 66, "bundletool pack /nowhere": 66, "bundletool pack": 64,
            "bundletool unpack": 64, "bundletool": 64,
        ]

        @Test("With --json, the output of every failed command is one document with code, subject, message and remedy")
        func refusals() async throws {
            let host = try await Scene(installed: shop).host
            for (line, status) in Self.refused {
                let words = line.split(separator: " ").map(String.init)
                let isTool = words.first == "bundletool"
                let program = isTool ? host.bundletool : host.hostapp
                let result = try await program.run(words.dropFirst(isTool ? 1 : 0) + ["--json"])
                #expect(result.status == status, "\(result)")
                #expect(isOneDocument(result) && result.stderr == "", "\(result)")
                let refusal = try result.refusal
                #expect(!refusal.code.isEmpty && !refusal.message.isEmpty && !refusal.remedy.isEmpty)
            }
        }

        @Test("With --json, notices before an error are not written into the document")
        func progress() async throws {
            // A plugin is installed and opened before the second tap fails.
            let words = ["open", "app://shop/item/42", "--tap", "buy", "--tap", "sell", "--json"]
            let result = try await Scene().host.hostapp.run(words)
            #expect(try result.status == 66 && result.refusal.code == "pageActionUnknown", "\(result)")
        }
    }
}
