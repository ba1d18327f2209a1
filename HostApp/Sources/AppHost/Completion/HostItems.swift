import Console
import CrashReports
import FoundationEssentials
import PluginCore
import PluginRouter
import PluginRuntime
import Registry
import RemoteCatalog
import Trust

/// The items of a sandbox and its catalogs that a user can name, for completion.
///
/// Nothing is created, changed, loaded or fetched: a published catalog is known as of its last refresh, and what cannot be read is
/// left out.
struct HostItems: Sendable {
    private let sandbox: Sandbox
    private let registry: Registry
    /// The catalog that the user has named; `nil` for those of the sandbox, or else the host's own.
    private let place: CatalogPlace?
    private let app: CallApp
    private let environment: HostEnvironment

    /// Creates the items of a sandbox.
    init(_ sandbox: Sandbox, _ place: CatalogPlace?, _ app: CallApp, in environment: HostEnvironment) {
        self.sandbox = sandbox
        self.place = place
        self.app = app
        self.environment = environment
        registry = Registry(reading: sandbox, converters: HostConfiguration.current.converters)
    }

    /// Creates the items that a command line is about, from its options so far; `nil` if there is no sandbox.
    init?(_ context: CompletionContext, in environment: HostEnvironment) {
        func path(_ option: String) -> FilePath? {
            context.value(option).flatMap { try? environment.resolve(environment.expanded($0)) }
        }
        guard let root = path("sandbox") ?? (try? environment.sandbox()) else { return nil }
        let host = HostConfiguration.current
        let file = path("composition")
        let text = (file == nil ? host.composition : nil).map { CompositionSource.text($0) }
        self.init(
            Sandbox(root: root, isForDevelopment: context.flag("development")),
            context.value("catalog").flatMap { try? CatalogPlace(environment.expanded($0), in: environment) },
            CallApp(text ?? (file ?? environment.composition).map { .file($0) }, converters: host.converters),
            in: environment)
    }

    /// Returns the items of a kind.
    func list(_ item: Command.Item, _ context: CompletionContext) -> [Completion.Candidate] {
        let hasVersion = context.prefix.contains("@")
        switch item {
        case .installed: return candidates(installed)
        case .installedVersion: return candidates(hasVersion ? offered(context.prefix) + activeVersions : installed)
        case .offered: return candidates(hasVersion ? offered(context.prefix) : offeredIdentifiers)
        case .known: return candidates(Set(installed + offeredIdentifiers).sorted())
        case .blocked: return candidates(blocked)
        case .pinned: return candidates(((try? registry.pins.all()) ?? []).map(\.identifier.text))
        case .address: return AddressItems(patterns).candidates(for: context.prefix)
        case .target: return targets(context)
        case .action: return actions(context)
        case .extension: return candidates(((try? registry.extensions.all()) ?? []).map(\.declaration.identifier.text))
        case .extensionPoint: return candidates(extensionPoints)
        case .team: return candidates(teams)
        case .catalog: return candidates(sources.map(\.name))
        case .crashReport: return candidates(((try? CrashReportFolder(sandbox).all()) ?? []).map(\.name))
        default: return []
        }
    }

    private func candidates(_ texts: [String]) -> [Completion.Candidate] { texts.map { Completion.Candidate($0) } }

    private var installed: [String] { ((try? registry.active.identifiers()) ?? []).map(\.text) }

    private var activeVersions: [String] {
        ((try? registry.active.all()) ?? []).map { $0.active.identity.description }
    }

    private var blocked: [String] {
        let versions = ((try? registry.quarantine.all()) ?? []).map(\.identity)
        return Set(versions.map(\.identifier.text) + versions.map(\.description)).sorted()
    }

    // MARK: Catalogs

    private var sources: [CatalogSource] { (try? CatalogSourceFile(catalogs: sandbox.catalogs).read()) ?? [] }

    private var offeredIdentities: [BundleIdentity] {
        if place == nil, case let sources = sources, !sources.isEmpty { return sources.flatMap { saved($0.address) } }
        switch place ?? CatalogPlace(folder: environment.catalog) {
        case .packages(let folder): return (try? DirectoryCatalog(folder: folder).identities()) ?? []
        case .published(let address): return saved(address)
        }
    }

    private func saved(_ address: CatalogAddress) -> [BundleIdentity] {
        (try? RemoteCatalogSettings(address: address, catalogs: sandbox.catalogs).savedIdentities()) ?? []
    }

    private var offeredIdentifiers: [String] { Set(offeredIdentities.map(\.identifier.text)).sorted() }

    private func offered(_ prefix: String) -> [String] {
        offeredIdentities.map(\.description).filter { $0.hasPrefix(prefix) }
    }

    // MARK: Routes and actions

    private var patterns: [String] {
        let composed = try? app.own().composed
        return ((try? registry.routes.patterns()) ?? [])
            + ((composed?.rules ?? []) + (composed?.entries ?? [])).map(\.pattern.text)
    }

    private func targets(_ context: CompletionContext) -> [Completion.Candidate] {
        let names = (try? registry.targets.targets()) ?? []
        guard let address = context.prefix.firstRange(of: "://") else { return candidates(names) }
        let scheme = String(context.prefix[..<address.upperBound])
        return candidates(names.flatMap { name in actions(of: name).map { "\(scheme)\(name)/\($0)" } })
    }

    private func actions(_ context: CompletionContext) -> [Completion.Candidate] {
        guard context.arguments.count == 1, !context.arguments[0].contains("://") else { return [] }
        return candidates(actions(of: context.arguments[0]))
    }

    private func actions(of target: String) -> [String] {
        (try? registry.targets.target(named: target))??.actions.map(\.name) ?? []
    }

    // MARK: Other lists

    private var extensionPoints: [String] {
        let standard = [
            ExtensionPoints.today.identifier, ExtensionPoints.share.identifier, ExtensionPoints.action.identifier,
            ExtensionPoints.photoEditing.identifier, ExtensionPoints.documentProvider.identifier,
            ExtensionPoints.keyboard.identifier,
        ]
        return Set(standard + ((try? registry.extensions.all()) ?? []).map(\.declaration.point)).sorted()
    }

    private var teams: [String] {
        let files = [environment.trust, sandbox.trust]
        let stores = files.compactMap { file in
            (try? InputFile.content(of: file)).flatMap { try? TrustStore(reading: $0, named: file.string) }
        }
        return Set(stores.flatMap(\.teams).map(\.identifier)).sorted()
    }
}
