import PluginCatalog
import PluginCore
import PluginRouter
import Resolver

/// An app's composition with its bundles, their first segments, its own addresses and their guards, as described by a composition file.
///
/// ```swift
/// let app = try ComposedRoutes(contentsOf: "bundle.json")
/// let host = try await Host(
///     at: folder, source: catalog, trusting: .team("com.example", key), routing: app.routing(on: navigator))
/// try app.install(in: host)
/// ```
///
/// ```json
/// {
///   "formatVersion": 1, "name": "Sample", "version": "1.0.0", "start": "app://shop", "theme": "com.example.assets.lantern",
///   "installOnDemand": "ask", "guards": ["Session.isOpen"], "fallback": "app://shop",
///   "schemes": { "https": { "guards": ["Session.isTrusted"], "fallback": "app://shop/web" } },
///   "fallbacks": { "shop/**": "app://shop/lost" },
///   "bundles": [
///     {
///       "uri": "shop", "pkg": "com.example.app.shop", "version": "^1.1.0", "guards": ["Account.requireSignIn"],
///       "rules": {
///         "answer": "item?id=42", "welcome": "help/about",
///         "detail": { "page": "item", "exposure": "external", "guards": ["Account.isGrownUp"], "priority": 1 }
///       }
///     }
///   ]
/// }
/// ```
///
/// The key of a rule is the path after the bundle's `uri`, or `""` for the `uri` alone. Its value is the name of a page of the
/// bundle, with or without the suffix `Page`; `layout/pageId` for a page described by a layout; or `""` for the bundle's entry
/// page, which is also the target of the `uri` alone if no rule and no manifest covers that address. The parameters of a query in
/// the value are added unless the address has parameters of the same name. A rule overrides the manifest of its own bundle; the
/// page keeps the guards of the manifest, and its exposure unless the rule declares one. If the manifest of another bundle declares
/// the same address, this is a conflict: that bundle is not activated, and if it already is active, neither serves the address.
///
/// `installOnDemand` says whether a missing plugin is installed from the catalog when an address or a call needs it: `"always"`
/// (the default), `"ask"` (asks on a terminal, otherwise never), or `"never"`. In every case, a plugin that the user uninstalled by
/// name is installed again only after a question.
///
/// `updates` says what the host does about newer versions in a published catalog: `"manual"` (the default), `"notify"`, `"stage"` for the
/// next start, or `"apply"` at once; a bundle can have its own `updates`. The host looks in the background when a session starts.
///
/// The `version` of a bundle is the range of versions that the app allows, written as in the requirements of a manifest. No other version is
/// installed while the app runs by this file: not by name, by an update, on demand, or in the background. Rollbacks and the recovery from a
/// crash are not bound by it. The `version` of the app is a version of its own, which the lock of the app contains.
///
/// `composition` is the identifier of a bundle of kind `assets` with a bundle.json of its own, `Resources/bundle.json`. As soon as that bundle is
/// installed, its bundle.json applies in place of this one. Its manifest requires the bundles that it names in the versions that it
/// allows, so that a new version of it changes the app as a whole: it is published, installed, staged and rolled back as any bundle.
///
/// `tabs` is a list of addresses, whose pages are the tabs of the app's screens on a terminal. Other commands ignore it.
///
/// `systemLinks` says what happens to web, mail and telephone links that no plugin handles: `"ask"` (the default) passes them on to the system
/// after a question on a terminal, `"open"` at once unless they come from outside of the app, `"never"` not at all. `systemSchemes` is a list of
/// further schemes that the system opens.
///
/// `isolatedTeams` is a list of teams, each of whose plugins runs in a process of its own; `"*"` stands for all teams.
public struct ComposedRoutes: Sendable {
    /// A bundle of the app.
    struct Member {
        /// The first segment of the bundle's addresses.
        let uri: String
        /// The bundle's identifier.
        let pkg: String
        /// The guards of all routes of the bundle, each written as `Target.action`.
        let guards: [String]
        /// The policy for newer versions of the bundle; `nil` for that of the app.
        var updates: UpdatePolicy?
        /// The versions that the app allows; `nil` for all.
        var versions: VersionRange?
        var rules: [ComposedRule] = []
        /// The rule that maps the first segment alone to the entry page, if no rule of the file covers that address.
        ///
        /// Routes of manifests take precedence over it.
        var entry: ComposedRule?
    }

    /// The empty composition of an app that consists of whatever is installed.
    public static let none = ComposedRoutes()

    /// The bundles with the versions that the app allows, one for each entry that names a bundle.
    ///
    /// If another bundle contains the app's bundle.json, it is the only one, because it requires the others.
    var appMembers: [AppMember] {
        if let bundle { return [AppMember(bundle)] }
        let bundles = bundles.compactMap { member in
            BundleIdentifier(member.pkg).map { AppMember($0, versions: member.versions) }
        }
        guard let theme = theme.flatMap({ BundleIdentifier($0) }),
            !bundles.contains(where: { $0.identifier == theme })
        else { return bundles }
        return bundles + [AppMember(theme)]
    }

    /// The guards of all addresses with a scheme in lower case, and what opens instead of those that no route matches.
    typealias Scheme = (name: String, guards: [String], fallback: ResourceURI?)

    /// A pattern, and the address that opens instead of those that match it and no route.
    typealias Fallback = (pattern: RoutePattern, address: ResourceURI)

    /// The app's name.
    public internal(set) var name = ""
    /// The app's version; `nil` if it has none.
    var version: SemanticVersion?
    /// The bundle whose bundle.json applies in place of this one as soon as it is installed; `nil` if there is none.
    var bundle: BundleIdentifier?
    /// The address that a session opens at start; `nil` if there is none.
    public internal(set) var start: String?
    /// The addresses of the pages that screens show in tabs; empty for none.
    var tabs: [String] = []
    /// The identifier of the bundle with the theme that pages are drawn with; `nil` if there is none.
    public internal(set) var theme: String?
    /// The rule for installing plugins that an address or a call needs.
    var installOnDemand = OnDemandPolicy.Rule.always
    /// The policy for newer versions.
    var updates = UpdatePolicy.manual
    /// The teams whose plugins run in processes of their own, or `*` for all teams.
    var isolatedTeams: [String] = []
    /// The rule for links that no plugin handles and that the system can open.
    var systemLinks = SystemLinkRule.ask
    /// The schemes that are passed on to the system in addition to those of the host, in lower case.
    var systemSchemes: [String] = []
    /// The bundles.
    var bundles: [Member] = []
    /// The guards of all routes.
    var guards: [String] = []
    /// The address that opens instead of an address that no route matches.
    var fallback: ResourceURI?
    /// The schemes with their own guards or fallbacks, sorted by name.
    var schemes: [Scheme] = []
    /// The fallbacks of patterns, sorted by their text.
    var fallbacks: [Fallback] = []
}

/// The rule for links that no plugin handles and that the system can open.
enum SystemLinkRule: String, CaseIterable {
    /// Pass them on after a question.
    case ask
    /// Pass them on at once; those that come from outside of the app, or from a plugin in a process of its own, only after a question.
    case open
    /// Pass none on.
    case never
}

/// The policy for newer versions of a plugin, which a host follows by itself.
enum UpdatePolicy: String, CaseIterable {
    /// Nothing: updates are made by "hostapp update".
    case manual
    /// It says that there are updates.
    case notify
    /// It installs updates that become active at the next start.
    case stage
    /// It installs updates that become active at once.
    case apply
}
