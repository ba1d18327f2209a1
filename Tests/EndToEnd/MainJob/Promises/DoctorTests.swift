import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Maintenance of a sandbox", .tags(.large))
struct DoctorTests {
    @Test("Plugins that this host cannot load are reported with 77 by doctor, app status, app install and outdated")
    func upgraded() async throws {
        let fixture = try await Scene(installed: "\(Scene.shop)@1.0.0")
        let folder = try ThrowawayFolder()
        let file = try folder.write(
            #"{"formatVersion": 1, "name": "App", "bundles": [{"uri": "shop", "pkg": "com.example.app.shop"}]}"#,
            to: "bundle.json")
        try await fixture.run("app", "install", "--composition", file.string)
        let commands = [
            ["doctor"], ["app", "status"], ["app", "install"], ["app", "install", "--dry-run"], ["outdated"],
        ]
        for command in commands {
            let sound = try await fixture.host.hostapp.run(command + ["--composition", file.string])
            #expect(sound.status == 0, "\(sound)")
        }
        // As if the host had been upgraded to another Core ABI.
        let path = fixture.sandbox.root.appending("Containers/Bundle/registry.sqlite").string
        var registry = try #require(FileManager.default.contents(atPath: path))
        while let place = registry.firstRange(of: Array("\"coreABI\" : 3".utf8)) {
            registry.replaceSubrange(place, with: Array("\"coreABI\" : 1".utf8))
        }
        try registry.write(to: URL(filePath: path))
        for command in commands {
            let result = try await fixture.host.hostapp.run(command + ["--composition", file.string])
            #expect(result.status == 77, "\(result)")
            #expect(
                result.stdout.contains("\(Scene.shop)@1") && result.stdout.contains("built for Core ABI 3"), "\(result)"
            )
        }
    }

    @Test("Before an upgrade, doctor says from the new host's description which plugins would stop")
    func upgrading() async throws {
        let fixture = try await Scene(installed: "\(Scene.shop)@1.0.0")
        let folder = try ThrowawayFolder()
        let description = try await fixture.run("doctor", "--describe-host").stdout
        #expect(try await fixture.run("doctor", "--describe-host", "--json").stdout == description)
        func check(_ description: String) async throws -> ProcessResult {
            let file = try folder.write(description, to: "host.json")
            return try await fixture.host.hostapp.run("doctor", "--for-host", file.string, "--json")
        }
        #expect(try await check(description).status == 0)
        let abi = description.replacing("\"coreABI\": 3", with: "\"coreABI\": 4")
        try #require(abi != description)
        for other in [abi, description.replacing("libPluginCore.so", with: "libOther.so")] {
            let result = try await check(other)
            #expect(result.status == 77, "\(result)")
            let wrong = try result.json(as: JSON.self).findings.elements.filter { $0.finding == "wrong" }
            #expect(wrong.map(\.subject.string) == ["\(Scene.shop)@1.0.0"] && wrong.first?.remedy != "", "\(result)")
            #expect(try wrong.first?.remedy != .null && result.json(as: JSON.self).sound == false)
        }
        #expect(try await check("no description").status == 65)

        func outdated(_ description: String) async throws -> ProcessResult {
            let file = try folder.write(description, to: "host.json")
            return try await fixture.host.hostapp.run("outdated", "--for-host", file.string, "--json")
        }
        let own = try await outdated(description)
        #expect(own.status == 0 && own.stdout.contains("\"forHost\": \"1.1.0\""), "\(own)")
        for other in [abi, description.replacing("\"Clang ", with: "\"Klang ")] {
            let result = try await outdated(other)
            #expect(result.status == 77 && other != description, "\(result)")
            let lacking = try result.json(as: JSON.self).lacking.elements.map(\.string)
            #expect(lacking == ["\(Scene.shop)@1.0.0"] && result.stdout.contains("\"forHost\": null"), "\(result)")
        }
        #expect(try await fixture.host.hostapp.run("outdated", "--for-host", "x", "--check").status == 64)
        #expect(try await fixture.host.hostapp.run("doctor", "--for-host", "x", "--fix").status == 64)
    }

    @Test("Verify ends with 77 for a missing file, and names it")
    func harmed() async throws {
        let scene = try await Scene(installed: "\(Scene.shop)@1.0.0")
        #expect(try await scene.run("verify", "--json").stdout.contains("\"sound\": true"))
        let page = "Resources/Pages/help.json"
        try await scene.removes(try scene.shopFolder("1.0.0") + "/" + page)
        let verified = try await scene.host.run("verify", "--json")
        #expect(verified.status == 77)
        for part in ["\"sound\": false", "\"code\": \"sealBroken\"", "\"path\": \"\(page)\""] {
            #expect(verified.stdout.contains(part), "\(verified)")
        }
    }
}
