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

/// Compiles a library in C that is no plugin's, in which undefined symbols are allowed.
func compiled(c source: String) async throws -> [UInt8] {
    let folder = try ThrowawayFolder()
    let file = try folder.write(source, to: "sample.c")
    try await Executable("/usr/bin/env").run(
        "clang", "-shared", "-fPIC", file.string, "-o", folder.appending("libSample.so").string
    ).succeeded()
    return try folder.bytes(of: "libSample.so")
}

/// Compiles a plugin's library in Swift, with the entry for its class `Sample`, and with a page that it can show.
///
/// The library is linked with the Core that the tests use, which is the host's.
///
/// - Parameter interfaces: A folder with the textual interfaces of an SDK, in place of that Core's module.
func compiled(
    swift source: String, against interfaces: FilePath? = nil, isDebuggable: Bool = false
) async throws -> [UInt8] {
    let entry = """

        final class SamplePage: Page {
            let title: String
            private let text: () -> String
            var content: [PageElement] { [text()].filter { !$0.isEmpty }.map { .text($0) } }
            init(_ title: String = "Account", _ text: @escaping () -> String = { "" }) {
                (self.title, self.text) = (title, text)
            }
        }

        @c(plugin_entry_v3)
        public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Sample.self) }
        """
    return try await compiled(
        "import Glibc; import PluginCore\n" + source + entry, as: "Sample", against: interfaces,
        isDebuggable: isDebuggable)
}

/// Compiles a plugin's library in Swift, of its routes and the declarations that they use.
func compiled(
    routes: String, with declarations: String = "", isDebuggable: Bool = false
) async throws -> [UInt8] {
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
            """, isDebuggable: isDebuggable)
}

/// The library of a module in Swift, built as plugins are: against the Core that the tests are linked to, which is the host's.
///
/// - Parameter isDebuggable: Whether the library has debug information, which it has a build ID for.
func compiled(
    _ source: String, as module: String, against interfaces: FilePath? = nil, isDebuggable: Bool = false
) async throws -> [UInt8] {
    let folder = try ThrowawayFolder()
    let file = try folder.write(source, to: "\(module.lowercased()).swift")
    let products = try testProducts
    let modules = ["PluginCore"] + (source.contains("import PluginExtension") ? ["PluginExtension"] : [])
    try await Executable("/usr/bin/env").run(
        [
            "swiftc", "-swift-version", "6", "-no-toolchain-stdlib-rpath", "-emit-library", "-module-name",
            module, "-module-cache-path", products.appending("ModuleCache").string, "-I",
            (interfaces ?? products.appending("Modules")).string, "-Xcc",
            "-fmodule-map-file=\(products.appending("CPluginEntry.build/module.modulemap"))", "-L", products.string,
            file.string, "-o", folder.appending("lib\(module).so").string,
        ] + modules.map { "-l\($0)" } + (isDebuggable ? ["-g", "-Xlinker", "--build-id=sha1"] : ["-gnone"])
    ).succeeded()
    return try folder.bytes(of: "lib\(module).so")
}
