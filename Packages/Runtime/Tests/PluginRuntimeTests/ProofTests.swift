import PluginCore
@testable import PluginRuntime
import Testing

@Suite("What running a version has shown")
struct ProofTests {
    @Test("is written when the session has ended, also what was being written just then: in the registry and beside it")
    func end() async throws {
        try await withFolder { folder in
            let sandbox = Sandbox(root: folder)
            try sandbox.plugins.makeFolder()
            let registry = Registry(sandbox)
            for number in 1...40 {
                let records = LoadRecords(registry)
                let bundle = Self.bundle("com.example.app.number\(number)")
                records.add(proven: bundle)
                // The background has begun at most times, and is not done.
                await Task.yield()
                records.write()
                #expect(try registry.floors()[bundle.identity.identifier] == bundle.identity.version)
                #expect(FloorFiles(sandbox).read()[bundle.identity.identifier] == bundle.identity.version)
            }
        }
    }

    @Test("is not taken for written while the floor's own file could not be: the next run shows it again")
    func noFloorFile() async throws {
        try await withFolder { folder in
            let sandbox = Sandbox(root: folder)
            try sandbox.plugins.makeFolder()
            let registry = Registry(sandbox)
            let bundle = Self.bundle("com.example.app.shop")
            // Where the folder of floors belongs lies something else.
            try sandbox.floors.write("")
            #expect(throws: AtriumError.self) { try registry.prove(bundle) }
            #expect(try registry.floors() == [:])
            try sandbox.floors.remove()
            try registry.prove(bundle)
            #expect(try registry.floors() == FloorFiles(sandbox).read())
            #expect(try registry.floors().count == 1)
        }
    }

    private static func bundle(_ identifier: String) -> PluginBundle {
        PluginBundle(
            identity: BundleIdentity(identifier: identifier, version: SemanticVersion(major: 1, minor: 0, patch: 0)),
            digest: String(repeating: "0", count: 64), name: "Sample", summary: "", kind: .app, entry: "libSample.so",
            appGroups: [], size: 0, installedAt: 0,
            seal: SealRecord(team: "com.example", keyID: "", libraryDigest: nil, libraryStamp: nil), provenAt: nil)
    }
}
