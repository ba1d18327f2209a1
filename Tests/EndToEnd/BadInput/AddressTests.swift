import PluginCore
import PluginTestKit
import Testing

@Suite("Opening an address that cannot be opened", .tags(.large))
struct AddressTests {
    @Test(
        "An address that is unknown, malformed or of another kind says so with the nearest ones, and installs nothing",
        arguments: [
            // Addresses of installed plugins and of offered ones.
            ("app://shp/item/42", 66, "routeUnknown", #"; did you mean "app://shop/item/42"?"#),
            ("app://shop/giff", 66, "routeUnknown", #"; did you mean "app://shop/gift" or "app://photos/giff"?"#),
            ("ftp://example.com/", 66, "routeUnknown", #"no plugin handles "ftp://example.com/""#),
            ("%2e%2e", 66, "routeUnknown", #"no plugin handles "%2e%2e""#),
            ("app://shop/%00", 65, "uriMalformed", "a NUL character in \"%00\" (path)"),
            ("app://shop/item?from=%4", 65, "uriMalformed", "hexadecimal digits in \"%4\" (query)"),
            ("app://shop/price/42", 65, "routeKind", "it is the address of an object"),
            // There is no terminal to ask on.
            ("mailto:ada@example.com", 77, "systemLinkDenied", "the user has to allow it"),
        ] as [(String, Int32, String, String)], Scene.Start.allCases)
    func refused(address: (text: String, status: Int32, code: String, words: String), start: Scene.Start) async throws {
        let refusal = try await Scene(start).refuses(
            ["open", address.text], status: address.status, code: address.code, saying: address.words)
        #expect(refusal.subject == address.text)
    }

    @Test("An address with an unknown item is answered with the items of the plugin")
    func noSuchItem() async throws {
        let address = "app://shop/item/43"
        let refusal = try await Scene(installed: Scene.shop).refuses(
            ["open", address], status: 66, code: "resourceUnknown",
            saying: "did you mean \"app://shop/item/42\", \"app://shop/item/7\" or \"app://shop/item/99\"?",
            usingPlugin: true)
        #expect(refusal.plugin == .init(bundle: "\(Scene.shop)@1.1.0", request: address, chain: [address]))
    }

    @Test("An address whose guard denies access is not opened")
    func denied() async throws {
        let scene = try Scene()
        try scene.change(Scene.orders) { try $0.replaceInManifest("Account.requireSignIn", with: "Account.isSignedIn") }
        for bundle in [Scene.account, Scene.orders] { try await scene.run("install", bundle) }
        try await scene.refuses(
            ["open", "app://orders"], status: 77, code: "routeDenied", saying: "Account.isSignedIn denied it",
            usingPlugin: true)
    }

    @Test(
        "The name of a plugin that is not in the catalog or not installed is answered with the nearest name",
        arguments: [
            (["install", "com.example.app.shpo"], "bundleUnknown", #"did you mean "com.example.app.shop" or "#),
            (["install", "\(Scene.shop)@3.0.0"], "versionUnknown", #"did you mean "com.example.app.shop@1.1.0" or "#),
        ]
            + ["update", "rollback", "uninstall", "pin", "unpin"].map {
                ([$0, "com.example.app.acount"], "bundleNotInstalled", #"did you mean "com.example.app.account"?"#)
            } as [([String], String, String)])
    func names(arguments: [String], code: String, words: String) async throws {
        try await Scene(.another).refuses(arguments, status: 66, code: code, saying: words)
    }
}
