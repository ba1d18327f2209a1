public import PluginCore

/// The actions of the account plugin.
public enum AccountActions {
    /// Returns the profile page of a person, for the closure ``onGreeting`` in the user info.
    public static let profilePage = ActionContract<Person, any Page>("profilePage", on: "Account")
    /// Returns whether somebody is signed in.
    public static let isSignedIn = ActionContract<NoValue, Bool>("isSignedIn", on: "Account")
    /// Returns the name of the signed-in user, or nil.
    public static let currentUser = ActionContract<NoValue, String?>("currentUser", on: "Account")
    /// Shows the sign-in page unless somebody is signed in, and returns whether somebody is signed in then.
    public static let requireSignIn = ActionContract<NoValue, Bool>("requireSignIn", on: "Account")
    /// Signs the user out; has no effect if nobody is signed in.
    public static let signOut = ActionContract<NoValue, NoValue>("signOut", on: "Account")

    /// The parameter for a closure that receives the greeting of a profile page.
    ///
    /// The closure has the type `@Sendable (String) async -> Void`.
    public static let onGreeting = "onGreeting"
}
