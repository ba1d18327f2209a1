import Testing

@Suite("Unknown names of plugins", .tags(.large))
struct UnknownTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let refusal: Refusal
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let catalogRemedy =
        "correct the identifier; \"hostapp catalog\" lists what can be installed, \"hostapp list\" what is installed"
    static let versionRemedy =
        "choose a version that \"hostapp catalog\" lists, or ask the catalog's maintainer to publish this one"
    static let listRemedy =
        "correct the identifier; \"hostapp list\" lists what is installed, \"hostapp catalog\" what can be"

    /// The row for an identifier that the catalog does not have.
    private static func unknown(_ word: String, _ identifier: String, meaning: String = "") -> Row {
        Row(
            arguments: ["install", word],
            refusal: Refusal(
                status: 66, code: "bundleUnknown", subject: identifier,
                message: "there is no bundle \"\(identifier)\"" + meaning, remedy: catalogRemedy))
    }

    static let rows = [
        unknown(
            "com.example.app.shpo", "com.example.app.shpo",
            meaning: #"; did you mean "com.example.app.shop" or "com.example.app.photos"?"#),
        unknown("org.nobody.at.all", "org.nobody.at.all"),
        Row(
            arguments: ["install", "com.example.app.shop@3.0.0"],
            refusal: Refusal(
                status: 66, code: "versionUnknown", subject: "com.example.app.shop@3.0.0",
                message: "the catalog has no \"com.example.app.shop@3.0.0\"; "
                    + "did you mean \"com.example.app.shop@1.1.0\" or \"com.example.app.shop@1.0.0\"?",
                remedy: versionRemedy)),
    ]

    @Test(
        "A name that is not in the catalog changes nothing and is answered with the nearest name", arguments: rows,
        Scene.Start.allCases)
    func inCatalog(row: Row, start: Scene.Start) async throws {
        try await Scene(start).refuses(row.arguments, with: row.refusal)
    }

    @Test(
        "A plugin that is not installed is reported with the command that installs it",
        arguments: ["update", "rollback", "uninstall", "pin", "unpin"], Scene.Start.allCases)
    func notInstalled(command: String, start: Scene.Start) async throws {
        let scene = try await Scene(start)
        try await scene.refuses(
            command, Scene.shop,
            with: Refusal(
                status: 66, code: "bundleNotInstalled", subject: Scene.shop,
                message: "\"com.example.app.shop\" is not installed",
                remedy: "run \"hostapp install com.example.app.shop\", or \"hostapp list\" to see what is installed"))
    }

    @Test(
        "A name that resembles an installed plugin is answered with the nearest name",
        arguments: ["update", "rollback", "uninstall", "pin", "unpin"], ["account", "com.example.app.acount"])
    func nearlyInstalled(command: String, name: String) async throws {
        let scene = try await Scene(.another)
        try await scene.refuses(
            command, name,
            with: Refusal(
                status: 66, code: "bundleNotInstalled", subject: name,
                message: "\"\(name)\" is not installed; did you mean \"com.example.app.account\"?",
                remedy: Self.listRemedy))
    }
}
