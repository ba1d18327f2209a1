import AppScreens
import Console
import ExtensionHost
import PluginCore
import PluginRouter
import PluginRuntime
import Registry
import SystemLinks
import TerminalScreen

/// The app on a terminal: it passes the user's commands on to the session and the installer, and shows what has become of them.
@MainActor
final class ScreenSession {
    /// The first screen.
    enum Start {
        case app, store
    }

    private let call: HostCall
    private let session: Session
    private let composed: ComposedRoutes
    private let catalog: StoreCatalog
    private let book: PageBook
    private let output = OutputLines()
    private let questions = ScreenQuestions()
    private lazy var links = ScreenLinks(call) { [weak self] in self?.announce($0) }
    private var screens: AppScreens
    private var terminal: TerminalScreen?
    private var isDrawScheduled = false
    private var end: CheckedContinuation<Void, Never>?
    private var hasEnded = false
    /// The steps that run, with what they do.
    private var steps: [(number: Int, task: Task<Void, Never>, activity: String)] = []
    private var lastStep = 0
    /// The state of each bundle that is being installed.
    private var installs: [String: StoreItem.State] = [:]
    /// The store, also while it isn't shown.
    private var store = StoreScreen()
    private var isReadingIcons = false
    private var tabPages: [Int: any Page] = [:]

    init(_ call: HostCall, _ session: Session, _ composed: ComposedRoutes, styles: ScreenStyles) {
        self.call = call
        self.session = session
        self.composed = composed
        catalog = StoreCatalog(manager: call.manager)
        session.shown = { [call, stack = session.stack] in PageWithExtensions($0, at: stack.topAddress, call) }
        book = PageBook(session)
        screens = AppScreens(name: composed.name.isEmpty ? HostConfiguration.current.name : composed.name)
        screens.styles = styles
        screens.tabs = composed.composition.tabs.map(Self.name(ofAddress:))
    }

    /// Shows the screens until the user quits.
    func run(from start: Start, _ changes: InstallChanges) async throws {
        let lines = output
        let terminal: TerminalScreen
        do throws(TerminalScreen.Unavailable) {
            terminal = try TerminalScreen(output: StandardStream.output.descriptor) { [weak self] in
                self?.handle($0)
            } onOutput: { [weak self] text in
                guard let line = lines.add(text) else { return }
                Task { @MainActor in self?.show(notice: line) }
            }
        } catch {
            throw AtriumError(.inputOutput, "the terminal", reason: .verbatim(error.reason))
        }
        self.terminal = terminal
        screens.styles.showsImages = call.terminal.allowsStyle && terminal.colors >= 256
        let interrupts = takeInterrupts()
        // No work waits for a thread while the screens wait for input.
        ThreadShortage.end()
        book.onInvalidation = { [weak self] in self?.refresh() }
        changes.forward { [weak self] in self?.receive($0) }
        call.manager.liveUpdates.observer = { [weak self] in self?.show(notice: $0.notice) }
        call.manager.onDemand.allow(by: policy)
        let observation = Task { @MainActor [weak self, stack = session.stack] in
            for await _ in stack.invalidations { self?.refresh() }
        }
        draw()
        begin(start)
        links.listen()
        await withCheckedContinuation { end = $0 }
        links.end()
        observation.cancel()
        changes.forward(to: nil)
        for step in steps { step.task.cancel() }
        questions.refuseAll()
        closeTabs()
        interrupts?.end()
        terminal.close()
    }

    private func begin(_ start: Start) {
        if start == .store { perform(.showStore) }
        if !screens.tabs.isEmpty {
            perform(.selectTab(0))
        } else if let address = composed.start {
            step(localized("Opening \(address)")) { _ = try await $0.session.open(ResourceURI(address)) }
        } else if start == .app {
            perform(.showStore)
        }
        do {
            guard try !call.deferred.waiting().isEmpty else { return }
        } catch {
            return show(error)
        }
        let first = steps.map(\.task)
        step(localized("Opening deferred addresses")) { own in
            // The app's first page is below them.
            for task in first { await task.value }
            try Task.checkCancellation()
            try await own.openDeferred()
            // Without a first page, the store was shown in its place.
            if start == .app, own.session.top != nil { (own.screens.store, own.screens.details) = (nil, nil) }
        }
    }

    /// The rule for installs on demand, which asks in a dialog.
    private var policy: OnDemandPolicy {
        let plain = call.onDemandPolicy(in: composed.composition)
        guard plain.rule != .never else { return plain }
        return OnDemandPolicy(rule: plain.rule, from: plain.source) { [weak self] question in
            await self?.ask(question) ?? false
        }
    }

    private func ask(_ question: OnDemandPolicy.Question) async -> Bool {
        await ask(.question(localized("Install"), question.words.split(separator: "\n").map(String.init)))
    }

