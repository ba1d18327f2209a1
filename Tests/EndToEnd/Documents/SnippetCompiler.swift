import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

/// A compiler for the code of a page, with the modules that SwiftPM has built for the tests.
struct SnippetCompiler {
    /// The folder of the sources and of everything that is built from them.
    let folder: ThrowawayFolder
    /// The folder of the tests' products.
    let products: FilePath

    init() throws {
        folder = try ThrowawayFolder()
        products = try testProducts
    }

    /// Compiles a source, which must succeed.
    func compile(_ source: String, as name: String, file: String? = nil, _ options: [String]) async throws {
        let file = try folder.write(source, to: "\(name)/\(file ?? name).swift")
        let libraries = [
            "Zip/Sources/CZlib", "SQLite/Sources/CSQLite", "Crypto/Sources/CCrypto", "Extensions/Sources/CSeccomp",
            "Runtime/Sources/CDigest", "Preflight/Sources/CELF", "Tools/Sources/CTerminalImages",
        ]
        var maps = libraries.map { Workplace.root.appending("Packages/\($0)/module.modulemap") }
        maps += [
            "CConfinement", "CCurses", "CDelta", "CObservedWrites", "CKernelFeatures",
            "CPluginEntry", "CProcesses", "CSystem", "CTransfer",
        ].map {
            products.appending("\($0).build/module.modulemap")
        }
        try await Executable("/usr/bin/env").run(
            [
                "swiftc", "-swift-version", "6", "-module-cache-path", products.appending("ModuleCache").string, "-I",
                products.appending("Modules").string, "-I",
                folder.path.string, "-enable-upcoming-feature", "NonisolatedNonsendingByDefault", file.string,
            ] + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + options, timeout: .seconds(240)
        ).succeeded()
    }

    /// Compiles a source to a module that later sources can import.
    func module(_ source: String, as name: String, _ options: [String] = []) async throws {
        let module = folder.appending("\(name).swiftmodule").string
        try await compile(
            source, as: name,
            ["-module-name", name, "-enable-testing", "-emit-module", "-emit-module-path", module] + options)
    }

    /// Returns the options with which code that uses Swift Testing is compiled: the compiler looks for the macros beside its own.
    func testingOptions() async throws -> [String] {
        let location = try await Executable("/usr/bin/env").run(
            "sh", "-c", "dirname $(dirname $(realpath $(command -v swiftc)))")
        let toolchain = location.stdout.split(separator: "\n").first.map(String.init) ?? ""
        return ["-plugin-path", toolchain + "/lib/swift/host/plugins/testing"]
    }
}
