import PluginCore
import Testing

@Suite("Plugin entry", .tags(.small))
struct PluginEntryTests {
    @MainActor
    private final class Principal: BundleDelegate {
        init() {}
        func target(named name: String) -> ActionTarget? { ActionTarget(name, actions: []) }
    }

    private static let identity = BundleIdentity(
        identifier: "com.example.test", version: SemanticVersion(major: 1, minor: 0, patch: 0)
    )

    @Test("An entry describes a principal object that the host can create")
    @MainActor
    func principal() throws {
        let description = try EntryDescription(reading: PluginEntry.describe(Principal.self), of: Self.identity)
        #expect(description.coreVersion == CoreVersion.release)
        let one = description.makePrincipal()
        let other = description.makePrincipal()
        #expect(one.target(named: "x")?.name == "x")
        #expect(one !== other)
    }

    @Test("A null entry is rejected")
    func nothing() {
        #expect(refusal(nil)?.code == .libraryIncompatible)
    }

    @Test("An entry without the magic number is rejected")
    func otherMagic() {
        let value = UnsafeMutablePointer<UInt64>.allocate(capacity: 8)
        defer { value.deallocate() }
        value.initialize(repeating: 7, count: 8)
        #expect(refusal(UnsafeRawPointer(value))?.detail.contains("magic") == true)
    }

    @Test(
        "An entry of another ABI version is rejected, and the error says which side to rebuild",
        arguments: [(0, "plugin"), (2, "host")])
    func otherContract(abi: UInt32, side: String) {
        let entry = "1.0.0".withCString { text in
            PluginEntry.describe(Principal.self, abi: abi, core: text, compiler: text)
        }
        #expect(refusal(entry)?.detail.hasSuffix("rebuild the \(side)") == true)
    }

    @Test("An entry of another compiler is rejected, and the error names both compilers")
    func otherCompiler() {
        "another compiler".withCString { text in
            let entry = PluginEntry.describe(Principal.self, abi: CoreVersion.abi, core: text, compiler: text)
            let detail = refusal(entry)?.detail ?? ""
            #expect(detail.contains("another compiler"))
            #expect(detail.contains(CoreVersion.compiler))
        }
    }

    private func refusal(_ entry: UnsafeRawPointer?) -> AtriumError? {
        do throws(AtriumError) {
            _ = try EntryDescription(reading: entry, of: Self.identity)
            return nil
        } catch {
            return error
        }
    }
}
