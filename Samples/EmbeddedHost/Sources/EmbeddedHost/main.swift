import PluginCatalog
import PluginCore
import PluginRuntime
import Processes
import Registry
import Trust
final class NoWindow: Navigator {  // An app with a window shows the pages here that plugins open.
    let pages: [any Page] = []
    func push(_ page: any Page) {}
    func pop() {}
    func present(_ page: any Page) async -> (any Sendable)? { nil }
    func dismiss(returning value: (any Sendable)?) {}
    func show(notice: String) { print(notice) }
}
let words = CommandLine.arguments
do {
    guard words.count == 5 else { throw AtriumError(.init("usage"), "EmbeddedHost SANDBOX CATALOG TRUST.JSON URL") }
    let manager = BundleManager(
        sandbox: Sandbox(root: FilePath(words[1])), catalog: DirectoryCatalog(folder: FilePath(words[2])),
        choosing: .highest, verification: TeamVerification(FilePath(words[3])), libraryCheck: ManifestLibraryCheck(),
        services: HostServices(languages: ["en"]) { print($0, $1, $2) }, routing: .installingOnDemand(NoWindow()))
    try await manager.prepareForLaunch()  // Goes back from a version that crashed this host.
    let page = try await manager.router.page(for: words[4])  // Installs the plugin, if only the catalog has it.
    print(page.title)
    for case .text(let text) in page.content { print(text) }
    ProcessEnd.now(status: 0)  // Plugins' code does not run anymore.
} catch {
    print(error)
    ProcessEnd.now(status: 1)
}
