import PluginTestKit
import Testing

@Suite("Order of libraries", .tags(.medium))
struct LibraryOrderTests {
    @Test("hostapp names those libraries first whose names are looked up most when it starts")
    func order() async throws {
        // The loader lists the libraries in the order in which it searches them, and runs nothing.
        let hostapp = try HostApp.find().hostapp.path
        let result = try await Executable(hostapp, environment: ["LD_TRACE_LOADED_OBJECTS": "1"]).run([])
        let names = result.stdout.split(separator: "\n").compactMap { line in
            line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first
        }
        let first = ["libcrypto.so.3", "libstdc++.so.6", "libsqlite3.so.0", "libPluginCore.so", "libPluginRuntime.so"]
        #expect(Array(names.filter { !$0.contains("vdso") }.prefix(first.count)) == first.map { $0[...] })
        // Runtime replaces functions of the C library.
        let runtime = try #require(names.firstIndex(of: "libPluginRuntime.so"))
        let c = try #require(names.firstIndex(of: "libc.so.6"))
        #expect(runtime < c)
    }
}
