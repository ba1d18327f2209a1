import PluginRuntime
import Glibc
import HostSystem
import PluginCore
import Testing

@Suite("Sonames of plugins", .tags(.large))
struct SonameTests {
    private static let entry = "const void *plugin_entry_v2(void) { return NULL; }"

    @Test(
        "A plugin with a soname is rejected, so that no other bundle can be linked to its code",
        arguments: ["/proc/self/fd/16", "libSample.so", "libFoundation.so", "libMoney.so"])
    func refused(soname: String) async throws {
        let library = try library(ofC: Self.entry, options: ["-Wl,-soname,\(soname)"])
        let host = try TestHost()
        try host.offer(SamplePackage(library: library))
        let error = try await host.refusal(.libraryUnloadable) { try await host.manager.install(.shop) }
        #expect(
            error.problems.map(\.description) == [
                "libraryFinding(remedy: linkWithoutSoname, what: sonameNotAllowed(soname: \(soname)))"
            ])
    }

    @Test("A library that is already open under a plugin's file name never runs in the plugin's place")
    func otherBundle() async throws {
        // A separate process, because an opened library stays open.
        await #expect(processExitsWith: .success) {
            let host = try TestHost()
            try await host.install(SamplePackage(library: try await LoadTests.one.value))
            try SonameTests.bearNames(in: host.root)
            for _ in 0..<2 {
                try await failingAsync(.restartNeeded) { _ = try await host.manager.principal(of: .shop) }
            }
        }
    }

    /// Opens libraries whose sonames are all the file descriptor names that the plugin's file could get.
    private static func bearNames(in folder: FilePath) throws {
        // A placeholder as long as each of the names.
        let anyName = "/proc/\(getpid())/fd/00"
        let library = try library(ofC: "int thief;", "-Wl,-soname,\(anyName)")
        let place = try #require(library.firstRange(of: Array(anyName.utf8)))
        while (0..<9).contains(open("/dev/null", O_RDONLY)) {}
        for number in 10..<64 {
            var bytes = library
            bytes.replaceSubrange(place, with: "/proc/\(getpid())/fd/\(number)".utf8)
            let file = folder.appending("thief\(number).so")
            try file.write(bytes)
            try #require(dlopen(file.string, RTLD_NOW | RTLD_LOCAL) != nil)
        }
    }
}
