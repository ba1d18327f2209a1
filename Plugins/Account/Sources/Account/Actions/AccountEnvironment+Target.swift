internal import AccountInterface
internal import PluginCore

extension AccountEnvironment {
    /// The plugin's actions for other plugins; `AccountInterface` has a facade for each of them.
    var target: ActionTarget {
        ActionTarget(
            AccountNames.target,
            actions: [
                Action("profilePage") { [self] parameters in try await ProfilePage(self, parameters: parameters) },
                Action("isSignedIn") { [self] _ in await sessions.user != nil },
                Action("currentUser") { [self] _ in await sessions.user },
                Action("requireSignIn") { [self] _ in try await requireSignIn() },
                Action("signOut") { [self] _ in try await sessions.signOut() },
            ]
        )
    }

    /// Asks the user to sign in if necessary, and returns whether somebody is signed in.
    private func requireSignIn() async throws -> Bool {
        if sessions.user != nil { return true }
        guard
            case .dismissed(let answer) = try await context.router.open(
                AccountNames.signInAddress, presentation: .modal
            )
        else { return false }
        return answer as? Bool == true
    }
}
