import PluginCatalog
import PluginCore
import PluginRuntime
import Registry
import RemoteCatalog

/// The catalogs of one call.
struct CallCatalogs {
    /// All packages.
    let catalog: any Catalog
    /// The published catalogs among them.
    let published: [RemoteCatalog]
    /// The published catalog that the user has named.
    let named: RemoteCatalog?

    /// Opens the catalog at a named place; or else those that were added to the sandbox; or else the host's own.
    init(_ place: CatalogPlace?, of sandbox: Sandbox, in environment: HostEnvironment) {
        let sources: [CatalogSource]
        do throws(AtriumError) {
            sources = place == nil ? try CatalogSourceFile(catalogs: sandbox.catalogs).read() : []
        } catch {
            (catalog, published, named) = (UnavailableCatalog(error), [], nil)
            return
        }
        guard sources.isEmpty else {
            let published = sources.map { RemoteCatalog($0.address, channels: $0.channels, in: sandbox) }
            catalog = PrioritizedCatalog(
                zip(sources, published).map { PrioritizedCatalog.Source($1, prefixes: $0.prefixes) })
            (self.published, named) = (published, nil)
            return
        }
        switch place ?? CatalogPlace(folder: environment.catalog) {
        case .packages(let folder): (catalog, published, named) = (DirectoryCatalog(folder: folder), [], nil)
        case .published(let address):
            let remote = RemoteCatalog(address, in: sandbox)
            (catalog, published, named) = (remote, [remote], place == nil ? nil : remote)
        }
    }
}
