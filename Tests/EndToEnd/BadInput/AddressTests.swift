import PluginCore
import PluginTestKit
import Testing

@Suite("Opening an invalid address", .tags(.large))
struct AddressTests {
    static let unknownRemedy =
        "correct the address, or install a plugin that handles it; \"hostapp catalog\" lists what is available"

    @Test(
        "An address without a route is answered with the nearest address of installed and offered plugins",
        arguments: [
            ("app://shp/item/42", #""app://shop/item/42""#), ("app://acount", #""app://account""#),
            ("app://account/sing-in", #""app://account/sign-in""#),
            ("app://shop/giff", #""app://shop/gift" or "app://photos/giff""#),
        ], Scene.Start.allCases)
    func nearest(pair: (written: String, meant: String), start: Scene.Start) async throws {
        try await Scene(start).refuses(
            "open", pair.written,
            with: Refusal(
                status: 66, code: "routeUnknown", subject: pair.written,
                message: "no plugin handles \"\(pair.written)\"; did you mean \(pair.meant)?",
                remedy: Self.unknownRemedy))
    }

    @Test(
        "An address that resembles no other is quoted without a suggestion",
        arguments: ["app://weather/tomorrow/noon", "weather", "ftp://example.com/", "/etc/passwd", "?", "%2e%2e"])
    func unknown(address: String) async throws {
        try await Scene().refuses(
            "open", address,
            with: Refusal(
                status: 66, code: "routeUnknown", subject: address,
                message: "no plugin handles \"\(address)\"", remedy: Self.unknownRemedy))
    }

    @Test(
        "The address of a web page, a mail or a telephone is not passed on to the system without a terminal to ask on",
        arguments: ["https://example.com/", "http://example.com", "mailto:ada@example.com", "tel:+4930123"])
    func system(address: String) async throws {
        try await Scene().refuses(
            "open", address,
            with: Refusal(
                status: 77, code: "systemLinkDenied", subject: address,
                message:
                    "\"\(address)\" was not passed on to the system: the user has to allow it, and cannot be asked here",
                remedy: "run the command on a terminal, or allow it with \"--system-links open\" or "
                    + "\"systemLinks\": \"open\" in bundle.json"))
    }

    @Test(
        "A malformed address is answered with the position and the reason",
        arguments: [
            ("app://shop/%zz", "a \"%\" without two hexadecimal digits in \"%zz\" (path)"),
            ("app://shop/item?from=%4", "a \"%\" without two hexadecimal digits in \"%4\" (query)"),
            ("app://shop/%00", "a NUL character in \"%00\" (path)"),
            ("app://shop/item?x=%ed%a0%80", "escapes that are not UTF-8 in \"%ed%a0%80\" (query)"),
        ], Scene.Start.allCases)
    func malformed(pair: (address: String, finding: String), start: Scene.Start) async throws {
        try await Scene(start).refuses(
            "open", pair.address,
            with: Refusal(
                status: 65, code: "uriMalformed", subject: pair.address,
                message: "\"\(pair.address)\" is not a well-formed address: \(pair.finding)",
                remedy: "correct the address; percent-encode its reserved characters"))
    }

    @Test("The address of an object cannot be opened, and no plugin is installed for it", arguments: [true, false])
    func object(isInstalled: Bool) async throws {
        let scene = try await isInstalled ? Scene(installed: Scene.shop) : Scene()
        try await scene.refuses(
            "open", "app://shop/price/42",
            with: Refusal(
                status: 65, code: "routeKind", subject: "app://shop/price/42",
                message:
                    "\"app://shop/price/42\" is the wrong kind of route: it is the address of an object, which "
                    + "cannot be opened",
                remedy: "open the address of a page or a handler; only plugins can request an object"
            ))
    }

    @Test("An address with an unknown item is answered with the items of the plugin")
    func noSuchItem() async throws {
        let scene = try await Scene(installed: Scene.shop)
        try await scene.refuses(
            "open", "app://shop/item/43",
            with: Refusal(
                status: 66, code: "resourceUnknown", subject: "app://shop/item/43",
                message: "there is no resource \"app://shop/item/43\": the shop has no item \"43\"; "
                    + "did you mean \"app://shop/item/42\", \"app://shop/item/7\" or \"app://shop/item/99\"?",
                remedy: "correct the address or name; if the manifest names it, the plugin's author must correct it",
                plugin: Refusal.Plugin(
                    bundle: "com.example.app.shop@1.1.0", request: "app://shop/item/43", chain: ["app://shop/item/43"])),
            usingPlugin: true)
    }

    @Test("An address whose guard denies access is not opened")
    func denied() async throws {
        let scene = try Scene()
        try scene.change(Scene.orders) { try $0.replaceInManifest("Account.requireSignIn", with: "Account.isSignedIn") }
        try await scene.does("install", Scene.account)
        try await scene.does("install", Scene.orders)
        try await scene.refuses(
            "open", "app://orders",
            with: Refusal(
                status: 77, code: "routeDenied", subject: "app://orders",
                message: "\"app://orders\" was not opened: Account.isSignedIn denied it",
                remedy: "do what its guard requires, such as signing in, and open the address again"),
            usingPlugin: true)
    }
}
