internal import AccountInterface
internal import PluginCore

extension AccountEnvironment {
    /// What the plugin does for others; `AccountInterface` has a facade for each action.
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

    /// Returns whether somebody is signed in, after the user had the chance to.
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
