import PluginCore
import PluginTestKit
import Testing

@Suite("Packages with an invalid seal", .tags(.large))
struct SealTests {
    /// A fault of the package of Account with the expected error message.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var code = "sealBroken"
        let message: String
        var remedy = "get the package again and install it; if that does not help, its author must sign it again"
        var details: [String] = []
        let change: @Sendable (inout PackageEditor) throws -> Void

        var refusal: Refusal {
            Refusal(
                status: 77, code: code, subject: SealTests.package, message: message, remedy: remedy, details: details)
        }
    }

    private static let package = "com.example.app.account-1.0.0.zip"
    private static let help = "Resources/Pages/help.json"

    static let faults = [
        Fault(
            testDescription: "for there is no seal", code: "unsigned",
            message: "\"\(package)\" is not signed: "
                + "there is no signature/seal.json and no signature/seal.json.minisig in it",
            remedy: "its author must sign it: \"bundletool keygen\" once, then \"bundletool sign\" for each package"
        ) { $0.removeSeal() },
        Fault(
            testDescription: "for a file is missing and one is new",
            message: "\"\(package)\" does not match its seal",
            details: ["\(help): it is sealed, but missing", "Resources/more.txt: it is not sealed"]
        ) { package in
            package.keepSeal()
            package.set("Resources/more.txt", to: "more")
            try package.remove(help)
        },
    ]

    @Test(
        "A package with an invalid seal is not installed, by name or on demand", arguments: faults, Scene.Start.allCases
    )
    func refused(fault: Fault, start: Scene.Start) async throws {
        let scene = try Scene()
        if start == .another { try await scene.does("install", Scene.shop) }
        try scene.change(Scene.account, "1.0.0", fault.change)
        try await scene.refuses("install", Scene.account, with: fault.refusal)
        try await scene.refuses("open", "app://account", with: fault.refusal)
        #expect(try scene.sandbox.tree().isEmpty == (start == .nothing))
    }

    @Test("A package of an unknown team, or of a team that does not own its identifier, is not installed")
    func otherTeam() async throws {
        let conflictingRoute = try SigningIdentity(team: "com.rival")
        let scene = try await Scene(installed: Scene.shop)
        try scene.change(Scene.account) { try $0.sign(by: conflictingRoute) }
        try await scene.refuses(
            "install", Scene.account,
            with: Refusal(
                status: 77, code: "teamUnknown", subject: "com.example.app.account@1.0.0",
                message: "\"com.example.app.account@1.0.0\" is not signed by a team that this host trusts: "
                    + "there is no team \"com.rival\" in the trust store",
                remedy: "if you trust its author, get their public key from them and run \"hostapp trust add\""))
        try scene.sandbox.trust(conflictingRoute)
        try await scene.refuses(
            "install", Scene.account,
            with: Refusal(
                status: 77, code: "teamForeign", subject: "com.example.app.account@1.0.0",
                message: "\"com.example.app.account@1.0.0\" is signed by a team that does not own its identifier: "
                    + "team \"com.example\" owns \"com.example.app.account\", but team \"com.rival\" signed it",
                remedy:
                    "its author must choose an identifier that the team owns; "
                    + "\"hostapp trust list\" shows the prefixes of each team"
            ))
    }
}
