public import PluginCore

/// The addresses of the account plugin.
public enum AccountRoutes {
    /// The page that shows who is signed in.
    public static let home = PageRoute<NoValue>("account", name: "home")
    /// The page of a person. Its opener can pass the closure ``AccountActions/onGreeting`` as user info.
    public static let profile = PageRoute<Person>("account/profile", name: "profile")
    /// The sign-in page, which is dismissed with `true` after the sign-in if it was presented.
    public static let signIn = PageRoute<NoValue>("account/sign-in", name: "sign-in")
    /// The name of the signed-in user; an error if nobody is signed in.
    public static let user = ValueRoute<NoValue, String>("account/user", name: "user")
}

/// The person whom a profile page shows.
public struct Person: Codable, Hashable, Sendable {
    /// The person's name.
    public var name: String
    /// The person's age in years.
    public var age: Int

    /// Creates a person.
    public init(name: String, age: Int) { (self.name, self.age) = (name, age) }
}
