import PluginCore
import PluginTestKit
import Testing

@Suite("Versions that crash or hang the host", .tags(.large))
struct HarmfulVersionTests {
    /// The kind of fault that a version has, encoded in its minor version number.
    enum Harm: Int, CaseIterable {
        case crashAtLoad = 1, crashAtFirstUse, hangAtLoad, killAtLoad

        /// The exit statuses of successive starts until the version is quarantined.
        var statuses: [Int32] {
            switch self {
            // A trap ends the process with SIGILL, which a shell reports as 128 and the signal's number.
            case .crashAtLoad, .crashAtFirstUse: [132]
            case .hangAtLoad: [70]
            // The cause of a kill is unknown, so the version is quarantined only after the second time.
            case .killAtLoad: [137, 137]
            }
        }

        var explanation: String {
            switch self {
            case .crashAtLoad: "crashed the host (SIGILL) while it was loaded"
            case .crashAtFirstUse: "crashed the host (SIGILL) when it was first used"
            case .hangAtLoad: "hung the host while it was loaded"
            case .killAtLoad: "was running twice when the host was killed, while it was loaded"
            }
        }
    }

    /// One library with all faults, compiled once.
    private static let library = Task {
        try await compiled(
            swift: """
                import Glibc

                final class Sample: BundleDelegate {
                    init(context: BundleContext) {
                        let harm = context.identity.version.minor
                        if harm == \(Harm.crashAtLoad.rawValue) { fatalError() }
                        while harm == \(Harm.hangAtLoad.rawValue) { usleep(1000) }
                        if harm == \(Harm.killAtLoad.rawValue) { kill(getpid(), SIGKILL) }
                    }

                    static var routes: some RouteSet<Sample> {
                        Page(RouteContract("account", .page, name: "home")) { _ in fatalError() }
                    }
                }

                """)
    }