    /// Asks whether a link may leave the app.
    func ask(about link: SystemLink, from origin: RequestOrigin) async -> Bool {
        let lines = OutboundLinks.lines(about: link, from: origin).split(separator: "\n").map(String.init)
        let question = localized("Open it with the system's program for \(link.scheme) links?")
        return await ask(.question(localized("A link leaves the app"), lines + ["", question]))
    }

    private func ask(_ question: Dialog) async -> Bool {
        await questions.ask {
            screens.show(question)
            setNeedsDraw()
        } dismiss: { [weak self] in
            self?.screens.dismissQuestion()
            self?.setNeedsDraw()
        }
    }

    // MARK: Drawing

    /// Shows a line for the user.
    func show(notice: String) {
        screens.notice = notice
        refresh()
    }

    private func refresh() {
        book.refresh(&screens)
        if let page = book.root, screens.tabs.indices.contains(screens.tab) {
            screens.tabs[screens.tab] = session.stack.watched(page).title
        }
        setNeedsDraw()
    }

    private func setNeedsDraw() {
        guard !isDrawScheduled else { return }
        isDrawScheduled = true
        Task { @MainActor in
            isDrawScheduled = false
            draw()
            openLinks()
        }
    }

    private func draw() {
        guard let terminal, !hasEnded else { return }
        let size = terminal.size
        screens.activity = steps.last?.activity
        screens.changes = installs.sorted { $0.key < $1.key }.map {
            "\(Self.shortName($0.key)) \(Self.words($0.value))"
        }
        if screens.store != nil { screens.store = store }
        let drawing = screens.draw(columns: size.columns, rows: size.rows)
        if let shown = screens.store { store = shown }
        terminal.show(drawing.canvas, cursor: drawing.cursor)
        readIcons()
    }

    private static func words(_ state: StoreItem.State) -> String {
        switch state {
        case .downloading(let done, let total) where total > 0: "↓ \(min(100, done * 100 / total)) %"
        case .downloading: "↓"
        default: "…"
        }
    }

    private static func shortName(_ identifier: String) -> String {
        identifier.split(separator: ".").last.map(String.init) ?? identifier
    }

    private static func name(ofAddress address: String) -> String {
        let path = address.split(separator: "?").first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? address
    }

    // MARK: Input

    private func handle(_ event: TerminalScreen.Event) {
        switch event {
        case .ended: quit()
        case .changed: draw()
        case .input(let input):
            if screens.store != nil { screens.store = store }
            let command = screens.handle(input)
            if let shown = screens.store { store = shown }
            if let command { perform(command) }
            setNeedsDraw()
        }
    }

    private func takeInterrupts() -> InterruptSignalHandler? {
        let presses = InterruptCount()
        return InterruptSignalHandler { [weak self] in
            guard presses.add() < 3 else {
                // The main actor does not react, so that the terminal is given back here.
                TerminalScreen.restore()
                InterruptSignalHandler.endProgram()
                return
            }
            Task { @MainActor in
                presses.reset()
                self?.perform(.interrupt)
            }
        }
    }

    // MARK: Commands

    private func perform(_ command: ScreenCommand) {
        switch command {
        case .quit: quit()
        case .interrupt: interrupt()
        case .answer(let isYes): questions.answer(isYes)
        case .perform(let action, let input):
            guard let page = book.page else { return }
            step(title(of: action, in: screens.page)) {
                try await $0.tell($0.session.perform(action, input: input, of: page))
            }
        case .performInList(let action, let input):
            guard let page = book.list else { return }
            step(title(of: action, in: screens.below)) { own in
                _ = try await own.session.back()
                try await own.tell(own.session.perform(action, input: input, of: page))
            }
        case .back: back()
        case .selectTab(let tab): select(tab)
        case .openAddress(let text):
            closeStore()
            screens.widgets = nil
            step(localized("Opening \(text)")) { try await $0.tell($0.session.open(ResourceURI(text))) }
        case .showDeferred:
            session.stack.push(
                DeferredPage(call) { [weak self] in
                    self?.step(localized("Opening deferred addresses")) { try await $0.openDeferred(isAsked: true) }
                })
            refresh()
        case .showMessages:
            session.stack.push(MessagesPage(output.all))
            refresh()
        case .showWidgets: showWidgets()
        case .closeWidgets:
            screens.widgets = nil
            step(localized("Closing the widgets")) {
                await $0.call.extensions.leave(ExtensionPoints.today.identifier)
            }
        case .showStore:
            screens.store = store
            reloadStore()
        case .closeStore: closeStore()
        case .showDetails(let identifier): showDetails(of: identifier)
        case .closeDetails: screens.details = nil
        case .install(let identifier): install(identifier)
        case .open(let identifier): openFirstPage(of: identifier)
        case .updateAll: updateAll()
        case .rollBack(let identifier):
            change(identifier, localized("\(identifier) was rolled back")) {
                _ = try await $0.call.manager.rollBack($1)
            }
        case .uninstall(let identifier):
            change(identifier, localized("\(identifier) was uninstalled")) {
                _ = try await $0.call.manager.uninstall($1)
            }
        }
    }

