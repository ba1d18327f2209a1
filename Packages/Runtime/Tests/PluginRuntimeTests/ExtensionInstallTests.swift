@testable import Registry
import ExtensionHost
import PluginIsolation
import PluginCore
import PluginRuntime
import Testing
@testable import BundleFormat
import HostSystem

@Suite("Installs of bundles with extensions", .tags(.medium))
struct ExtensionInstallTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    @Test("A bundle's extensions are installed beside its library")
    func placed() async throws {
        try await host.install(
            SamplePackage(extensions: [SampleExtension(name: "send"), SampleExtension(name: "edit")]))
        let bundle = try host.bundle()
        for name in ["libSample.so", "libSample-send.so", "libSample-edit.so"] {
            #expect(host.sandbox.folder(of: bundle).appending(BundleShape.libraryPath(of: name)).exists)
        }
    }

    @Test("A bundle is not installed if a library of an extension is missing or cannot be loaded")
    func preflight() async throws {
        let foreign = Array("no library".utf8)
        // The host has loaded SQLite, but the process of the extension would not.
        let unlinked = try library(
            ofC: "int it(void) __asm__(\"$s6SQLite0A5ErrorVMa\"); int plugin_entry_v2(void) { return it(); }")
        let cases = [
            (nil, AtriumError.Code.libraryMissing), (foreign, .libraryUnloadable), (unlinked, .libraryUnloadable),
        ]
        for (library, code) in cases {
            try host.offer(SamplePackage(extensions: [SampleExtension(name: "send", library: library)]))
            let error = try await host.refusal(code) { try await host.manager.install(.shop) }
            #expect(error.subject == "com.example.app.shop.send")
            #expect("\(error)".contains("libSQLite.so") == (library == unlinked), "\(error)")
            #expect(try host.registry.extensions.all().isEmpty)
        }
    }

    @Test("A package with a library that its manifest does not declare is rejected")
    func undeclared() async throws {
        try host.offer(SamplePackage(files: [BundleShape.libraryPath(of: "libHidden.so"): "x"]))
        let error = try await host.refusal(.packageInvalid) { try await host.manager.install(.shop) }
        #expect(error.reasons.map(\.name).contains("libraryNotDeclared"), "\(error)")
    }

    @Test("A host installs no bundle whose extensions violate a rule")
    func rules() async throws {
        let host = try TestHost(offering: { $0.admission = [ExtensionRules()] })
        try host.offer(
            SamplePackage(extensions: [SampleExtension(name: "send", activation: #"{"images": {"max": "x"}}"#)]))
        let error = try await host.refusal(.manifestInvalid) { try await host.manager.install(.shop) }
        #expect(
            error.problems.map(\.description) == [
                "at(place: extensions[0].activation.images.max, problem: countExpected)"
            ])
        #expect(try host.registry.extensions.all().isEmpty)
        try host.offer(SamplePackage(version: "0.9.0"))
        let report = try await host.manager.install(.shop)
        #expect(report.bundle.identity.version.description == "0.9.0")
    }

    @Test("An extension may be linked with the libraries that its bundle requires, and with no others")
    func shared() async throws {
        let base = SampleLibrary()
        let extensions = [SampleExtension(name: "send", library: try await base.user())]
        try host.offer(base.package(), SamplePackage(extensions: extensions))
        try await host.refusal(.libraryUnloadable) { try await host.manager.install(.shop) }
        try host.offer(SamplePackage(requires: [base.identifier: "^1.0.0"], extensions: extensions))
        try await host.manager.install(.shop)
        #expect(try host.registry.extensions.all().count == 1)
    }
}
