package import PluginCore
package import Preflight

/// Everything that the rules know about a plugin. Rules for what is unknown find nothing.
package struct LintSubject: Sendable {
    /// A file of the package.
    package struct File: Hashable, Sendable {
        /// The path in the package.
        package let name: String
        /// The size in bytes.
        package let size: Int

        package init(name: String, size: Int) {
            self.name = name
            self.size = size
        }
    }

    /// The reasons for which a plugin cannot be packed or installed, by the code of their rule.
    package var refusals: [String: [LintRule.Problem]] = [:]
    /// The complete manifest, or nil for one that is not valid.
    package var manifest: Manifest?
    package var resources = PluginResources()
    /// The files of the package.
    package var files: [File] = []
    /// The size of the package in bytes.
    package var size = 0
    /// The names and debug information of the libraries by their file names.
    package var libraries: [String: LibrarySymbols] = [:]
    /// The contents of the source files, or nil if only the package is known.
    package var sources: [String]?
    /// The parameters of routes and actions, or nil if the code was not asked.
    package var inputs: [InputDeclaration]?
    /// The events that the code declares, or nil if it was not asked.
    package var events: [EventDeclaration]?
    /// The newest published release before this version, or nil if there is none.
    package var published: PublishedVersion?
    /// A Boolean value that indicates whether the same version is published with other content.
    package var isVersionReused = false
    /// The newest version of each other bundle of the catalog, or nil without a catalog.
    package var catalog: [CatalogBundle]?
    /// The manifests of the packages that were named as dependencies.
    package var dependencies: [Manifest] = []

    package init() {}
}

/// The last published version of a plugin.
package struct PublishedVersion: Sendable {
    package let manifest: Manifest
    /// The names that its library exports, or nil for a bundle without a library for this platform.
    package let symbols: LibrarySymbols?
    /// The parameters of its routes and actions, or nil if its code could not be asked.
    package let inputs: [InputDeclaration]?
    /// The events that its code declares, or nil if it could not be asked.
    package let events: [EventDeclaration]?

    package init(
        manifest: Manifest, symbols: LibrarySymbols?, inputs: [InputDeclaration]? = nil,
        events: [EventDeclaration]? = nil
    ) {
        self.events = events
        self.manifest = manifest
        self.symbols = symbols
        self.inputs = inputs
    }
}

/// The newest version of another bundle in the catalog.
package struct CatalogBundle: Sendable {
    package let manifest: Manifest
    /// The names that its libraries import.
    package let imported: Set<String>

    package init(manifest: Manifest, imported: Set<String> = []) {
        self.manifest = manifest
        self.imported = imported
    }
}