    private func title(of action: String, in page: PageScreen?) -> String {
        page?.actions.first { $0.identifier == action }?.title ?? action
    }

    private func quit() {
        hasEnded = true
        end?.resume()
        end = nil
    }

    private func interrupt() {
        guard !steps.isEmpty else { return quit() }
        for step in steps { step.task.cancel() }
        screens.notice = localized("Interrupted")
        setNeedsDraw()
    }

    private func back() {
        let stack = session.stack
        guard !stack.isPresenting, stack.stacked.count <= (stack.beside.isEmpty ? 1 : 0) else {
            return step(localized("Going back")) { try await $0.tell($0.session.back()) }
        }
        screens.notice = localized("This is the first page; q quits")
    }

    private func closeStore() {
        screens.store = nil
        screens.details = nil
        if screens.page == nil { screens.notice = localized("No page is open; o opens an address, q quits") }
        refresh()
    }

    /// Runs a step, and shows its error.
    private func step(_ activity: String, _ body: @escaping @MainActor (ScreenSession) async throws -> Void) {
        lastStep += 1
        let number = lastStep
        let task = Task { @MainActor [weak self] in
            guard let self else { return }
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(self))
            } catch {
                result = .failure(error)
            }
            steps.removeAll { $0.number == number }
            if case .failure(let error) = result { show(error) }
            links.listen()
            refresh()
        }
        steps.append((number, task, activity))
        setNeedsDraw()
    }

    private func show(_ error: any Error) {
        if error is CancellationError || hasEnded { return }
        show(Failure(error))
    }

    private func show(_ failure: Failure) {
        let report = failure.report
        var lines = [report.message] + report.details
        if let remedy = report.remedy { lines += ["", remedy] }
        screens.show(.message(localized("Error"), lines, isError: true))
    }

    /// Shows the result of a handler.
    private func tell(_ value: (any Sendable)?) {
        guard let value, !(value is Void) else { return }
        screens.notice = valueJSON(value).text()
    }

    /// Opens the waiting requests on top of the other pages, and shows the errors of those that were removed.
    ///
    /// - Parameter isAsked: `true` if the user wants it now, and is told why requests still wait.
    private func openDeferred(isAsked: Bool = false) async throws {
        let round = DeferredRound(call)
        try await round.run(in: session, Transcript(call, isSilent: true))
        for failure in round.failed.map(\.failure) + (isAsked ? round.obstacles : []) { show(failure) }
        if !round.left.isEmpty { screens.notice = String(round.left.dropLast()) }
    }

    // MARK: Links of other processes

    private func announce(_ link: HandedLink) {
        show(notice: localized("A link from outside: \(printable(link.uri.text))"))
    }

    /// Opens the links that have been handed over, but not below a dialog, whose action is for the page that the user sees.
    private func openLinks() {
        while !hasEnded, !screens.hasDialog, let link = links.next() {
            screens.store = nil
            screens.details = nil
            screens.widgets = nil
            step(localized("Opening \(link.uri.text)")) { own in
                let router = own.call.router?.routing(for: .external)
                // The user types something else, which must not be taken for the answer to a question.
                let value = try await OutboundLinks.$mayAsk.withValue(false) {
                    try await own.session.open(link.uri, through: router)
                }
                own.tell(value)
            }
        }
    }

    // MARK: Tabs

    private func select(_ tab: Int) {
        let addresses = composed.composition.tabs
        guard addresses.indices.contains(tab) else { return }
        step(localized("Opening \(addresses[tab])")) { own in
            if !own.session.stack.stacked.isEmpty { try await own.session.backToRoot() }
            own.screens.tab = tab
            if own.tabPages[tab] == nil {
                guard let router = own.call.router?.routing(for: own.call.origin) else { return }
                own.book.root = nil
                let page = try await router.page(for: addresses[tab])
                // Another press may have opened the same tab.
                if own.tabPages[tab] == nil { own.tabPages[tab] = page } else { page.didClose() }
            }
            own.session.stack.beside = own.tabPages.sorted { $0.key < $1.key }.map(\.value)
            if own.screens.tab == tab { own.book.root = own.tabPages[tab] }
        }
    }

    private func closeTabs() {
        session.stack.beside = []
        for page in tabPages.values { session.stack.watched(page).didClose() }
        tabPages = [:]
    }

    // MARK: Store

    private func reloadStore() {
        Task { @MainActor [weak self, catalog] in
            do {
                let items = try await catalog.items()
                guard let self else { return }
                store.update(items, changes: installs)
                if let identifier = screens.details?.identifier { showDetails(of: identifier) }
            } catch {
                self?.store.update([])
                self?.show(error)
            }
            self?.setNeedsDraw()
        }
    }

    /// Reads the icons of the visible bundles; after that those of the bundles that are visible by then.
    private func readIcons() {
        guard !isReadingIcons, !store.missingIcons.isEmpty else { return }
        isReadingIcons = true
        Task { @MainActor [weak self, catalog] in
            while let items = self?.store.missingIcons, !items.isEmpty {
                let icons = await catalog.icons(of: items)
                self?.store.update(icons)
                if icons.contains(where: { $0.icon != nil }) { self?.setNeedsDraw() }
            }
            self?.isReadingIcons = false
        }
    }

    private func showDetails(of identifier: String) {
        guard let item = store.items?.first(where: { $0.identifier == identifier }) else { return }
        Task { @MainActor [weak self, catalog] in
            do {
                let details = try await catalog.details(of: item)
                guard let self else { return }
                let before = screens.details?.identifier == identifier ? screens.details?.page : nil
                let page =
                    before?.updated(title: item.name, content: details.content, actions: details.actions)
                    ?? PageScreen(title: item.name, content: details.content, actions: details.actions)
                if screens.store != nil { screens.details = (identifier, page) }
            } catch {
                self?.show(error)
            }
            self?.setNeedsDraw()
        }
    }

    private func openFirstPage(of identifier: String) {
        do {
            guard let bundle = BundleIdentifier(identifier),
                let address = try catalog.firstPage(of: bundle, in: composed)
            else {
                screens.notice = localized("\(identifier) has no page of its own; Tab shows its details")
                return
            }
            perform(.openAddress(address))
        } catch {
            show(error)
        }
    }

    private func install(_ identifier: String) {
        let isUpdate = store.items?.first { $0.identifier == identifier }?.isInstalled == true
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
    private func change(
        _ identifier: String, _ done: String,
        _ body: @escaping @MainActor (ScreenSession, BundleIdentifier) async throws -> Void
    ) {
        guard let bundle = BundleIdentifier(identifier), installs[identifier] == nil else { return }
        setInstall(identifier, .waiting)
        Task { @MainActor [weak self] in
            do {
                guard let self else { return }
                try await body(self, bundle)
                setInstall(identifier, nil)
                screens.notice = done
            } catch {
                self?.setInstall(identifier, nil)
                self?.store.update(identifier, .failed(Failure(error).report.message))
                self?.show(error)
            }
            self?.links.listen()
            self?.reloadStore()
            self?.refresh()
        }
    }

    private func updateAll() {
        let outdated = (store.items ?? []).filter { item in
            if case .updatable = item.state { true } else { false }
        }
        if outdated.isEmpty { screens.notice = localized("Everything is up to date") }
        for item in outdated { install(item.identifier) }
    }

    private func setInstall(_ identifier: String, _ state: StoreItem.State?) {
        installs[identifier] = state
        if let state { store.update(identifier, state) }
        setNeedsDraw()
    }

    private func receive(_ news: [BundleIdentifier: StoreItem.State?]) {
        for (identifier, state) in news {
            if let state {
                setInstall(identifier.text, state)
            } else if installs.removeValue(forKey: identifier.text) != nil {
                reloadStore()
            }
        }
        setNeedsDraw()
    }

    // MARK: Widgets

    private func showWidgets() {
        screens.widgets = WidgetStrip(nil)
        let columns = terminal?.size.columns ?? 80
        Task { @MainActor [weak self, call] in
            do {
                let shown = try call.extensions.all(at: ExtensionPoints.today.identifier)
                    .filter { $0.choice.isEnabled && $0.choice.hasContent }
                let request = WidgetRequest(columns: min(columns, 60), rows: WidgetStrip.rows - 2)
                let results = await contents(of: shown, request, call.extensions)
                let widgets = shown.enumerated().map { index, found in
                    Self.widget(found.declaration.name, results[index])
                }
                if self?.screens.widgets != nil { self?.screens.widgets = WidgetStrip(widgets) }
            } catch {
                self?.screens.widgets = nil
                self?.show(error)
            }
            self?.setNeedsDraw()
        }
    }

    private static func widget(_ name: String, _ result: Result<WidgetContent, any Error>?) -> WidgetStrip.Widget {
        switch result {
        case .success(let content):
            WidgetStrip.Widget(title: content.title, content: content.elements, address: content.address)
        case .failure(let error):
            WidgetStrip.Widget(title: name, content: [.text(Failure(error).report.message)], address: nil)
        case nil: WidgetStrip.Widget(title: name, content: [], address: nil)
        }
    }
}
