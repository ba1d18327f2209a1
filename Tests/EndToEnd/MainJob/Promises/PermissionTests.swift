import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Permissions of installed plugins", .tags(.large))
    struct PermissionTests {
        private static let line = "  Permission network: Account may connect to other computers.\n"

        private static let added = ["\(account): network"]

        /// Returns the new permissions in the answer of a change.
        private func permissions(in answer: JSON) -> [String] {
            answer.permissions.elements.map { "\($0.identifier): \($0.permission)" }
        }

        /// A host with Account, whose newest version in the catalog asks for the network, as does the one before.
        private func fixture(with version: String) async throws -> Scene {
            let fixture = try Scene()
            for version in ["1.1.0", "1.2.0"] {
                try fixture.change(account) { package in
                    try package.rename(version: version)
                    try package.setManifest("permissions", to: #"["network"]"#)
                }
            }
            // Orders alone needs the newer version, so that an update can be on demand.
            try fixture.change(orders) { package in
                try package.setManifest(
                    "requires",
                    to: """
                        [{"bundle": "\(account)", "versions": "^1.1.0"}, {"bundle": "\(money)", "versions": "^1.0.0"}]
                        """)
            }
            try await fixture.run("install", "\(account)@\(version)")
            return fixture
        }

        @Test("An update names the permissions that the version before did not have")
        func update() async throws {
            let fixture = try await fixture(with: "1.0.0")
            let dry = try await fixture.run("update", "--dry-run").stdout
            #expect(dry == "Would update \(account) from 1.0.0 to 1.2.0.\n" + Self.line)
            #expect(try await fixture.run("install", "\(account)@1.1.0").stdout.hasSuffix(Self.line))
            // The next version asks for nothing more.
            #expect(try await fixture.run("update").stdout == "Updated \(account) from 1.1.0 to 1.2.0.\n")
            #expect(try await fixture.answer("update").permissions == [])
            let script = try await self.fixture(with: "1.0.0")
            #expect(permissions(in: try await script.answer("update")) == Self.added)
            let person = try await self.fixture(with: "1.0.0")
            let updated = "Updated \(account) from 1.0.0 to 1.2.0.\n"
            #expect(try await person.run("update").stdout == updated + Self.line)
        }

        @Test("An update on demand names the permissions that the version before did not have")
        func onDemand() async throws {
            let opened = try await fixture(with: "1.0.0").run("open", "app://orders/help")
            #expect(opened.stderr.hasSuffix(Self.line), "\(opened)")
            let script = try await fixture(with: "1.0.0").answer("open", "app://orders/help")
            #expect(permissions(in: script) == Self.added)
        }

        @Test("The question before an install on demand names the permissions of the plugin")
        func question() async throws {
            let fixture = try await fixture(with: "1.2.0")
            try await fixture.run("uninstall", account)
            let process = try fixture.host.hostapp.startOnTerminal(["open", "app://account"])
            try await process.wait(for: "Permission network: \(account) may connect to other computers.\r\n")
            try await process.wait(for: "Install \(account)@1.2.0, which was uninstalled by name? [y/N] ")
            try await process.send("n\n")
            #expect(try await process.result().status == 77)
        }
    }
}
