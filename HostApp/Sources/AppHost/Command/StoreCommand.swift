import Console

/// The `hostapp store` command.
let storeCommand = HostCommand(
    description: Command(
        "store", summary: "Browse the plugins, install them and open them.",
        discussion: """
            On a terminal, the store is a screen: the arrow keys or the mouse select a plugin, letters search, Enter \
            installs it or opens it, and ? lists the keys. "hostapp" without a command opens the app's first page, from \
            which the key s leads to the store. Elsewhere, and with --plain or --json, the answer is that of "hostapp \
            catalog".
            """,
        examples: [
            Command.Example("hostapp store"),
            Command.Example("hostapp store --plain", "as text, for a screen reader"),
        ]
    )
) { call in
    guard call.canShowScreens else { return try await catalogListing(call) }
    try await call.showScreens(from: .store)
    return nil
}
