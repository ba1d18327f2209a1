import PluginCore
import PluginRouter
import PluginRuntime

/// What an app is made of, as `bundle.json` says it: which bundles, under which first segment of an address, which
/// addresses of its own the app gives to their pages, and what stands before them all.
///
/// ```json
/// {
///   "formatVersion": 1, "name": "Sample", "start": "app://shop", "theme": "com.example.assets.lantern",
///   "installOnDemand": "ask", "guards": ["Session.isOpen"], "fallback": "app://shop",
///   "schemes": { "https": { "guards": ["Session.isTrusted"], "fallback": "app://shop/web" } },
///   "fallbacks": { "shop/**": "app://shop/lost" },
///   "bundles": [
///     {
///       "uri": "shop", "pkg": "com.example.app.shop", "guards": ["Account.requireSignIn"],
///       "rules": {
///         "answer": "item?id=42", "welcome": "help/about",
///         "detail": { "page": "item", "exposure": "external", "guards": ["Account.isGrownUp"], "priority": 1 }
///       }
///     }
///   ]
/// }
/// ```
///
/// A rule's key is the path behind the bundle's `uri`, and `""` the `uri` alone. Its value is the name of a page of the
/// bundle, with or without the suffix `Page`; `layout/pageId` for a page described by data; or `""` for the bundle's entry
/// page, which is where the `uri` alone leads when no rule and no manifest says otherwise. A query behind it is handed on
/// where the address does not say the same. A rule beats what the bundle's own manifest says of the same address; the
/// guards that the manifest gives to the page stay, and so does its exposure unless the rule has one. With what another
/// bundle's manifest says of the same address it is a conflict: such a bundle is not made active, and where one is already, neither
/// serves the address.
///
/// `installOnDemand` says whether a plugin that is not installed may come from the catalog because an address or a call needs it:
/// `"always"`, which is what a file that does not say means, `"ask"` on a terminal and never without one, or `"never"`. A plugin that
/// the user uninstalled by name comes back only after a question, whatever it says.
struct Composition: Sendable {
    /// One bundle of the app.
    struct Member: Sendable {
        /// The first segment of the addresses that are the bundle's.
        let uri: String
        /// The bundle's identifier.
        let pkg: String
        /// What must hold before any of its routes is served, each `Target.action`.
        let guards: [String]
    }

    /// The identifiers of all bundles that it names, each once.
    var members: [String] {
        var names = bundles.map(\.pkg)
        if let theme, !names.contains(theme) { names.append(theme) }
        return names
    }

    /// What an app says of all addresses with one scheme.
    struct Scheme: Sendable {
        /// The scheme, in lower case.
        let name: String
        /// What must hold before any of them is served.
        let guards: [String]
        /// Where those lead that nobody serves.
        let fallback: ResourceURI?
    }

    /// Where the addresses of a pattern lead that nobody serves.
    struct Fallback: Sendable {
        /// Which addresses.
        let pattern: RoutePattern
        /// Where they lead.
        let address: ResourceURI
    }

    /// The only `formatVersion` there is.
    static let formatVersion = 1

    /// The app's name.
    var name = ""
    /// The address that a session starts with; `nil` for none.
    var start: String?
    /// The bundle whose `theme.json` pages are drawn with, when it is installed; `nil` for none.
    var theme: String?
    /// A Boolean value that indicates whether plugins may come from the catalog because an address or a call needs them.
    var installOnDemand = OnDemandPolicy.Rule.always
    /// The bundles.
    var bundles: [Member] = []
    /// What must hold before anything is served.
    var guards: [String] = []
    /// Where addresses lead that nobody serves.
    var fallback: ResourceURI?
    /// The schemes of which more is said, by name.
    var schemes: [Scheme] = []
    /// The fallbacks of patterns, in the order of their spelling.
    var fallbacks: [Fallback] = []
}
