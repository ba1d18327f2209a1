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
            testDescription: "for a file is longer", message: "\"\(package)\" does not match its seal",
            details: ["\(help): it has 315 bytes, but 314 are sealed"]
        ) { package in
            package.keepSeal()
            try package.edit(help) { $0.append(UInt8(ascii: " ")) }
        },
        Fault(
            testDescription: "for a file is as long and another one",
            message: "\"\(package)\" does not match its seal",
            details: ["\(help): its content does not match the seal"]
        ) { package in
            package.keepSeal()
            try package.edit(help) { $0[0] = UInt8(ascii: "[") }
        },
        Fault(
            testDescription: "for a file is missing and one is new",
            message: "\"\(package)\" does not match its seal",
            details: ["\(help): it is sealed, but missing", "Resources/more.txt: it is not sealed"]
        ) { package in
            package.keepSeal()
            package.set("Resources/more.txt", to: "more")
            try package.remove(help)
        },
        Fault(
            testDescription: "for the seal is written in another way",
            message: "\"\(package)\" does not match its seal: its signature/seal.json is not valid",
            details: ["it is not in the canonical form that \"bundletool sign\" writes"]
        ) { package in
            package.keepSeal()
            try package.edit("signature/seal.json") { $0.append(UInt8(ascii: " ")) }
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

    @Test("A package whose signature belongs to another seal is not installed")
    func otherSeal() async throws {
        let scene = try Scene()
        let key = try await Self.key(in: scene)
        try scene.change(Scene.account) { package in
            package.keepSeal()
            try package.edit("signature/seal.json") { bytes in
                // The year of the signing time precedes "-MM-DDT".
                let end = try #require(bytes.firstIndex(of: UInt8(ascii: "T")))
                bytes.replaceSubrange((end - 10)..<(end - 6), with: Array("2025".utf8))
            }
        }
        try await scene.refuses(
            "install", Scene.account,
            with: Refusal(
                status: 77, code: "signatureInvalid", subject: "com.example.app.account@1.0.0",
                message: "the signature of \"com.example.app.account@1.0.0\" is not valid: "
                    + "key \(key.keyID) has not signed this content",
                remedy: "get it again; if that does not help, its author must sign it again with \"bundletool sign\""))
        #expect(try scene.sandbox.tree().isEmpty)
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

    @Test("A plugin whose key was revoked is not loaded anymore, and the reason is reported")
    func revoked() async throws {
        let scene = try await Scene(installed: Scene.account)
        try await scene.does("open", "app://account")
        let key = try await Self.key(in: scene).keyID
        try await scene.does("trust", "revoke", key, "--reason", "the laptop was stolen")
        let revocation = try #require(try await Self.key(in: scene).revoked)
        func refusal(_ subject: String) -> Refusal {
            Refusal(
                status: 77, code: "keyRevoked", subject: subject,
                message: "\"\(subject)\" is signed with a key that was revoked: "
                    + "key \(key) was revoked at \(revocation.at): the laptop was stolen",
                remedy: "install a package signed with the team's new key; \"hostapp trust list\" shows the reason")
        }
        try await scene.refuses("open", "app://account", with: refusal("com.example.app.account@1.0.0"))
        // This page is described by a layout, so no code is loaded.
        try await scene.refuses("open", "app://account/about", with: refusal("com.example.app.account@1.0.0"))
        try await scene.refuses("install", Scene.shop, with: refusal("com.example.app.shop@1.1.0"))
        #expect(try await scene.does("list").stdout.contains(Scene.account))
        try await scene.does("uninstall", Scene.account)
    }

    private struct Key: Decodable {
        struct Revocation: Decodable { let at: String }
        let keyID: String
        let revoked: Revocation?
    }

    /// Returns the only key that the shipped host trusts.
    private static func key(in scene: Scene) async throws -> Key {
        struct Listing: Decodable {
            struct Team: Decodable { let keys: [Key] }
            let teams: [Team]
        }
        let listing = try await scene.does("trust", "list", "--json").json(as: Listing.self)
        return try #require(listing.teams.flatMap(\.keys).first)
    }
}
