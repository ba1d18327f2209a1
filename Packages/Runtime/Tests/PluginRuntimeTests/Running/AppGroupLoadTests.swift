@testable import Registry
import BundleStorage
import PluginCore
import Testing

@testable import PluginRuntime

@Suite("App groups of loaded bundles", .tags(.medium))
struct AppGroupLoadTests {
    /// A plugin that logs the changes in its group.
    private static let library = Task {
        try await PluginRuntimeTests.library(
            ofSwift: """
                import PluginCore
                final class Sample: BundleDelegate {
                    init(context: BundleContext) throws {
                        let changes = try context.appGroup("group.com.example").changes()
                        Task {
                            for await change in changes { context.logger.info("\\(change)") }
                            context.logger.info("end")
                        }
                        do { _ = try context.appGroup("group.com.example.other") } catch { context.logger.info("\\(error)") }
                    }
                }
                @c(plugin_entry_v2)
                public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(Sample.self) }
                """)
    }

    @Test("A loaded bundle observes its group until it is unloaded, and no undeclared group")
    func observed() async throws {
        let host = try TestHost()
        try await host.install(SamplePackage(appGroups: ["group.com.example"], library: await Self.library.value))
        _ = try await host.manager.principal(of: .shop)
        #expect(host.log == ["groupUndeclared: group.com.example.other"])
        let group = AppGroupFolder(at: try host.sandbox.group("group.com.example")) { error in Issue.record(error) }
        try group.write([1], to: ["file"])
        while host.log.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
        try await host.manager.uninstall(.shop)
        while host.log.last != "end" { try await Task.sleep(for: .milliseconds(5)) }
        try group.write([2], to: ["file"])
        var changes = try group.changes().makeAsyncIterator()
        try group.write([3], to: ["file"])
        #expect(await changes.next() == .file("file"))
        #expect(host.log.count == 3 && host.log[1].contains("file"))
    }
}
