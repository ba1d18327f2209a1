import PluginCore
import PluginRuntime
import Testing

@Suite("Preflight of what a library holds")
struct CopyTests {
    private static let plugin = """
        import PluginCore
        final class Sample: BundleDelegate { init() {} }
        @c(plugin_entry_v1)
        public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Sample.self) }

        """

    private func findings(_ library: [UInt8]) -> [LibraryFinding] {
        LibraryPreflight.judge(library, named: "libSample.so").findings
    }

    @Test("refuses a second copy of Core")
    func core() async throws {
        let found = findings(try await library(ofSwift: Self.plugin, isShared: false))
        #expect(found.map(\.rule) == [.secondCopy])
        #expect(found.first?.subject == "libPluginCore.so")
        #expect(found.first?.what.contains(" of its types, such as PluginCore.") == true, "\(found)")
        #expect(found.first?.remedy == "the plugin's author must link the dynamic library instead of its objects")
    }

    @Test("takes what inlining and extending leave of Core in every plugin")
    func extensions() async throws {
        let source = """
            extension Mediating { public func hello() async throws -> String { try await perform("hello", on: "Hello") as? String ?? "" } }
            public enum HelloNames { public static let target = "Hello" }
            public struct Greeting: Codable, Sendable { public var text = "" }
            extension ResourceURI { public struct Parts { public var count = 0 } }
            """
        #expect(findings(try await library(ofSwift: Self.plugin + source)) == [])
    }

    @Test("tells another bundle's Interface, which is meant to be copied, from its code, which is not")
    func otherBundle() async throws {
        // Types of other modules, as static linking brings them along.
        let types = { (names: [String]) in
            names.map { "__attribute__((used)) const int t\($0) __asm__(\"$s\($0)VMn\") = 1;\n" }.joined()
                + VerdictTests.entry
        }
        let own = ["6Sample4Page", "15SampleInterface5Names"]
        let interface = ["15OrdersInterface5Names"]
        #expect(findings(try library(ofC: types(own + interface))) == [])
        // A module of the plugin's own, or somebody's library, is nobody's plugin.
        #expect(
            findings(try library(ofC: types(own + interface + ["11SampleModel4Item", "11Collections5Stack"]))) == [])
        let found = findings(try library(ofC: types(own + interface + ["6Orders5Order", "6Orders4List"])))
        #expect(found.map(\.rule) == [.otherBundle])
        #expect(
            found.first?.sentence == "it contains types of the module Orders, which is another bundle's code; "
                + "the plugin's author must depend on OrdersInterface alone, and not on Orders")
        // What has another file name than its module has one module that is its own.
        #expect(LibraryPreflight.judge(try library(ofC: types(own)), named: "libRenamed.so").findings == [])
    }
}
