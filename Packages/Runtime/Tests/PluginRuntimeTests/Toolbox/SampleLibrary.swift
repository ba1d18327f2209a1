import FoundationEssentials
import PluginCore
import Testing

/// A C library that others are linked with.
///
/// Its name is unique because a library that a test has opened stays open in the process.
struct SampleLibrary {
    let name = "libBase\(UUID().uuidString.prefix(8)).so"
    var identifier: BundleIdentifier = "com.example.lib.base"

    /// A name as long as every other one, so that it can be replaced in the libraries linked with it.
    private static let anyName = "libBase00000000.so"

    /// Builds a version of the library whose function returns a number.
    ///
    /// - Parameters:
    ///   - function: The name of its function.
    ///   - soname: The name that the linker records, if any.
    ///   - needed: A library whose number is added to the result.
    ///   - start: C code that runs as soon as the library is loaded.
    func built(
        answering answer: Int, as function: String = "answer", soname: String?, with needed: FilePath? = nil,
        starting start: String = ""
    ) throws -> [UInt8] {
        try library(
            ofC: """
                #include <stdlib.h>
                #include <unistd.h>
                static __attribute__((constructor)) void start(void) { \(start) }
                const plugin_entry_v2_t *plugin_entry_v2(void) {
                    static plugin_entry_v2_t entry;
                    entry = (plugin_entry_v2_t){
                        PLUGIN_ENTRY_MAGIC, plugin_core_abi(), plugin_core_version(), plugin_compiler_version(), NULL };
                    return &entry;
                }
                int below(void);
                int \(function)(void) { return \(answer)\(needed == nil ? "" : " + below()"); }
                """, options: (soname.map { ["-Wl,-soname,\($0)"] } ?? []) + (needed.map { [$0.string] } ?? []))
    }

    func built(answering answer: Int) throws -> [UInt8] { try built(answering: answer, soname: name) }

    /// Returns a package of this library in one version.
    func package(_ version: String = "1.0.0", answering answer: Int = 1, requires: [BundleIdentifier: String] = [:])
        throws
        -> SamplePackage
    {
        SamplePackage(
            identifier: identifier, version: version, kind: "lib", entry: name, requires: requires,
            library: try built(answering: answer))
    }

    /// Returns the library of a plugin that is linked with this one and answers with its number.
    func user() async throws -> [UInt8] {
        var bytes = try await Self.anyUser.value
        while let place = bytes.firstRange(of: Array(Self.anyName.utf8)) {
            bytes.replaceSubrange(place, with: name.utf8)
        }
        return bytes
    }

    private static let anyUser = Task {
        try await withFolder { folder in
            let file = folder.appending(anyName)
            try file.write(SampleLibrary().built(answering: 0, soname: anyName))
            return try await PluginRuntimeTests.library(
                ofSwift: """
                    import PluginCore
                    @_silgen_name("answer") func answer() -> Int32
                    final class Sample: BundleDelegate {
                        init(context: BundleContext) {}
                        static var routes: some RouteSet<Sample> {
                            Object(RouteContract<NoValue, Int>("answer", .object)) { _ in Int(answer()) }
                        }
                    }
                    @c(plugin_entry_v2)
                    public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Sample.self) }
                    """, file.string)
        }
    }
}
