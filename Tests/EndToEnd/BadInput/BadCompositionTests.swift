import PluginCore
import PluginTestKit
import Testing

@Suite("Invalid bundle.json files", .tags(.large))
struct BadCompositionTests {
    @Test("All problems of a bundle.json are listed at once", arguments: Scene.Start.allCases)
    func broken(start: Scene.Start) async throws {
        let scene = try await Scene(start)
        let folder = try ThrowawayFolder()
        let file = try folder.write(
            """
            {
              "formatVersion": "1", "nam": "Sample", "start": "app://%zz",
              "bundles": [
                {"uri": "a/b", "pkg": ""}, {"uri": "shop", "pkg": "com.x", "rules": {"a": "b/c/d", "b": 1}},
                {"uri": "Shop", "pkg": "com.y", "rulez": {}}, 5
              ]
            }
            """, to: "bundle.json")
        try await scene.refuses(
            "open", "app://account", "--composition", file.string,
            with: Refusal(
                status: 65, code: "compositionInvalid", subject: file.string,
                message: "the composition \"\(file.string)\" is not valid",
                remedy: "the app's author must correct the file; \"--composition FILE\" names another",
                details: [
                    "formatVersion: expected a number",
                    "name: it is missing",
                    "start: \"app://%zz\" is not a valid address: a \"%\" without two hexadecimal digits in "
                        + "\"%zz\" (path)",
                    "nam: no such field; did you mean \"name\"?",
                    "bundles[0].uri: \"a/b\" is not one segment of an address, such as \"shop\"",
                    "bundles[0].pkg: expected a bundle identifier",
                    "bundles[1].rules[\"a\"]: \"b/c/d\" is neither a page name nor a layout/pageId",
                    "bundles[1].rules[\"b\"]: expected a string or an object",
                    "bundles[2].uri: \"Shop\" is already used by bundles[1]",
                    "bundles[2].rulez: no such field; did you mean \"rules\"?",
                    "bundles[3]: expected an object",
                ]))
    }

    @Test("An invalid bundle.json does not affect commands that do not read it")
    func notNeeded() async throws {
        let folder = try ThrowawayFolder()
        let file = try folder.write("{", to: "bundle.json")
        let scene = try Scene()
        try await scene.does("install", Scene.account)
        try await scene.does("list", "--composition", file.string)
        try await scene.does("info", Scene.account, "--composition", file.string)
        // An install needs it, because it may exclude versions.
        let refused = try await scene.host.hostapp.run(["install", Scene.account, "--composition", file.string])
        #expect(refused.status == 65, "\(refused)")
    }
}
