/// Everything that an extension gets from its host when it starts.
public struct ExtensionEnvironment: Sendable {
    /// The identifier of the extension, which starts with that of its bundle.
    public let identifier: BundleIdentifier
    /// The identifier and version of the bundle that contains the extension.
    public let bundle: BundleIdentity
    /// The bundle's resources.
    public let resources: BundleResources
    /// The folders for the bundle's data, which the extension shares with the bundle.
    public let container: BundleContainer
    /// The bundle's settings and other small values, which the extension shares with the bundle.
    public let defaults: any DefaultsStore
    private let groups: [AppGroup]
    /// The controller of the bundle's widgets.
    public let widgets: WidgetController
    /// The extension's log.
    public let logger: BundleLogger

    /// Creates an environment. Hosts and tests call this; extensions receive an environment.
    public init(
        identifier: BundleIdentifier, bundle: BundleIdentity, resources: BundleResources, container: BundleContainer,
        defaults: any DefaultsStore, groups: [AppGroup] = [], widgets: WidgetController, logger: BundleLogger
    ) {
        self.identifier = identifier
        self.bundle = bundle
        self.resources = resources
        self.container = container
        self.defaults = defaults
        self.groups = groups
        self.widgets = widgets
        self.logger = logger
    }

    /// Returns an app group that the manifest of the extension's bundle declares.
    ///
    /// - Throws: ``AtriumError`` with code `groupUndeclared` for any other group.
    public func appGroup(_ name: String) throws(AtriumError) -> AppGroup { try groups.declared(name) }
}
