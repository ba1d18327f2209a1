import Doctor
import Console
import PluginCatalog
import PluginCore
import PluginRuntime
import Registry
import RemoteCatalog

extension HostCall {
    /// Returns the value of an argument; an empty text without one.
    func argument(_ name: String) -> String { parsed.argument(name) ?? "" }

    /// Returns the last value of an option; `nil` without one.
    func value(_ option: String) -> String? { parsed.value(option) }

    /// Returns whether a flag is given.
    func flag(_ name: String) -> Bool { parsed.flag(name) }

    /// Parses an argument such as `ID[@VERSION]`, whose second part is optional.
    ///
    /// - Parameters:
    ///   - argument: the argument's name in the help text.
    ///   - expected: what the argument may be, in words.
    ///   - parse: parses the part after `@`; `nil` if it is invalid.
    func bundle<Part>(
        _ word: String, as argument: String, _ expected: String, _ parse: (String) -> Part?
    ) throws(UsageError) -> (identifier: String, part: Part?) {
        let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let part = parts.count == 2 ? parse(parts[1]) : nil
        guard let identifier = parts.first, !identifier.isEmpty, parts.count == 1 || part != nil else {
            throw parsed.invalid("<\(argument)>", word, [expected])
        }
        return (identifier, part)
    }

    /// Returns the identifier that a user typed.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnknown` and the identifiers that the word may stand for.
    func identifier(_ word: String) throws(AtriumError) -> BundleIdentifier {
        if let identifier = BundleIdentifier(word) { return identifier }
        // Without a local catalog, the installed bundles alone are suggested.
        let offered = (try? manager.offers.localIdentifiers()) ?? []
        let known = Set(try registry.active.identifiers()).union(offered)
        throw AtriumError(.bundleUnknown, word, nearest: Nearest.identifiers(to: word, in: known.sorted()))
    }

    /// Returns the identifier that a user typed for an installed bundle, which may still turn out not to be installed.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` and the installed bundles that the word may stand for.
    func installed(_ word: String) throws(AtriumError) -> BundleIdentifier {
        if let identifier = BundleIdentifier(word) { return identifier }
        let known = try registry.active.identifiers()
        throw AtriumError(.bundleNotInstalled, word, nearest: Nearest.identifiers(to: word, in: known))
    }

    /// Returns the identifiers that a user typed for installed bundles.
    func installed(in argument: String) throws(AtriumError) -> [BundleIdentifier] {
        try parsed.arguments(argument).map(installed(_:))
    }
}

/// The catalogs of one call.
struct CallCatalogs {
    /// All packages.
    let catalog: any Catalog
    /// The published catalogs among them.
    let published: [RemoteCatalog]
    /// The published catalog that the user has named.
    let named: RemoteCatalog?

    /// Opens the catalog at a named place; or else those that were added to the sandbox or ship with the host; or else the host's own folder.
    ///
    /// - Parameter authorities: The certificate authorities of web servers in this call.
    init(
        _ place: CatalogPlace?, trusting authorities: FilePath?, of sandbox: Sandbox, in environment: HostEnvironment
    ) {
        do {
            let sources = place == nil ? try environment.catalogSources(of: sandbox) : []
            let published = try sources.map { source, root throws(AtriumError) in
                try RemoteCatalog(source, root: root, authorities: authorities, in: sandbox)
            }
            switch place ?? CatalogPlace(folder: environment.catalog) {
            case _ where !sources.isEmpty:
                let all = zip(sources, published).map { PrioritizedCatalog.Source($1, prefixes: $0.source.prefixes) }
                (catalog, self.published, named) = (PrioritizedCatalog(all), published, nil)
            case .packages(let folder):
                (catalog, self.published, named) = (DirectoryCatalog(folder: folder), [], nil)
            case .published(let address):
                let source = CatalogSource(name: address.description, address: address)
                let remote = try RemoteCatalog(source, authorities: authorities, in: sandbox)
                (catalog, self.published, named) = (remote, [remote], place == nil ? nil : remote)
            }
        } catch {
            (catalog, published, named) = (UnavailableCatalog(error), [], nil)
        }
    }
}

/// The place of the packages, as a user gives it.
enum CatalogPlace {
    /// A folder of packages, for development.
    case packages(FilePath)
    /// A published catalog on a web server or in a folder.
    case published(CatalogAddress)

    /// Creates a place from a folder, which is a published catalog if it has metadata.
    init(folder: FilePath) {
        self = InputFile.isFolder(folder.appending("metadata")) ? .published(.folder(folder)) : .packages(folder)
    }
}

extension HostEnvironment {
    /// Returns the catalogs that were added to a sandbox, and those of other names that ship with the host, with their pinned roots.
    func catalogSources(of sandbox: Sandbox) throws(AtriumError) -> [(source: CatalogSource, root: FilePath?)] {
        let own = try CatalogSourceFile(catalogs: sandbox.catalogs).read()
        let shipped = try catalogs.read().filter { shipped in !own.contains { $0.name == shipped.name } }
        return own.map { ($0, nil) } + shipped.map { ($0, catalogs.root(of: $0)) }
    }

    /// Returns the place for the value of `--catalog`: an address, or the path of a folder.
    ///
    /// - Throws: `UsageError` with code `invalidValue` for an address with another scheme than http, https or file.
    func catalogPlace(_ text: String) throws(UsageError) -> CatalogPlace {
        if let address = CatalogAddress(text) { return .published(address) }
        guard text.contains("://") else { return CatalogPlace(folder: try resolve(text)) }
        throw UsageError(
            .invalidValue, subject: "--catalog", expected: [hostText("catalogExpected")], command: ["hostapp"],
            value: text)
    }
}

extension RemoteCatalog {
    /// Creates a published catalog for a host that reports on standard error when it has to use the last state.
    ///
    /// - Parameters:
    ///   - root: The root that ships with the host.
    ///   - authorities: The certificate authorities in place of those of the source.
    convenience init(
        _ source: CatalogSource, root: FilePath? = nil, authorities: FilePath?, in sandbox: Sandbox
    ) throws(AtriumError) {
        var settings = try RemoteCatalogSettings(address: source.address, catalogs: sandbox.catalogs)
        settings.root = root
        settings.channels = Set(source.channels)
        settings.mirrors = source.mirrors
        settings.authorities = authorities ?? source.authorities
        let configuration = HostConfiguration.current
        settings.userAgent = "\(configuration.name)/\(configuration.version)"
        settings.onFallback = { failure, expires in
            StandardOutput.note(
                hostText("lastState", printable(failure.report.message), timestamp(Int64(expires))))
        }
        self.init(settings)
    }
}
