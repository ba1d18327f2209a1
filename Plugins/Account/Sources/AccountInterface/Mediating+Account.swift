public import PluginCore

/// What the account plugin does for others, as calls with types. Each throws what ``PluginCore/Mediating/perform(_:on:_:)``
/// throws when the plugin cannot be had.
extension Mediating {
    /// The profile page of a person, to be pushed by the caller.
    ///
    /// - Parameters:
    ///   - name: what the person is called.
    ///   - age: in years.
    ///   - onGreeting: gets the greeting each time the user asks for it.
    public func profilePage(
        name: String, age: Int, onGreeting: @escaping @Sendable (String) async -> Void
    ) async throws -> any Page {
        try await perform(
            "profilePage", on: AccountNames.target,
            ["name": name, "age": age, AccountNames.onGreeting: onGreeting], returning: (any Page).self
        )
    }

    /// Returns whether somebody is signed in.
    public func isSignedIn() async throws -> Bool {
        try await perform("isSignedIn", on: AccountNames.target, returning: Bool.self)
    }

    /// Who is signed in; `nil` when nobody is.
    public func currentUser() async throws -> String? {
        try await perform("currentUser", on: AccountNames.target, returning: String?.self)
    }

    /// Shows the sign-in page unless somebody is signed in, and waits for what the user does.
    ///
    /// - Returns: whether somebody is signed in now.
    public func requireSignIn() async throws -> Bool {
        try await perform("requireSignIn", on: AccountNames.target, returning: Bool.self)
    }

    /// Forgets who is signed in; nothing happens when nobody is.
    public func signOut() async throws {
        try await perform("signOut", on: AccountNames.target)
    }
}
