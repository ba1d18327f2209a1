import PluginCore
import Testing

@Suite("Plugin entry", .tags(.small))
struct PluginEntryTests {
    private final class Sample: BundleDelegate {
        let context: BundleContext
        init(context: BundleContext) { self.context = context }
        static var targets: some TargetSet<Sample> {
            Action(ActionContract<NoValue, Int>("answer", on: "Sample")) { _ in 42 }
        }
    }

    private static let identity = BundleIdentity(
        identifier: "com.example.test", version: SemanticVersion(major: 1, minor: 0, patch: 0)
    )

    @Test("An entry describes the type of the principal object, which the host can start several times")
    @MainActor
    func principal() async throws {
        let description = try EntryDescription(reading: PluginEntry.describe(Sample.self), of: Self.identity)
        #expect(description.coreVersion == CoreVersion.release)
        let type = try #require(description.principalType)
        let one = try await type.start(.forTests())
        let other = try await type.start(.forTests())
        #expect(one.target(named: "Sample")?.actionNames == ["answer"])
        #expect(Set([ObjectIdentifier(one.object), ObjectIdentifier(other.object)]).count == 2)
    }

    @Test("The entry of a library has no principal object")
    func library() throws {
        let description = try EntryDescription(reading: PluginEntry.describeLibrary(), of: Self.identity)
        #expect(description.coreVersion == CoreVersion.release)
        #expect(description.principalType == nil)
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
        #expect(refusal(UnsafeRawPointer(value))?.reason == ErrorReason("entryMagic"))
    }

    @Test(
        "An entry of another ABI version is rejected, and the error says which side to rebuild",
        arguments: [
            (2, "pluginABIOlder(abi: 2, core: 0.3.0, host: 3)"),
            (4, "pluginABINewer(abi: 4, core: 0.3.0, host: 3)"),
        ])
    func otherContract(abi: UInt32, detail: String) {
        let entry = "1.0.0".withCString { text in
            PluginEntry.describe(PrincipalType(Sample.self), abi: abi, core: text, compiler: text)
        }
        #expect(refusal(entry)?.reason?.description == detail)
    }

    @Test("An entry of another compiler is rejected, and the error names both compilers")
    func otherCompiler() {
        "another compiler".withCString { text in
            let entry = PluginEntry.describe(nil, abi: CoreVersion.abi, core: text, compiler: text)
            let detail = refusal(entry)?.reason?.description ?? ""
            #expect(detail.contains("another compiler"))
            #expect(detail.contains(CoreVersion.compiler))
        }
    }

    private func refusal(_ entry: UnsafeRawPointer?) -> AtriumError? {
        #expect(throws: AtriumError.self) { try EntryDescription(reading: entry, of: Self.identity) }
    }
}
