internal import AccountInterface
internal import PluginCore

extension AccountBundle {
    /// Returns the name of the signed-in user.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown` if nobody is signed in, because an object cannot be empty.
    func requireUser() throws -> String {
        guard let user = sessions.user else {
            throw AtriumError(
                .resourceUnknown, "app://\(AccountRoutes.user.pattern)", reason: .verbatim("nobody is signed in"))
        }
        return user
    }

    /// Asks the user to sign in if necessary, and returns whether somebody is signed in.
    func requireSignIn() async throws -> Bool {
        if sessions.user != nil { return true }
        let result = try await context.open(AccountRoutes.signIn, presentation: .modal)
        return if case .dismissed(let answer) = result { answer as? Bool == true } else { false }
    }
}
