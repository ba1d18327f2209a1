import Authoring
import Console
import FoundationEssentials
import PluginCore
import Processes

/// The `bundletool app` command, whose subcommands are for the app of a workspace as a whole.
let appCommand = ProgramCommand(
    "app",
    subcommands: [
        Command(
            "package", arguments: [.optional("workspace", kind: .folder)],
            options: [
                .value("output", short: "o", default: "dist", kind: .folder),
                .value("key", short: "k", kind: .file(ending: ".key")), KeyPassword.option, .flag("debian"),
                .value("maintainer", placeholder: "text"),
            ])
    ]
) { parsed, _ in
    let folder = FilePath(parsed.argument("workspace") ?? ".")
    guard let workspace = Workspace(in: try CurrentFolder.resolve(folder.string, in: ["bundletool", "app"])) else {
        throw CommandError(.notFound, folder, reason: "workspaceMissing")
    }
    if parsed.value("maintainer") != nil, !parsed.flag("debian") {
        throw parsed.missing("--debian", adding: "--debian")
    }
    let sealer = try parsed.file("key").map { key in
        try SigningRequest(
            key: key, passwordFile: parsed.file("password-file"), team: "", time: Environment.now()
        ).sealer()
    }
    let output = try CurrentFolder.resolve(parsed.value("output") ?? "dist", in: ["bundletool", "app"])
    guard !output.exists || Files.isEmptyFolder(output) else {
        throw CommandError(.badInput, output, reason: "outputUsed")
    }
    let packages = try workspace.build(.release, isQuiet: parsed.flag("json"), signedBy: sealer).packages
    let program = try workspace.program()
    // The folder gets its name when it is complete, so that a failed command can be repeated.
    let fresh = output.parent.appending(Files.passingName)
    defer { Files.removeTree(fresh) }
    try AppPackage(workspace: workspace, folder: fresh, program: program).make()
    Files.removeTree(output)
    try Files.move(fresh, to: output)
    let app = AppPackage(workspace: workspace, folder: output, program: program)
    let file = parsed.flag("debian") ? try app.makeDebianPackage(by: parsed.value("maintainer")) : nil
    let note =
        sealer == nil ? "warning: the packages are signed with the development key; --key names another one\n" : ""
    return Answer(
        text: "Packaged \(printable(file ?? output))\n",
        json: [
            "folder": output, "program": output.appending("bin/\(app.program)"), "debianPackage": file,
            "packages": packages.map(\.lastComponent),
        ], note: note)
}

/// A folder with everything that an app needs on a machine without Swift and without Atrium.
///
/// ```
/// bin/        the host's program, and extension-runner
/// lib/        the libraries of host, plugins and Swift; programs and libraries find them by paths relative to themselves
/// catalog/    the packages of the plugins
/// share/      texts, and in a folder with the program's name bundle.json, bundle.lock and the teams it trusts
/// ```
struct AppPackage {
    let workspace: Workspace
    let folder: FilePath
    let program: String

    /// The SDK's libraries that only tests and tools use.
    private static let unused: Set<String> = ["libAuthoring.so", "libPluginTestKit.so"]

    /// Fills the folder.
    ///
    /// - Throws: ``CommandError`` if a program is missing or fails.
    func make() throws {
        let sdk = try SDK.own().root
        for name in ["bin", "lib", "share/atrium"] { try Files.makeFolder(folder.appending(name)) }
        for name in ["bin/\(program)", "catalog", "share/\(program)"] {
            try Files.copy(workspace.output.appending(name), to: folder.appending(name))
        }
        try Files.copy(sdk.appending("bin/extension-runner"), to: folder.appending("bin/extension-runner"))
        for name in try Files.names(in: sdk.appending("share/atrium"))
        where name.hasSuffix(".json") && !["bundle.json", "trust.json"].contains(name) || name.hasPrefix("completion.")
        {
            try Files.copy(sdk.appending("share/atrium/\(name)"), to: folder.appending("share/atrium/\(name)"))
        }
        // Everything of Swift's runtime, because plugins that are installed later may need more of it than those of today.
        for source in [workspace.output.appending("lib"), sdk.appending("lib"), try swiftLibraries()] {
            for name in try Files.names(in: source) where name.hasSuffix(".so") && !Self.unused.contains(name) {
                if name.hasPrefix("libTesting") || name.hasPrefix("lib_Testing") || name.hasSuffix("Mirror.so")
                    || name == "libXCTest.so"
                {
                    continue
                }
                try Files.copy(source.appending(name), to: folder.appending("lib/\(name)"))
            }
        }
        for (name, path) in [("bin", "$ORIGIN/../lib"), ("lib", "$ORIGIN")] {
            let files = try Files.names(in: folder.appending(name)).map { folder.appending("\(name)/\($0)").string }
            try run("patchelf", ["--set-rpath", path] + files)
        }
        try lock()
    }

    /// Writes the versions that are shipped as the app's lock, as the host itself chooses them.
    private func lock() throws {
        let sandbox = folder.appending(Files.passingName)
        defer { Files.removeTree(sandbox) }
        let share = folder.appending("share/\(program)")
        try run(
            folder.appending("bin/\(program)").string,
            [
                "--sandbox", sandbox.string, "--catalog", folder.appending("catalog").string, "--composition",
                share.appending("bundle.json").string, "app", "lock", "--lock", share.appending("bundle.lock").string,
            ])
    }

    /// Makes a Debian package of the folder, and returns its path, which is beside it.
    func makeDebianPackage(by maintainer: String?) throws -> FilePath {
        let script = try SDK.own().root.appending("share/atrium/debian-package").string
        let tree = folder.parent.appending(Files.passingName)
        defer { Files.removeTree(tree) }
        let place = tree.appending("usr/lib/\(program)")
        try Files.makeFolder(place.parent)
        try Files.makeFolder(tree.appending("usr/bin"))
        try Files.copy(folder, to: place)
        try Files.link(tree.appending("usr/bin/\(program)"), to: FilePath("../lib/\(program)/bin/\(program)"))
        let fields =
            "Maintainer: \(maintainer ?? "\(program) <root@localhost>")\nDescription: \(program), an app of plugins\n"
        let words = [
            "-c", #"printf %s "$1" | "$2" "$3" "$4" "$5" "$5" "$6""#, "sh", fields, "bash", script, tree.string,
            program,
        ]
        let made = try ChildProcess(running: "/bin/sh", words + [folder.parent.string], within: .seconds(600))
        guard case .exited(0) = made.end,
            let path = String(decoding: made.output, as: UTF8.self).split(separator: "\n").last
        else {
            StandardOutput.note(String(decoding: made.output, as: UTF8.self))
            throw CommandError.programFailed("debian-package", status: 1)
        }
        return FilePath(String(path))
    }

    /// Returns the folder of Swift's libraries, which is that of the one in this process.
    private func swiftLibraries() throws -> FilePath {
        let maps = String(decoding: try Files.bytes(of: "/proc/self/maps", limit: 1 << 24), as: UTF8.self)
        guard let path = maps.firstMatch(of: /(\/\S*)\/libswiftCore\.so/)?.1 else {
            throw CommandError(.notFound, "libswiftCore.so", code: "fileUnknown", reason: "runtimeMissing")
        }
        return FilePath(String(path))
    }

    private func run(_ program: String, _ words: [String]) throws {
        let status = try InheritingProcess.run(program, words, isQuiet: true)
        guard status == 0 else { throw CommandError.programFailed(program, status: status) }
    }
}
