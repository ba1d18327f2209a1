import Console
import FoundationEssentials
import PluginCore
import Processes
import Resolver

/// A folder with everything that an app needs on a machine without Swift and without Atrium.
///
/// ```
/// bin/        the host's program, and extension-runner
/// lib/        the libraries of host, plugins and Swift; programs and libraries find them by paths relative to themselves
/// catalog/    the packages of the plugins; with catalogs.json, they are in the folder plugins of the app's share, so that both are used
/// share/      texts, and in the app's folder bundle.json, bundle.lock, the teams that it trusts, and its catalogs with their pinned roots
/// ```
struct AppPackage {
    let sources: AppSources
    let folder: FilePath

    /// The SDK's libraries that only tests and tools use.
    private static let unused: Set<String> = ["libAuthoring.so", "libPluginTestKit.so"]

    private var program: String { sources.program }
    /// The folder of the app's files.
    private var share: FilePath { folder.appending("share/\(sources.shareFolder)") }
    /// The folder of the packages.
    private var packages: FilePath {
        sources.catalogs == nil ? folder.appending("catalog") : share.appending("plugins")
    }

    /// Fills the folder.
    ///
    /// - Parameter isRuntimeOnly: Whether all packages come from the catalogs on the machine.
    /// - Returns: The names of the packages.
    /// - Throws: ``CommandError`` if a file is missing or a program fails.
    func make(isRuntimeOnly: Bool) throws -> [String] {
        let sdk = try SDK.own().root
        for name in ["bin", "lib", "share/atrium"] { try Files.makeFolder(folder.appending(name)) }
        try Files.makeFolder(share)
        try Files.copy(sources.host, to: folder.appending("bin/\(program)"))
        try Files.copy(sdk.appending("bin/extension-runner"), to: folder.appending("bin/extension-runner"))
        for name in try Files.names(in: sdk.appending("share/atrium"))
        where name.hasSuffix(".json") && !["bundle.json", "trust.json"].contains(name) || name.hasPrefix("completion.")
        {
            try Files.copy(sdk.appending("share/atrium/\(name)"), to: folder.appending("share/atrium/\(name)"))
        }
        try copyLibraries(sdk)
        try Files.copy(sources.composition, to: share.appending("bundle.json"))
        try Files.copy(sources.trust, to: share.appending("trust.json"))
        try sources.copyCatalogs(to: share)
        if let lock = sources.lock { try Files.copy(lock, to: share.appending("bundle.lock")) }
        if isRuntimeOnly { return [] }
        try sources.copyPackages(to: packages)
        try lock()
        return try Files.names(in: packages).sorted()
    }

    private func copyLibraries(_ sdk: FilePath) throws {
        // Everything of Swift's runtime, because plugins that are installed later may need more of it than those of today.
        for source in try sources.libraries + [sdk.appending("lib"), swiftLibraries()] {
            for name in try Files.names(in: source) where name.hasSuffix(".so") && !Self.unused.contains(name) {
                let copy = folder.appending("lib/\(name)")
                if name.hasPrefix("libTesting") || name.hasPrefix("lib_Testing") || name.hasSuffix("Mirror.so")
                    || name == "libXCTest.so" || copy.exists
                {
                    continue
                }
                try Files.copy(source.appending(name), to: copy)
            }
        }
        for (name, path) in [("bin", "$ORIGIN/../lib"), ("lib", "$ORIGIN")] {
            let files = try Files.names(in: folder.appending(name)).map { folder.appending("\(name)/\($0)").string }
            try run("patchelf", ["--set-rpath", path] + files)
        }
    }

    /// Makes the host choose the versions, and write them as the app's lock, or compare them with the given one.
    private func lock() throws {
        let sandbox = folder.appending(Files.passingName)
        defer { Files.removeTree(sandbox) }
        let lock = share.appending("bundle.lock")
        try run(
            folder.appending("bin/\(program)").string,
            [
                "--sandbox", sandbox.string, "--catalog", packages.string, "--composition",
                share.appending("bundle.json").string, "app", "lock", "--lock", lock.string,
            ])
        guard let given = sources.lock else { return }
        let limit = 1 << 24
        guard try Files.bytes(of: lock, limit: limit) == Files.bytes(of: given, limit: limit) else {
            throw AtriumError(.lockOutdated, given)
        }
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
