import PluginIsolation
import Console
import CrashReports
import PluginCore
import PluginExtension
import PluginRouter
import PluginRuntime
import Registry
import RemoteCatalog
import Trust

/// The items of a sandbox and its catalogs that a user can name, for completion.
///
/// Nothing is created, changed, loaded or fetched: a published catalog is known as of its last refresh, and what cannot be read is
/// left out.
struct HostItems {
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
        self.init(
            Sandbox(root: root, isForDevelopment: context.flag("development")),
            context.value("catalog").flatMap { try? environment.catalogPlace(environment.expanded($0)) },
            CallApp(named: path("composition"), in: environment), in: environment)
    }

    /// Returns the items of a kind.
    func list(_ item: Command.Item, _ context: CompletionContext) -> [Completion.Candidate] {
        let (kind, hasVersion) = (HostItem(rawValue: item.name), context.prefix.contains("@"))
        if kind == .address { return AddressItems(patterns).candidates(for: context.prefix) }
        let texts =
            switch kind {
            case .installedVersion where hasVersion:
                offered(context.prefix) + all(try registry.active.all()).map(\.active.identity.description)
            case .installed, .installedVersion: installed
            case .offered: hasVersion ? offered(context.prefix) : offeredIdentifiers
            case .known: Set(installed + offeredIdentifiers).sorted()
            case .blocked: blocked
            case .pinned: all(try registry.notes.pins().keys.sorted()).map(\.text)
            case .target: targets(context)
            case .action: actions(context)
            case .extension: extensions.map(\.identifier.text)
            case .extensionPoint: extensionPoints
            case .team: teams
            case .catalog: sources.map(\.name)
            case .crashReport: all(try CrashReportFolder(sandbox).all()).map(\.name)
            case .address, nil: [String]()
            }
        return texts.map { Completion.Candidate($0) }
    }

    var installed: [String] { all(try registry.active.identifiers()).map(\.text) }
    private var extensions: [ExtensionDeclaration] { all(try registry.extensions.all()).map(\.declaration) }

    /// Returns what can be read.
    private func all<Item>(_ items: @autoclosure () throws -> [Item]) -> [Item] { (try? items()) ?? [] }

    private var blocked: [String] {
        let versions = all(try registry.quarantine.all()).map(\.identity)
        return Set(versions.map(\.identifier.text) + versions.map(\.description)).sorted()
    }

    // MARK: Catalogs

    private var sources: [CatalogSource] { all(try CatalogSourceFile(catalogs: sandbox.catalogs).read()) }

    private var offeredIdentities: [BundleIdentity] {
        if place == nil, case let sources = sources, !sources.isEmpty { return sources.flatMap { saved($0.address) } }
        switch place ?? CatalogPlace(folder: environment.catalog) {
        case .packages(let folder): return all(try DirectoryCatalog(folder: folder).identities())
        case .published(let address): return saved(address)
        }
    }

    private func saved(_ address: CatalogAddress) -> [BundleIdentity] {
        all(try RemoteCatalogSettings(address: address, catalogs: sandbox.catalogs).savedIdentities())
    }

    private var offeredIdentifiers: [String] { Set(offeredIdentities.map(\.identifier.text)).sorted() }

    private func offered(_ prefix: String) -> [String] {
        offeredIdentities.map(\.description).filter { $0.hasPrefix(prefix) }
    }

    // MARK: Routes and actions

    var patterns: [String] {
        let composed = (try? app.own().composed) ?? ComposedRoutes.none
        return all(try registry.routes.patterns()) + (composed.rules + composed.entries).map(\.pattern.text)
    }

    private func targets(_ context: CompletionContext) -> [String] {
        let names = all(try registry.targetNames())
        guard let address = context.prefix.firstRange(of: "://") else { return names }
        let scheme = String(context.prefix[..<address.upperBound])
        return names.flatMap { name in actions(of: name).map { "\(scheme)\(name)/\($0)" } }
    }

    private func actions(_ context: CompletionContext) -> [String] {
        guard context.arguments.count == 1, !context.arguments[0].contains("://") else { return [] }
        return actions(of: context.arguments[0])
    }

    private func actions(of target: String) -> [String] {
        (try? registry.target(named: target))??.actions.map(\.name) ?? []
    }

    // MARK: Other lists

    private var extensionPoints: [String] {
        Set(ExtensionPoints.standard.map(\.identifier) + extensions.map(\.point)).sorted()
    }

    private var teams: [String] {
        let files = [environment.trust, sandbox.trust]
        let stores = files.compactMap { file in
            (try? InputFile.content(of: file)).flatMap { try? TrustStore(reading: $0, named: file.string) }
        }
        return Set(stores.flatMap(\.teams).map(\.identifier)).sorted()
    }
}

/// The addresses of routes, for completion.
///
/// A route stands for its literal beginning: `shop/item/:id` for `app://shop/item/`, which the user continues.
struct AddressItems {
    private let patterns: [String]

    init(_ patterns: [String]) { self.patterns = patterns }

    /// Returns the addresses that begin with a text.
    func candidates(for prefix: String) -> [Completion.Candidate] {
        var isPart: [String: Bool] = [:]
        for (address, isBeginning) in patterns.flatMap(Self.addresses) where address.hasPrefix(prefix) {
            isPart[address] = isBeginning && isPart[address] != false
        }
        return isPart.sorted { $0.key < $1.key }.map { Completion.Candidate($0.key, isPart: $0.value) }
    }

    /// Returns the literal beginnings of a pattern, and for each whether an address continues after it.
    private static func addresses(of pattern: String) -> [(String, isPart: Bool)] {
        guard let pattern = try? RoutePattern(pattern, converters: HostConfiguration.current.converters) else {
            return []
        }
        return pattern.expansions.compactMap { expansion in
            var literals: [String] = []
            for segment in expansion.path {
                guard case .literal(let text) = segment else { break }
                literals.append(text)
            }
            guard !literals.isEmpty else { return nil }
            let isPart = literals.count < expansion.path.count
            let text = "\(expansion.scheme ?? "app")://" + literals.joined(separator: "/")
            return (isPart ? text + "/" : text, isPart)
        }
    }
}

/// The kinds of items that only a host can list.
enum HostItem: String {
    /// An installed bundle.
    case installed
    /// An installed bundle, with or without one of its versions.
    case installedVersion
    /// A bundle that can be installed, with or without one of its versions.
    case offered
    /// A bundle that is installed or can be.
    case known
    /// A bundle or a version of it that is blocked.
    case blocked
    /// A bundle that is pinned.
    case pinned
    /// An address of the app.
    case address
    /// A target, or the address of an action.
    case target
    /// An action of the target that is the argument before.
    case action
    /// An installed extension.
    case `extension`
    /// A place that accepts extensions.
    case extensionPoint
    /// A team that is trusted.
    case team
    /// A published catalog of the sandbox.
    case catalog
    /// The report of a crash.
    case crashReport
}

extension Command.ValueKind {
    /// An item that only a host can list.
    static func host(_ item: HostItem) -> Self { .item(Command.Item(item.rawValue)) }
}
