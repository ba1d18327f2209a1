// Generated from Resources/en.lproj/Localizable.json by "bundletool texts"; do not edit.
// swift-format-ignore-file
internal import PluginCore

/// The texts of the plugin in the user's language.
struct Texts: Sendable {
    private let _resources: BundleResources

    init(_ resources: BundleResources) { _resources = resources }

    var aboutFacts: String { _resources.string("about.facts") }
    var aboutHome: String { _resources.string("about.home") }
    var aboutName: String { _resources.string("about.name") }
    var aboutText: String { _resources.string("about.text") }
    var aboutTitle: String { _resources.string("about.title") }
    var homeSignIn: String { _resources.string("home.signIn") }
    var homeSignOut: String { _resources.string("home.signOut") }
    func homeSignedInAs(_ value1: any Sendable) -> String { _resources.string("home.signedInAs", value1) }
    var homeSignedOut: String { _resources.string("home.signedOut") }
    var homeTitle: String { _resources.string("home.title") }
    var profileAge: String { _resources.string("profile.age") }
    var profileGreet: String { _resources.string("profile.greet") }
    func profileGreeting(_ value1: any Sendable, _ value2: any Sendable) -> String { _resources.string("profile.greeting", value1, value2) }
    var profileName: String { _resources.string("profile.name") }
    var profileTitle: String { _resources.string("profile.title") }
    func signInDone(_ value1: any Sendable) -> String { _resources.string("signIn.done", value1) }
    var signInEmptyName: String { _resources.string("signIn.emptyName") }
    var signInExplanation: String { _resources.string("signIn.explanation") }
    var signInName: String { _resources.string("signIn.name") }
    var signInSignIn: String { _resources.string("signIn.signIn") }
    var signInTitle: String { _resources.string("signIn.title") }
}

extension BundleContext {
    /// The texts of the plugin in the user's language.
    var texts: Texts { Texts(resources) }
}
