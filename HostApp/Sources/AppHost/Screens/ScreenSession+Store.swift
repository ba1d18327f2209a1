import ExtensionHost
import PluginIsolation
import AppScreens
import Console
import PluginCore
import PluginExtension
import PluginRouter
import PluginRuntime

/// The store and the widgets.
extension ScreenSession {
    /// Does something while the user goes on, and shows its error.
    private func inBackground(_ body: @escaping @MainActor (ScreenSession) async throws -> Void) {
        Task { [weak self] in
            guard let self else { return }
            if case .failure(let error) = await attempt({ try await body(self) }) { show(error) }
            setNeedsDraw()
        }
    }

    func reloadStore() {
        inBackground { own in
            let items = await attempt { try await own.catalog.items() }
            own.screens.store.update((try? items.get()) ?? [], changes: own.installs)
            _ = try items.get()
            if let identifier = own.screens.details?.identifier { own.showDetails(of: identifier) }
        }
    }

    /// Reads the icons of the visible bundles; after that those of the bundles that are visible by then.
    func readIcons() {
        guard !isReadingIcons, !screens.store.missingIcons.isEmpty else { return }
        isReadingIcons = true
        Task { [weak self, catalog] in
            while let items = self?.screens.store.missingIcons, !items.isEmpty {
                let icons = await catalog.icons(of: items)
                self?.screens.store.update(icons)
                if icons.contains(where: { $0.icon != nil }) { self?.setNeedsDraw() }
            }
            self?.isReadingIcons = false
        }
    }

    func showDetails(of identifier: String) {
        guard let item = screens.store.items?.first(where: { $0.identifier == identifier }) else { return }
        inBackground { own in
            let (content, actions) = try await own.catalog.details(of: item)
            let before = own.screens.details?.identifier == identifier ? own.screens.details?.page : nil
            let page = PageScreen(title: item.manifest.name, content: content, actions: actions, after: before)
            if own.screens.isStoreShown { own.screens.details = (identifier, page) }
        }
    }

    func openFirstPage(of identifier: String) {
        do {
            guard let bundle = BundleIdentifier(identifier),
                let address = try catalog.firstPage(of: bundle, in: composed)
            else {
                screens.notice = hostText("noOwnPage", identifier)
                return
            }
            perform(.openAddress(address))
        } catch {
            show(error)
        }
    }

    func install(_ identifier: String) {
        let isUpdate = screens.store.items?.first { $0.identifier == identifier }?.isInstalled == true
        let done = isUpdate ? localized("\(identifier) was updated") : localized("\(identifier) was installed")
        change(identifier, done) { own, bundle in
            let reports = try await own.call.manager.change([isUpdate ? .update(bundle) : .install(bundle)])
            let permissions = reports.map(\.permissionLines).joined().split(separator: "\n").map(String.init)
            if !permissions.isEmpty { own.screens.show(.message(localized("New permissions"), permissions)) }
        }
    }

    /// Changes a bundle while the user goes on.
    ///
    /// - Parameter done: the notice after the change.
    func change(
        _ identifier: String, _ done: String,
        _ body: @escaping @MainActor (ScreenSession, BundleIdentifier) async throws -> Void
    ) {
        guard let bundle = BundleIdentifier(identifier), installs[identifier] == nil else { return }
        setInstall(identifier, .waiting)
        inBackground { own in
            let result = await attempt { try await body(own, bundle) }
            own.setInstall(identifier, nil)
            switch result {
            case .success: own.screens.notice = done
            case .failure(let error):
                own.screens.store.update(identifier, .failed(Failure(error).report.message))
                own.show(error)
            }
            own.reloadStore()
            own.refresh()
        }
    }

    func updateAll() {
        let outdated = (screens.store.items ?? []).filter { item in
            if case .updatable = item.state { true } else { false }
        }
        if outdated.isEmpty { screens.notice = localized("Everything is up to date") }
        for item in outdated { install(item.identifier) }
    }

    private func setInstall(_ identifier: String, _ state: StoreItem.State?) {
        installs[identifier] = state
        if let state { screens.store.update(identifier, state) }
        setNeedsDraw()
    }

    func receive(_ event: LifecycleEvent) {
        let identifier = event.identifier.text
        switch event.state {
        case .downloading(let done, let total, _): setInstall(identifier, .downloading(done: done, total: total))
        case .staged, .verified: setInstall(identifier, .installing)
        case .installed, .waiting, .removed:
            if installs.removeValue(forKey: identifier) != nil { reloadStore() }
            setNeedsDraw()
        default: return
        }
    }

    // MARK: Widgets

    func showWidgets() {
        let columns = terminal?.size.columns ?? 80
        step(localized("Starting the widgets")) { own in
            let widgets = try await own.call.widgets(WidgetRequest(columns: min(columns, 60), rows: 5))
            own.session.stack.push(TodayPage(widgets.map(Self.content), own.call))
        }
    }

    /// Returns the contents of a widget, or the reason why there are none.
    private static func content(of shown: ShownWidget) -> WidgetContent {
        switch shown.content {
        case .success(let content): content
        case .failure(let error):
            WidgetContent(
                title: shown.extension.declaration.name, elements: [.text(Failure(error).report.message)])
        }
    }
}

/// The widgets of the installed plugins as a page, whose actions open the addresses that they name.
@MainActor
private final class TodayPage: Page {
    private let widgets: [WidgetContent]
    private let call: HostCall

    init(_ widgets: [WidgetContent], _ call: HostCall) { (self.widgets, self.call) = (widgets, call) }

    var title: String { localized("Today") }

    var content: [PageElement] {
        widgets.isEmpty
            ? [.text(localized("No widgets."))] : widgets.map { .section(title: $0.title, $0.elements) }
    }

    var actions: [PageAction] {
        widgets.compactMap { widget in
            widget.address.map { PageAction(.init($0, title: localized("Open \(widget.title)"))) }
        }
    }

    func perform(_ address: String, input: [String: String], on navigator: any Navigator) async throws {
        // A widget has chosen its address itself, which may carry data out of the app.
        try await Lease.servingConfined {
            let router = call.manager.router.routing(for: call.origin)
            _ = try await router.open(ResourceURI(address), userInfo: [:], presentation: .push)
        }
    }

    func didClose() {
        Task { await call.extensions.leave(ExtensionPoints.today.identifier) }
    }
}
