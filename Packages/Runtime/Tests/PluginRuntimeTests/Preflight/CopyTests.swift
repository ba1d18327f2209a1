import PluginCore
import Testing
@testable import Preflight

@Suite("Preflight checks of copied code", .tags(.large))
struct CopyTests {
    private static let plugin = """
        import PluginCore
        final class Sample: BundleDelegate { init(context: BundleContext) {} }
        @c(plugin_entry_v2)
        public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Sample.self) }

        """

    private func findings(_ library: [UInt8]) -> [LibraryFinding] {
        LibraryPreflight.validate(library).findings
    }

    @Test("A library with a second copy of Core is rejected")
    func core() async throws {
        let found = findings(try await library(ofSwift: Self.plugin, isShared: false))
        #expect(found.map(\.rule) == [.secondCopy] && found.first?.subject == "libPluginCore.so")
        #expect(found.first?.what.values["example"]?.description.hasPrefix("PluginCore.") == true, "\(found)")
        #expect(found.first?.remedy == ErrorReason("linkDynamically"))
    }

    @Test("Extensions and inlined code of Core don't count as a second copy")
    func extensions() async throws {
        let source = """
            extension Mediating { public func hello() async throws -> String { try await perform("hello", on: "Hello") as? String ?? "" } }
            public enum HelloNames { public static let target = "Hello" }
            public struct Greeting: Codable, Sendable { public var text = "" }
            extension ResourceURI { public struct Parts { public var count = 0 } }
            """
        #expect(findings(try await library(ofSwift: Self.plugin + source)) == [])
    }

    @Test("A library may contain another bundle's interface module but not its implementation")
    func otherBundle() async throws {
        // Types of other modules, as static linking adds them.
        let types = { (names: [String]) in
            names.map { "__attribute__((used)) const int t\($0) __asm__(\"$s\($0)VMn\") = 1;\n" }.joined()
                + LibraryReportTests.entry
        }
        let own = ["6Sample4Page", "15SampleInterface5Names"]
        let interface = ["15OrdersInterface5Names"]
        #expect(findings(try library(ofC: types(own + interface))) == [])
        // A module of the plugin's own or of a third-party library isn't another bundle's code.
        #expect(
            findings(try library(ofC: types(own + interface + ["11SampleModel4Item", "11Collections5Stack"]))) == [])
        let found = findings(try library(ofC: types(own + interface + ["6Orders5Order", "6Orders4List"])))
        #expect(found.map(\.rule) == [.otherBundle])
        #expect(found.first?.what == ErrorReason("moduleOfOther", ["module": "Orders"]))
        #expect(found.first?.remedy == ErrorReason("dependOnInterface", ["module": "Orders"]))
        // A library with a different file name than its module still has a module of its own.
        #expect(LibraryPreflight.validate(try library(ofC: types(own)), named: "libRenamed.so").findings == [])
    }
}
