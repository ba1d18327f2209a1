/// The names by which other plugins use the account plugin.
public enum AccountNames {
    /// The target of the plugin's actions.
    public static let target = "Account"
    /// The address of the sign-in page, which is dismissed with `true` after the sign-in if it was presented.
    public static let signInAddress = "app://account/sign-in"
    /// The profile page's parameter for a closure that receives the greeting.
    ///
    /// The closure has the type `@Sendable (String) async -> Void`.
    public static let onGreeting = "onGreeting"
}
