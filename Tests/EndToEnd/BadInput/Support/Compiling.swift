import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

/// The folder of the products that SwiftPM built for the tests, with links resolved: a module cache is valid for one path only.
var testProducts: FilePath {
    get throws {
        let program = URL(filePath: try #require(CommandLine.arguments.first)).resolvingSymlinksInPath()
        return FilePath(program.path).parent
    }
}

/// Compiles a library in C, in which undefined symbols are allowed.
///
/// - Parameters:
///   - isPlugins: `true` to build it like a plugin, with Swift's own compiler and Core's note.
///   - library: the name of a library of the host with which it is linked.
func compiled(c source: String, isPlugins: Bool = true, linkedWith library: String? = nil) async throws -> [UInt8] {
    let folder = try ThrowawayFolder()
    let file = try folder.write((isPlugins ? "#include \"plugin_entry.h\"\n" : "") + source, to: "sample.c")
    let products = try testProducts
    try await Executable("/usr/bin/env").run(
        [
            "clang", "-shared", "-fPIC", "-I",
            Workplace.root.appending("Packages/Core/Sources/CPluginEntry/include").string, file.string, "-o",
            folder.appending("libSample.so").string,
        ] + (library.map { ["-L", products.string, "-Wl,--no-as-needed", "-l\($0)"] } ?? [])
    ).succeeded()
    return try folder.bytes(of: "libSample.so")
}

/// Compiles a plugin's library in Swift, with the entry for its class `Sample`, and with a page that it can show.
///
/// The library is linked with the Core that the tests use, which is the host's.
///
/// - Parameter debugged: the folder in which the source `sample.swift` is kept for a debugger; `nil` to remove it.
func compiled(swift source: String, debuggedIn debugged: ThrowawayFolder? = nil) async throws -> [UInt8] {
    let entry = """

        final class SamplePage: Page {
            let title: String
            private let text: () -> String
            var content: [PageElement] { [text()].filter { !$0.isEmpty }.map { .text($0) } }
            init(_ title: String = "Account", _ text: @escaping () -> String = { "" }) {
                (self.title, self.text) = (title, text)
            }
        }

        @c(plugin_entry_v2)
        public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Sample.self) }
        """
    return try await compiled("import Glibc; import PluginCore\n" + source + entry, as: "Sample", debuggedIn: debugged)
}

/// Compiles a plugin's library in Swift, of its routes and the declarations that they use.
func compiled(routes: String, with declarations: String = "") async throws -> [UInt8] {
    try await compiled(
        swift: """
            final class Sample: BundleDelegate {
                let context: BundleContext
                init(context: BundleContext) { self.context = context }

                static var routes: some RouteSet<Sample> {
            \(routes)
                }
            }

            \(declarations)
            """)
}

/// The library of a module in Swift, built as plugins are: against the Core that the tests are linked to, which is the host's.
///
/// - Parameter debugged: where the source stays for a debugger; `nil` for a library that nobody debugs.
func compiled(
    _ source: String, as module: String, debuggedIn debugged: ThrowawayFolder? = nil
) async throws -> [UInt8] {
    let folder = try debugged ?? ThrowawayFolder()
    let file = try folder.write(source, to: "\(module.lowercased()).swift")
    let products = try testProducts
    try await Executable("/usr/bin/env").run(
        "swiftc", debugged == nil ? "-gnone" : "-g", "-swift-version", "6", "-no-toolchain-stdlib-rpath",
        "-emit-library", "-module-name", module,
        "-module-cache-path", products.appending("ModuleCache").string, "-I", products.appending("Modules").string,
        "-Xcc",
        "-fmodule-map-file=\(products.appending("CPluginEntry.build/module.modulemap"))", "-L", products.string,
        "-lPluginCore", file.string, "-o", folder.appending("lib\(module).so").string
    ).succeeded()
    return try folder.bytes(of: "lib\(module).so")
}
