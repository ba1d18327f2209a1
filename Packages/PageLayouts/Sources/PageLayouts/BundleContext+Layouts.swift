public import PluginCore

extension BundleContext {
    /// Returns a page of one of the bundle's page layouts.
    ///
    /// Code fills the layout's slots:
    ///
    /// ```swift
    /// let page = try context.layoutPage("offers/home", slots: ["items": { [.list(catalog.rows)] }])
    /// ```
    ///
    /// Or a page of code shows the ``LayoutPage/content`` and the ``LayoutPage/actions`` among its own.
    ///
    /// - Parameters:
    ///   - name: The page as `layout/pageId`, where the file is `Pages/<layout>.json`.
    ///   - parameters: The values for `{name}`.
    ///   - slots: The elements of the slots, by name. They are made each time that the page is drawn. Their rows may open
    ///     addresses, but not perform actions; for those, show the layout's content on a page of your own.
    /// - Throws: The errors of `BundleResources.screen(_:)`.
    @MainActor
    public func layoutPage(
        _ name: String, parameters: ActionParameters = [:], slots: [String: LayoutPage.Slot] = [:]
    ) throws(AtriumError) -> LayoutPage {
        try LayoutPage(name, of: resources, parameters: parameters, router: router, slots: slots)
    }
}

extension BundleResources {
    /// Returns a page of a page layout file.
    ///
    /// - Parameter name: The page as `layout/pageId`, where the file is `Pages/<layout>.json`.
    /// - Throws: ``AtriumError`` with code `resourceUnknown` if the file or the page doesn't exist, `resourceInvalid` if the file is not a
    ///   page layout, and the errors of `BundleResources.bytes(of:limit:)`.
    public func screen(_ name: String) throws(AtriumError) -> PageLayout.Screen {
        let parts = name.split(separator: "/")
        guard parts.count == 2 else {
            throw AtriumError(.resourceUnknown, name, reason: "layoutNameForm")
        }
        let file = "Pages/\(parts[0]).json"
        let layout = try json(PageLayout.self, of: file)
        guard let screen = layout.pages[String(parts[1])] else {
            throw AtriumError(
                .resourceUnknown, name, reason: "noSuchPage", ["file": .text(file)], nearest: layout.pages.keys.sorted()
            )
        }
        return screen
    }
}
