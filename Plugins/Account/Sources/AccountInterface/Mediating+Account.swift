public import PluginCore

/// Typed calls of the account plugin's actions.
///
/// Each throws the errors of ``PluginCore/Mediating/perform(_:on:_:)`` if the plugin is not available.
extension Mediating {
    /// Returns the profile page of a person, which the caller can push.
    ///
    /// - Parameters:
    ///   - name: the person's name.
    ///   - age: the person's age in years.
    ///   - onGreeting: receives the greeting each time the user requests it.
    public func profilePage(
        name: String, age: Int, onGreeting: @escaping @Sendable (String) async -> Void
    ) async throws -> any Page {
        try await perform(
            AccountActions.profilePage, Person(name: name, age: age), userInfo: [AccountActions.onGreeting: onGreeting])
    }

    /// Returns whether somebody is signed in.
    public func isSignedIn() async throws -> Bool { try await perform(AccountActions.isSignedIn) }

    /// Returns the name of the signed-in user; `nil` if nobody is signed in.
    public func currentUser() async throws -> String? { try await perform(AccountActions.currentUser) }

    /// Shows the sign-in page unless somebody is signed in, and waits for the user.
    ///
    /// - Returns: `true` if somebody is signed in now.
    public func requireSignIn() async throws -> Bool { try await perform(AccountActions.requireSignIn) }

    /// Signs the user out; has no effect if nobody is signed in.
    public func signOut() async throws { try await perform(AccountActions.signOut) }
}
