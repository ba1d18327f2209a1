import Foundation
import LineEditing
import PluginCore
import PluginRouter
import PluginRuntime
import Registry
import Testing

@testable import AppHost

@Suite("Completion in the shell", .tags(.medium))
struct ShellCompletionTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["one.zip", "two words.zip", "two.txt", "inner/file"] { try folder.write("", to: name) }
        try folder.write(
            #"{"formatVersion": 1, "name": "A", "bundles": [{"uri": "shop", "pkg": "com.example.shop"}]}"#,
            to: ".app/bundle.json")
    }

    private func change(_ text: String) -> LineChange {
        let environment = HostEnvironment(variables: [:], executable: "/x/bin/hostapp", workingFolder: folder.path)
        let items = HostItems(
            Sandbox(root: folder.path.appending("sandbox")), .packages(folder.path),
            CallApp(named: folder.path.appending(".app/bundle.json"), in: environment), in: environment)
        let actions = [
            PageAction("buy", title: "Buy"), PageAction("list", title: "List"),
            PageAction("signIn", title: "Sign in", fields: ["name", "note"].map { PageField($0, label: $0) }),
        ]
        return ShellCompletion(actions: actions, items: items, environment: environment).change(text, width: 80)
    }

    @Test(
        "Actions, their fields, commands, options, addresses and files are completed",
        arguments: [
            ("sig", "signIn "), ("signIn na", "name="), ("3 na", "name="), ("signIn name=a b no", "note="),
            ("rollb", "rollback "), ("install --st", "--stage "), ("open app://", "app://shop "), (".qu", ".quit "),
            ("install on", "one.zip "), ("install two", "\"two words.zip\" "),
            ("install \"two w", "\"two words.zip\" "),
            ("install in", "inner/"), ("trust re", "revoke "), ("keyboard o", "off "), ("pages", "pages "),
        ])
    func completed(text: String, inserted: String) {
        #expect(change(text).inserted == inserted && change(text).shown == nil, "\(change(text))")
    }

    @Test("What agrees is completed, and then all choices are listed, those of the page first")
    func listed() {
        #expect(change("signIn n") == LineChange(removed: 0, inserted: nil, shown: "name  note\n"))
        #expect(change("b").shown == "buy   back\n")
        // The page's action hides the command, which a dot selects.
        #expect(change("lis") == LineChange(removed: 3, inserted: "list ", shown: nil))
        #expect(change("nothing") == .none && change("install \"") != .none)
    }

    @Test("Completion creates nothing")
    func nothing() throws {
        _ = change("install com")
        _ = change("rollback ")
        #expect(!FileManager.default.fileExists(atPath: folder.path.appending("sandbox").string))
    }
}

@Suite("Changes by the tab key", .tags(.small))
struct LineChangeTests {
    private func change(_ texts: [String], for typed: String, isPart: Bool = false) -> LineChange {
        LineChange(texts.map { ($0, $0, isPart) }, for: typed, width: 20)
    }

    @Test("The common beginning replaces the typed word, whose length counts in code points")
    func common() {
        #expect(change(["grüner", "grünlich"], for: "gr") == LineChange(removed: 2, inserted: "grün", shown: nil))
        #expect(change(["grün"], for: "gru\u{308}") == LineChange(removed: 4, inserted: "grün ", shown: nil))
        #expect(change(["a/"], for: "a", isPart: true).inserted == "a/")
    }

    @Test("A list has as many columns as fit, from top to bottom")
    func columns() {
        #expect(change(["aa", "ab", "ac", "ad", "ae"], for: "a").shown == "aa  ab  ac  ad  ae\n")
        #expect(change(["aaaaaaa", "ab", "ac"], for: "a").shown == "aaaaaaa  ac\nab\n")
        let long = change(["a" + String(repeating: "x", count: 40), "ab"], for: "a")
        #expect(long.shown?.split(separator: "\n").count == 2)
    }
}
