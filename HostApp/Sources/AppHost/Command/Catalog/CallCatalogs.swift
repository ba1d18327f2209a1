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
    ///
    /// - Parameter authorities: The certificate authorities of web servers in this call.
    init(
        _ place: CatalogPlace?, trusting authorities: FilePath?, of sandbox: Sandbox, in environment: HostEnvironment
    ) {
        do throws(AtriumError) {
            let sources = place == nil ? try CatalogSourceFile(catalogs: sandbox.catalogs).read() : []
            guard sources.isEmpty else {
                let published = try sources.map { source throws(AtriumError) in
                    try RemoteCatalog(source, authorities: authorities, in: sandbox)
                }
                catalog = PrioritizedCatalog(
                    zip(sources, published).map { PrioritizedCatalog.Source($1, prefixes: $0.prefixes) })
                (self.published, named) = (published, nil)
                return
            }
            switch place ?? CatalogPlace(folder: environment.catalog) {
            case .packages(let folder): (catalog, published, named) = (DirectoryCatalog(folder: folder), [], nil)
            case .published(let address):
                let source = CatalogSource(name: address.description, address: address)
                let remote = try RemoteCatalog(source, authorities: authorities, in: sandbox)
                (catalog, published, named) = (remote, [remote], place == nil ? nil : remote)
            }
        } catch {
            (catalog, published, named) = (UnavailableCatalog(error), [], nil)
        }
    }
}
