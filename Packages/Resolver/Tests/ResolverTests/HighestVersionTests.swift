import PluginCore
import PluginRuntime
import Testing

@Suite("The plain choice of versions", .tags(.small))
struct HighestVersionTests {
    private func plan(_ text: String, _ requests: [ChangeRequest]) throws -> [String] {
        try VersionChooser.highest.change(SampleUniverse(text).question(requests)).texts
    }

    @Test(
        "The highest offered version that meets the requirements is chosen, after those that it needs",
        arguments: [
            ("com.a@1.0.0\n!com.a@2.0.0", ChangeRequest.install("com.a"), ["com.a 1.0.0"]),
            (
                "com.a@1.0.0: com.b ^1.0.0, com.c * on demand\ncom.b@1.0.0\ncom.b@1.2.0\ncom.b@2.0.0",
                .install("com.a"),
                ["com.b 1.2.0", "com.a 1.0.0"]
            ),
            (
                "+com.a@1.0.0: com.b ^1.0.0\n+com.b@1.0.0\ncom.a@2.0.0: com.b ^1.1.0\ncom.b@1.1.0", .update("com.a"),
                ["com.b 1.0.0>1.1.0", "com.a 1.0.0>2.0.0"]
            ),
            ("+com.a@1.0.0\ncom.a@2.0.0-beta", .update("com.a"), []),
            ("+com.a@1.0.0: com.b *\n+com.b@1.0.0", .remove("com.a"), ["com.a 1.0.0>"]),
        ])
    func answer(universe: String, request: ChangeRequest, steps: [String]) throws {
        #expect(try plan(universe, [request]) == steps)
    }

    @Test(
        "Everything else is refused",
        arguments: [
            (
                "com.a@1.0.0: com.b ^1.0.0\ncom.b@2.0.0", ChangeRequest.install("com.a"),
                AtriumError.Code.requirementUnmet
            ),
            ("!com.a@1.0.0", .install("com.a"), .init("quarantined")),
            ("com.b@1.0.0", .install("com.a"), .bundleUnknown), ("com.b@1.0.0", .update("com.b"), .bundleNotInstalled),
            ("+com.a@1.0.0: com.b ^1.0.0\n+com.b@1.0.0\ncom.b@2.0.0", .update("com.b"), .dependencyConflict),
            ("+com.a@1.0.0: com.b *\n+com.b@1.0.0", .remove("com.b", cascade: true), .bundleNeeded),
        ])
    func refusal(universe: String, request: ChangeRequest, code: AtriumError.Code) {
        let error = #expect(throws: AtriumError.self) { try plan(universe, [request]) }
        #expect(error?.code == code)
    }
}