    @Test(
        "A version that crashes or hangs is quarantined within two starts, and the version before is used again",
        arguments: Harm.allCases)
    func harm(harm: Harm) async throws {
        let version = "1.\(harm.rawValue).0"
        let scene = try await Scene(updatedTo: version, with: Self.library.value)
        for status in harm.statuses {
            let result = try await scene.host.hostapp.run("open", "app://account")
            #expect(result.status == status, "\(result)")
        }
        let next = try await scene.does("open", "app://account")
        #expect(next.stdout.hasPrefix("Account\n"))
        #expect(next.stderr.contains("\(version) \(harm.explanation); 1.0.0 is active again\n"))
        // The quarantined version is not offered again and not reported again.
        #expect(
            try await scene.does("update", Scene.account).stdout
                == "\(Scene.account)@1.0.0 stays; \"hostapp why \(Scene.account)\" shows why \(version) is not "
                + "installed.\n"
        )
        #expect(try await scene.does("open", "app://account").stderr == "")
    }

    @Test(
        "With --json, a version that hangs is reported, and a crash ends with the signal's status",
        arguments: [Harm.hangAtLoad, .crashAtLoad])
    func scripts(harm: Harm) async throws {
        let version = "1.\(harm.rawValue).0"
        let scene = try await Scene(updatedTo: version, with: Self.library.value)
        let result = try await scene.host.hostapp.run("open", "app://account", "--json")
        #expect(result.status == harm.statuses[0], "\(result)")
        guard harm == .hangAtLoad else {
            #expect(result.stdout == "")
            return
        }
        let told = try result.json(as: [String: Refusal.Told].self)["error"]
        #expect(told?.code == "hostHung" && told?.subject == "\(Scene.account)@\(version)", "\(result)")
        #expect(told?.message == "\(Scene.account)@\(version) \(harm.explanation); the host exits")
    }

    @Test("If the restored version requires the old version of a dependency, both are rolled back")
    func requirement() async throws {
        let scene = try Scene()
        let lantern = "com.example.assets.lantern"
        func change(_ version: String, requires range: String, _ library: [UInt8]? = nil) throws {
            try scene.change(Scene.account) { package in
                try package.rename(version: version)
                try package.setManifest("requires", to: #"[{"bundle": "\#(lantern)", "versions": "\#(range)"}]"#)
                if let library { package.set(LibraryTests.library, to: library) }
            }
        }
        try change("1.0.1", requires: "^1.0.0")
        try await scene.does("install", Scene.account)
        try await scene.does("open", "app://account")
        try scene.change(lantern) { try $0.rename(version: "2.0.0") }
        try change("1.1.0", requires: "^2.0.0", try await Self.library.value)
        try await scene.does("update", Scene.account)
        #expect(try await scene.host.hostapp.run("open", "app://account").status == 132)
        let next = try await scene.does("open", "app://account")
        #expect(
            next.stderr.contains(
                "1.1.0 crashed the host (SIGILL) while it was loaded; 1.0.1 is active again, "
                    + "and with it \(lantern)@1.0.0\n"), "\(next)")
        let told = try await scene.does("history").lines.map {
            $0.split(separator: " ").dropFirst().joined(separator: " ")
        }
        #expect(
            told.suffix(3) == [
                "quarantined \(Scene.account) 1.1.0 - 0", "rolled back \(Scene.account) 1.0.1 1.1.0 0",
                "rolled back \(lantern) 1.0.0 2.0.0 0",
            ])
        try await scene.does("doctor")
    }

    @Test("After a crash, the last version that has run successfully is restored, skipping those that never ran")
    func neverRun() async throws {
        let scene = try await Scene(installed: Scene.account)
        try await scene.does("open", "app://account")
        let library = try await Self.library.value
        let crash = Harm.crashAtLoad.rawValue
        for version in ["1.\(crash).0", "1.\(crash).1"] {
            try scene.offer(version, with: library)
            try await scene.does("update", Scene.account)
        }
        try await scene.does("gc")
        #expect(try await scene.host.hostapp.run("open", "app://account").status == 132)
        let next = try await scene.does("open", "app://account")
        #expect(next.stderr.contains("1.0.0 is active again\n"), "\(next)")
    }

    @Test(
        "After a crash, the same version with other content runs, and the crashed content runs only after unblock"
    )
    func repacked() async throws {
        let scene = try Scene()
        let (account, version) = (Scene.account, "1.\(Harm.crashAtLoad.rawValue).0")
        let original = try HostApp.find().catalog.appending("\(account)-1.0.0.zip")
        let harmless = try PackageEditor(original).bytes(of: LibraryTests.library)
        func pack(_ library: [UInt8]) throws {
            try scene.catalog.pack(from: original) { package in
                try package.rename(version: version)
                package.set(LibraryTests.library, to: library)
            }
        }
        try pack(try await Self.library.value)
        for name in try scene.catalog.names() where name == "\(account)-1.0.0.zip" { try scene.catalog.remove(name) }
        #expect(try await scene.host.hostapp.run("open", "app://account").status == 132)
        let refused = try await scene.host.hostapp.run("open", "app://account")
        #expect(refused.status == 77, "\(refused)")
        let blocked = try await scene.host.hostapp.run("install", account)
        #expect(blocked.status == 77 && blocked.stderr.contains("hostapp unblock \(account)@\(version)"), "\(blocked)")
        let why = try await scene.does("why", account).stdout
        #expect(why.contains("run \"hostapp unblock \(account)@\(version)\""), "\(why)")
        // Nothing of the plugin is installed anymore, but its block can still be lifted.
        let uninstalled = try await scene.does("uninstall", account, "--json").json(as: Uninstalled.self)
        #expect(uninstalled.unblocked.map(\.version) == [version] && uninstalled.version == nil)
        #expect(try await scene.host.hostapp.run("open", "app://account").status == 132)
        _ = try await scene.host.hostapp.run("open", "app://account")
        let told = try await scene.does("unblock", "\(account)@\(version)").stdout
        #expect(told.hasPrefix("\(account)@\(version) is no longer blocked; it crashed the host"), "\(told)")
        let nothing = try await scene.host.hostapp.run("unblock", account, "--json")
        #expect(nothing.status == 66, "\(nothing)")
        #expect(try nothing.json(as: [String: Refusal.Told].self)["error"]?.code == "nothingToUnblock")
        #expect(try await scene.host.hostapp.run("open", "app://account").status == 132)
        _ = try await scene.host.hostapp.run("open", "app://account")
        let typo = try await scene.host.hostapp.run("unblock", account + "s")
        #expect(typo.status == 66 && typo.stderr.contains("did you mean \"\(account)\"?"), "\(typo)")
        try pack(harmless)
        #expect(try await scene.does("open", "app://account").stdout.hasPrefix("Account\n"))
    }

    private struct Uninstalled: Decodable {
        struct Version: Decodable { let version: String }
        let version: String?
        let unblocked: [Version]
    }
}
