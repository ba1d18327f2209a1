import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("Installing the programs", .tags(.large), .timeLimit(.minutes(10)))
struct InstallTests {
    /// The checkout, in whose `build` folder the programs are.
    private let root: FilePath
    private let folder: ThrowawayFolder

    init() throws {
        root = try HostApp.find().build.parent
        folder = try ThrowawayFolder()
    }

    /// Runs a program that must succeed.
    @discardableResult
    private func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ProcessResult {
        let result = try await Executable(FilePath(program)).run(arguments, environment: environment).succeeded(
            sourceLocation: sourceLocation)
        return result
    }

    private func script(_ name: String, _ arguments: String...) async throws -> ProcessResult {
        try await Executable(root.appending("Scripts").appending(name)).run(arguments)
    }

    /// Returns the paths below a folder.
    private func paths(below folder: FilePath) -> [String] {
        (FileManager.default.enumerator(atPath: folder.string)?.allObjects as? [String] ?? []).sorted()
    }

    /// Checks that installed programs work for a user whose environment is empty, without the toolchain and the build.
    private func use(_ prefix: FilePath, root: FilePath? = nil) async throws {
        let programs = prefix.appending("bin")
        let home = folder.appending("home \(UUID().uuidString)")
        let empty = Executable("/usr/bin/env", leading: ["-i", "HOME=\(home)"])
        let host = programs.appending("hostapp").string
        let libraries = try await run("/usr/bin/ldd", [prefix.appending("lib/atrium/bin/hostapp").string]).stdout
        #expect(!libraries.contains("not found"))
        let own = libraries.split(separator: "\n").filter {
            $0.contains("swift") || $0.contains("Plugin") || $0.contains("Foundation")
        }
        #expect(own.count > 8 && own.allSatisfy { $0.contains("=> \(prefix)/lib/atrium/") }, "\(libraries)")
        #expect(try await empty.run(programs.appending("bundletool").string, "--version").status == 0)
        #expect(try await empty.run(host, "trust", "list").stdout == "No team is trusted.\n")
        let unknown = try await empty.run(host, "open", "app://nowhere")
        #expect(unknown.status == 66 && unknown.stderr.hasPrefix("error: no plugin handles"), "\(unknown)")
        let catalog = try HostApp.find().catalog.string
        let refused = try await empty.run(host, "--catalog", catalog, "install", "com.example.app.account", "--json")
        #expect(refused.status == 77, "\(refused)")
        let key = try self.root.appending(".build/team/example.pub").text
        try await empty.run(
            host, "trust", "add", "com.example", "--prefix", "com.example", "--key",
            String(try #require(key.split(separator: "\n").last))
        ).succeeded()
        let opened = try await empty.run(host, "--catalog", catalog, "open", "app://account")
        #expect(opened.status == 0 && opened.stdout.contains("Sign in"), "\(opened)")
        let completed = try await empty.run(host, "__complete", "fish", "uninstall", "")
        #expect(completed.stdout.contains("com.example.app.account"), "\(completed)")
    }

    @Test(
        "Installed programs work without the build and the toolchain, and uninstalling leaves only what others have put there"
    )
    func prefix() async throws {
        let prefix = folder.appending("a prefix")
        try folder.write("mine", to: "a prefix/share/man/man1/other.1")
        let before = paths(below: prefix)
        try await script("install", "--prefix", prefix.string).succeeded()
        let files = paths(below: prefix)
        for file in [
            "bin/hostapp", "bin/bundletool", "lib/atrium/bin/extension-runner", "lib/atrium/lib/libswiftCore.so",
            "share/man/man1/hostapp-install.1.gz", "share/man/man1/bundletool.1.gz",
            "share/bash-completion/completions/hostapp", "share/zsh/site-functions/_bundletool",
            "share/fish/vendor_completions.d/hostapp.fish", "share/doc/atrium/LICENSE.swift",
            "lib/atrium/share/atrium/en.json", "lib/atrium/share/atrium/zh-Hans.json",
            "lib/atrium/share/atrium/plugin-template.txt", "lib/atrium/share/atrium/completion.bash",
        ] {
            #expect(files.contains(file), "\(file)")
        }
        // The key of this machine's samples is not trusted by anybody who uses the installed host.
        #expect(!files.contains { $0.hasSuffix("trust.json") || $0.hasSuffix("bundle.json") || $0.hasSuffix(".key") })
        try await use(prefix)

        // A second installation replaces the first one.
        let again = try await script("install", "--prefix", prefix.string)
        #expect(again.status == 0 && paths(below: prefix) == files, "\(again)")
        let removed = try await script("uninstall", "--prefix", prefix.string)
        #expect(removed.status == 0 && paths(below: prefix) == before, "\(removed) \(paths(below: prefix))")
        let absent = try await script("uninstall", "--prefix", prefix.string)
        #expect(absent.status == 1 && absent.stderr.contains("nothing is installed"), "\(absent)")
    }

    @Test(
        "A list of installed files that names something outside the prefix removes nothing",
        arguments: ["../mine", "/etc/mine", "lib/../../mine", ""])
    func list(path: String) async throws {
        try folder.write("mine", to: "mine")
        try folder.write("inside\n\(path)\n", to: "prefix/lib/atrium/installed")
        try folder.write("mine", to: "prefix/inside")
        let before = paths(below: folder.path)
        let result = try await script("uninstall", "--prefix", folder.appending("prefix").string)
        #expect(result.status == 1 && result.stderr.contains("nothing is removed"), "\(result)")
        #expect(paths(below: folder.path) == before)
    }

    @Test(
        "The Debian package needs only packages that are installed here; it installs, runs, and is removed without a trace"
    )
    func package() async throws {
        let made = try await script("package", "--output", folder.appending("out").string).succeeded()
        let package = try #require(made.lines.last)
        #expect(package.hasSuffix("_amd64.deb"))
        let fields = try await run("/usr/bin/dpkg-deb", ["-f", package]).stdout
        let depends = try #require(fields.firstMatch(of: #/(?m)^Depends: (.+)$/#)).output.1
        let names = depends.split(separator: ",").map { $0.split(separator: " ")[0] }
        #expect(names.contains("libc6") && names.contains("libsqlite3-0"))
        for name in names {
            let state = try await run("/usr/bin/dpkg-query", ["-W", "-f=${Status}", String(name)]).stdout
            #expect(state == "install ok installed", "\(name)")
        }
        // A root of its own, with a database of its own, so that the machine stays as it is. The dependencies were checked above.
        let root = folder.appending("root")
        for file in ["status", "available"] { try folder.write("", to: "root/var/lib/dpkg/\(file)") }
        for name in ["info", "updates", "triggers"] {
            try root.appending("var/lib/dpkg/\(name)").makeFolder()
        }
        func dpkg(_ arguments: String...) async throws {
            try await run(
                "/usr/bin/dpkg", ["--root=\(root)", "--log=/dev/null", "--force-depends"] + arguments)
        }
        func outside() -> [String] { paths(below: root).filter { !$0.hasPrefix("var/lib/dpkg") } }
        let before = outside()
        try await dpkg("--install", package)
        try await run("/usr/bin/dpkg", ["--root=\(root)", "--verify", "atrium"])
        #expect(paths(below: root).contains("usr/share/man/man1/hostapp-install.1.gz"))
        #expect(paths(below: root).contains("usr/share/zsh/vendor-completions/_hostapp"))
        try await use(root.appending("usr"))
        try await dpkg("--purge", "atrium")
        #expect(outside() == before)
    }
}
