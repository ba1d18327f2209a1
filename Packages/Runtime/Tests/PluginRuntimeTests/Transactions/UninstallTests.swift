import PluginCore
@testable import Registry
@testable import PluginRuntime
import Testing

@Suite("Uninstalling bundles", .tags(.medium))
struct UninstallTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    @Test("Data isn't deleted if another host installs a dependent of the bundle meanwhile")
    func installedMeanwhile() async throws {
        try host.offer(
            SamplePackage(), SamplePackage(identifier: "com.example.app.other", requires: [TestHost.shop: "^1.0.0"])
        )
        try await host.manager.install(.shop)
        try await host.manager.uninstall(.shop)
        let diary = host.sandbox.container(of: .shop).appending("Documents/diary")
        try diary.write("kept")
        let other = try host.another()
        // The uninstall waits for the lock while the other host installs the dependent.
        let uninstall = try await other.writer.withWriterLock {
            let uninstall = Task { try await host.uninstall.run([.shop], deleteData: true) }
            try await other.manager.install("com.example.app.other")
            return uninstall
        }
        try await failingAsync(.bundleNeeded) { try await uninstall.value }
        #expect(try diary.text == "kept")
    }

    private static let other: BundleIdentifier = "com.example.app.other"

    /// Installs two bundles, the first of which requires the second, and returns a file of the data of each.
    private func installPair() async throws -> [FilePath] {
        try host.offer(SamplePackage(requires: [Self.other: "^1.0.0"]), SamplePackage(identifier: Self.other))
        try await host.manager.install(.shop)
        let diaries = [TestHost.shop, Self.other].map { host.sandbox.container(of: $0).appending("Documents/diary") }
        for diary in diaries { try diary.write("kept") }
        return diaries
    }

    @Test("An interrupted uninstall with data can be repeated and deletes the remaining data", arguments: [0, 1, 2])
    func repeated(erased: Int) async throws {
        let diaries = try await installPair()
        let both = [TestHost.shop, Self.other]
        try host.registry.commit(both.map { .remove($0) })
        for diary in diaries.prefix(erased) { try diary.parent.parent.parent.remove() }
        if erased == 2 {
            try await host.refusal(.bundleNotInstalled) { try await host.uninstall.run(both, deleteData: true) }
            return
        }
        let report = try await host.uninstall.run(both, deleteData: true)
        #expect(report.removed == [] && report.erased == Array(both.dropFirst(erased)))
        #expect(diaries.allSatisfy { !$0.exists })
        try await host.refusal(.bundleNotInstalled) {
            try await host.uninstall.run(
                [TestHost.shop, "com.example.app.unheard"], deleteData: true)
        }
    }

    @Test(
        "An interrupted uninstall of a cascade is completed by its repetition or by the next change",
        arguments: [true, false])
    func cascade(isRepeated: Bool) async throws {
        let diaries = try await installPair()
        let both = [TestHost.shop, Self.other]
        // Simulates a host that was killed after the commit.
        try host.registry.commit(both.map { .remove($0) }, erasing: both)
        if isRepeated {
            let report = try await host.uninstall.run(
                [Self.other], deleteData: true, cascade: true)
            #expect(report.erased == [Self.other])
        } else {
            try await host.manager.install(.shop)
        }
        #expect(diaries.allSatisfy { !$0.exists })
        #expect(try host.registry.erasures.all() == [])
    }

    @Test("A completed uninstall leaves no pending deletion, so a reinstalled bundle keeps its data")
    func done() async throws {
        let diaries = try await installPair()
        try await host.uninstall.run([Self.other], deleteData: true, cascade: true)
        #expect(try host.registry.erasures.all() == [])
        try await host.manager.install(.shop)
        try diaries[0].write("new")
        try await host.manager.uninstall(.shop)
        try await host.manager.uninstall(Self.other)
        #expect(try diaries[0].text == "new")
    }
}
