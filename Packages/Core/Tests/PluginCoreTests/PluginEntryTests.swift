import PluginCore
import Testing

@Suite("A plugin's entry")
struct PluginEntryTests {
    @MainActor
    private final class Principal: BundleDelegate {
        init() {}
        func target(named name: String) -> ActionTarget? { ActionTarget(name, actions: []) }
    }

    private static let identity = BundleIdentity(
        identifier: "com.example.test", version: SemanticVersion(major: 1, minor: 0, patch: 0)
    )

    @Test("describes a principal that the host can make")
    @MainActor
    func principal() throws {
        let description = try EntryDescription(reading: PluginEntry.describe(Principal.self), of: Self.identity)
        #expect(description.coreVersion == CoreVersion.release)
        let one = description.makePrincipal()
        let other = description.makePrincipal()
        #expect(one.target(named: "x")?.name == "x")
        #expect(one !== other)
    }

    @Test("is refused when nothing comes back")
    func nothing() {
        #expect(refusal(nil)?.code == .libraryIncompatible)
    }

    @Test("is refused when it starts with something else")
    func otherMagic() {
        let value = UnsafeMutablePointer<UInt64>.allocate(capacity: 8)
        defer { value.deallocate() }
        value.initialize(repeating: 7, count: 8)
        #expect(refusal(UnsafeRawPointer(value))?.detail.contains("magic") == true)
    }

    @Test("of another contract is refused and names who must rebuild", arguments: [(0, "plugin"), (2, "host")])
    func otherContract(abi: UInt32, side: String) {
        let entry = "1.0.0".withCString { text in
            PluginEntry.describe(Principal.self, abi: abi, core: text, compiler: text)
        }
        #expect(refusal(entry)?.detail.hasSuffix("rebuild the \(side)") == true)
    }

    @Test("of another compiler is refused and names both compilers")
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
