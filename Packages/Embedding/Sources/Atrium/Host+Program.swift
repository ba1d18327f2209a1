import BundleStorage
import PageLayouts
import Preflight
import Processes
import Resolver

extension Host {
    /// The exit status after a plugin has called `exit`, or blocked the main actor for too long.
    private static let failure: Int32 = 70

    /// Creates a host for a program, and prepares its launch.
    ///
    /// Plugins are installed from the source when an address or a call needs them. A plugin that exits the process, or blocks the main actor,
    /// is reported on standard error as crashed, and a new version that does so again is rolled back at the next launch. Errors that
    /// plugins log are also written there.
    ///
    /// ```swift
    /// let host = try await Host(at: folder, source: .folder(packages), trusting: .team("com.example", key))
    /// try await host.open("app://shop/item/42")
    /// for page in host.pages { print(page.title) }
    /// await host.end()
    /// ```
    ///
    /// - Parameters:
    ///   - folder: the folder of installed plugins and their data. It is created if it doesn't exist.
    ///   - source: the source of packages, such as `.folder(_:)` or `.catalog(_:root:in:)`.
    ///   - verification: whose packages are trusted, such as `.team(_:_:)` or `.teams(in:)`.
    ///   - libraries: the file names of libraries that the program is linked with, and that plugins may link: "libAcmeKit.so".
    ///   - routing: where pages are shown, and how requests are handled.
    ///   - offer: changes the services for plugins. Replacing `willLoad` or `onHang` turns off the reports that are described above.
    /// - Throws: as ``prepareForLaunch()``.
    public convenience init(
        at folder: FilePath, source: any PackageSource, trusting verification: any PackageVerification,
        libraries: [String] = [], routing: HostRouting = .installingOnDemand(),
        offering offer: (inout HostServices) -> Void = { _ in }
    ) async throws {
        ProcessEnd.protect(status: Self.failure, descriptor: 2) { "\($0) called \($1)(), which ends the host\n" }
        let sandbox = Sandbox(root: folder)
        var services = HostServices { bundle, level, message in
            if level == .error { CurrentProcess.report("\(bundle): \(message)") }
        }
        services.defaults = DefaultsFile.init(in:report:)
        services.appGroup = AppGroupFolder.init(at:report:)
        services.watchRegistry = { try FolderWatch(database: $0, onChange: $1) }
        services.willLoad = {
            CodeOwners.add($0, owner: $1)
            CrashReporting.begin(in: sandbox.crashReports)
        }
        services.onHang = { hang in
            hang.stack.report()
            ProcessEnd.claim(as: .watch)
            CurrentProcess.report("\(hang.report.identity): \(hang.report.reason)")
            ProcessEnd.now(as: .watch, status: Self.failure)
        }
        offer(&services)
        var routing = routing
        routing.layoutPage = routing.layoutPage ?? { try LayoutPage($0, of: $1, parameters: $2, router: $3) }
        self.init(
            at: sandbox, source: source, choosing: .resolver, verifying: verification,
            libraryCheck: LibraryPreflight(offering: libraries), services: services, routing: routing)
        try await prepareForLaunch()
    }

    /// Ends the program: closes the pages, deactivates the plugins, and runs no code that they have registered for the end of a process.
    @MainActor
    public func end(status: Int32 = 0) async -> Never {
        (navigator as? PageStack)?.closeAll()
        await deactivateAll()
        ProcessEnd.now(status: status)
    }
}
