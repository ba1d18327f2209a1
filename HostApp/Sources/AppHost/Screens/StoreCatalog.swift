import Doctor
import RemoteCatalog
import AppScreens
import Console
import PluginCore
import PluginRuntime
import Registry

/// The bundles of the store: those that the catalog offers, and those that are installed.
struct StoreCatalog {
    let manager: Host

    /// Reads all bundles, away from the main actor.
    ///
    /// Bundles with pages come first, and libraries last.
    @concurrent
    func items() async throws -> [StoreItem] {
        try await manager.search { offers in
            let listing = try offers.catalog.listing()
            if listing.packages.isEmpty { try offers.catalog.requireReachable() }
            let installed = try manager.registry.active.all()
            let staged = try manager.registry.staged.all()
            let blockRule = try offers.packageBlockRule()
            var packages = Dictionary(grouping: listing.packages) { $0.manifest.identifier }
            var items: [StoreItem] = []
            for bundle in installed {
                let active = bundle.active
                let offered = packages.removeValue(forKey: active.identifier) ?? []
                let newer = try offered.first { try $0.manifest.version > active.version && blockRule($0) == nil }
                let next = staged.first { $0.identifier == active.identifier }
                let state: StoreItem.State? =
                    next.map { .staged("\($0.version)") } ?? newer.map { .updatable(to: "\($0.manifest.version)") }
                let manifest = try manager.registry.versions.manifest(of: active)
                items.append(StoreItem(manifest, size: Int(clamping: active.size), state: state ?? .installed))
            }
            for offered in packages.values {
                let allowed = try offered.first { try blockRule($0) == nil }
                guard let package = allowed ?? offered.first else { continue }
                let state = try blockRule(package).map { StoreItem.State.blocked($0.report.message) } ?? .available
                items.append(StoreItem(package.manifest, size: Int(clamping: package.size), state: state))
            }
            return items.sorted { Self.order(of: $0) < Self.order(of: $1) }
        }
    }

    private static func order(of item: StoreItem) -> (Int, String, String) {
        let place = [BundleKind.app, .assets, .lib].firstIndex(of: item.manifest.kind) ?? 0
        return (place, item.manifest.name.lowercased(), item.identifier)
    }

    /// Reads and decodes icons, away from the main actor; an item without an icon that can be drawn has no cells.
    @concurrent
    func icons(of items: [StoreItem]) async -> [(item: StoreItem, icon: ImageCells?)] {
        await withTaskGroup(of: (item: StoreItem, icon: ImageCells?).self) { group in
            for item in items { group.addTask { (item, await icon(of: item)) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func icon(of item: StoreItem) async -> ImageCells? {
        let png = try? await manager.icon(of: item.manifest.identity)
        return png.flatMap { ImageCells(icon: $0) }
    }

    /// Reads the details of a bundle, away from the main actor.
    @concurrent
    func details(of item: StoreItem) async throws -> (content: [PageElement], actions: [PageAction.Description]) {
        let manifest = item.manifest
        let identifier = manifest.identifier
        let installed = try manager.registry.active.bundle(identifier)
        let state = installed == nil ? localized("not installed") : localized("installed")
        var content: [PageElement] = manifest.summary.isEmpty ? [] : [.text(manifest.summary), .text("")]
        if let description = manifest.description { content += [.text(description), .text("")] }
        let fields = [
            (localized("Version"), manifest.version.description), (localized("State"), state),
            (localized("Size"), byteCount(item.size)), (localized("Identifier"), identifier.text),
            (localized("Signed by"), installed?.active.seal.team),
            (localized("Previous version"), installed?.previous?.version.description),
            (localized("License"), manifest.license), (localized("Homepage"), manifest.homepage),
            (localized("Author"), manifest.author),
        ]
        content += fields.compactMap { label, value in value.map { .field(label: label, value: $0) } }
        content.append(.heading(localized("Permissions")))
        let permissions = manifest.permissions.map { PageRow($0.rawValue, detail: localized("it \($0.words)")) }
        content.append(permissions.isEmpty ? .text(localized("None.")) : .list(permissions))
        if !manifest.requirements.isEmpty {
            content.append(.heading(localized("Requires")))
            content.append(.list(manifest.requirements.map { PageRow($0.words) }))
        }
        switch item.state {
        case .blocked(let reason): content += [.heading(localized("Cannot be installed")), .text(reason)]
        case .failed(let reason): content += [.heading(localized("The last attempt failed")), .text(reason)]
        default: break
        }
        return (content, Self.actions(for: item, installed))
    }

    private static func actions(for item: StoreItem, _ installed: InstalledBundle?) -> [PageAction.Description] {
        func action(_ action: StoreAction, _ title: String) -> PageAction.Description {
            PageAction.Description(action.rawValue, title: title)
        }
        if item.state.isBusy { return [] }
        guard let installed else {
            if case .blocked = item.state { return [] }
            return [action(.install, localized("Install"))]
        }
        var actions = [action(.open, localized("Open"))]
        if case .updatable(let version) = item.state {
            actions.append(action(.install, localized("Update to \(version)")))
        }
        if let previous = installed.previous {
            actions.append(action(.rollBack, localized("Roll back to \(previous.version)")))
        }
        return actions + [action(.uninstall, localized("Uninstall"))]
    }

    /// Returns the address of the first page of an installed bundle; `nil` if it has none that needs no parameters.
    func firstPage(of identifier: BundleIdentifier, in composed: ComposedRoutes) throws -> String? {
        guard let installed = try manager.registry.active.bundle(identifier) else { return nil }
        let manifest = try manager.registry.versions.manifest(of: installed.active)
        let pages = manifest.routes.filter { $0.kind == .page && !$0.pattern.contains { ":*({[".contains($0) } }
        let member = composed.bundles.first { $0.pkg == identifier.text }
        if let member, !manifest.routes.isEmpty { return "app://\(member.uri)" }
        let shortest = pages.min { ($0.pattern.count, $0.pattern) < ($1.pattern.count, $1.pattern) }
        return shortest.map { $0.pattern.contains("://") ? $0.pattern : "app://\($0.pattern)" }
    }
}
