/// The names under which the account plugin is reached.
public enum AccountNames {
    /// The mediator's target.
    public static let target = "Account"
    /// The address of the sign-in page. Presented, it is dismissed with `true` once the user is signed in.
    public static let signInAddress = "app://account/sign-in"
    /// What the profile page calls with its greeting: a `@Sendable (String) async -> Void`.
    public static let onGreeting = "onGreeting"
}
