import AppScreens
import Console
import PluginCatalog
import PluginCore
import PluginRouter
import PluginRuntime
import Processes

/// The app on a terminal: it passes the user's commands on to the session and the installer, and shows what has become of them.
@MainActor
final class ScreenSession {
    /// The first screen.
    enum Start {
        case app, store
    }

    let call: HostCall
    let session: Session
    let composed: ComposedRoutes
    let catalog: StoreCatalog
    let book: PageBook
    let output = OutputLines()
    /// The questions that wait for an answer in a dialog.
    var questions: [AsyncStream<Bool>.Continuation] = []
    var screens: AppScreens
    var terminal: TerminalScreen?
    private var isDrawScheduled = false
    var end: CheckedContinuation<Void, Never>?
    var hasEnded = false
    /// The steps that run, with what they do.
    var steps: [(number: Int, task: Task<Void, Never>, activity: String)] = []
    private var lastStep = 0
    /// The state of each bundle that is being installed.
    var installs: [String: StoreItem.State] = [:]
    var isReadingIcons = false
    var tabPages: [Int: any Page] = [:]

    init(_ call: HostCall, _ session: Session, _ composed: ComposedRoutes, styles: ScreenStyles) {
        self.call = call
        self.session = session
        self.composed = composed
        catalog = StoreCatalog(manager: call.manager)
        session.shown = { [call, stack = session.stack] in PageWithExtensions($0, at: stack.topAddress, call) }
        book = PageBook(session)
        screens = AppScreens(name: composed.name.isEmpty ? HostConfiguration.current.name : composed.name)
        screens.styles = styles
        screens.tabs = composed.tabs.map(Self.name(ofAddress:))
    }

    /// Shows the screens until the user quits.
    ///
    /// - Parameters:
    ///   - changes: the progress of installs, which arrives from any thread.
    ///   - notices: lines for the user.
    func run(
        from start: Start, _ changes: AsyncStream<LifecycleEvent>, _ notices: AsyncStream<String>
    ) async throws {
        let lines = output
        let terminal = try TerminalScreen(output: StandardStream.output.descriptor) { [weak self] in
            self?.handle($0)
        } onOutput: { [weak self] text in
            guard let line = lines.add(text) else { return }
            Task { @MainActor in self?.show(notice: line) }
        }
        self.terminal = terminal
        screens.styles.showsImages = call.terminal.allowsStyle && terminal.colors >= 256
        let presses = InterruptCount()
        let interrupts = SignalHandler.ofInterrupts(presses) { [weak self] _ in
            Task { @MainActor in
                presses.reset()
                self?.perform(.interrupt)
            }
        }
        book.onInvalidation = { [weak self] in self?.refresh() }
        call.manager.liveUpdates.observer = { [weak self] in self?.show(notice: $0.notice) }
        call.onDemand.allow(by: policy)
        let observations = [
            observe(session.stack.invalidations) { own, _ in own.refresh() }, observe(changes) { $0.receive($1) },
            observe(notices) { $0.show(notice: $1) },
        ]
        draw()
        begin(start)
        await withCheckedContinuation { end = $0 }
        for observation in observations { observation.cancel() }
        for step in steps { step.task.cancel() }
        for question in questions { question.yield(false) }
        closeTabs()
        interrupts?.end()
        terminal.close()
    }

    private func observe<Element: Sendable>(
        _ stream: AsyncStream<Element>, _ show: @escaping @MainActor (ScreenSession, Element) -> Void
    ) -> Task<Void, Never> {
        Task { [weak self] in
            for await element in stream { if let self { show(self, element) } }
        }
    }

    private func begin(_ start: Start) {
        let firstPage = composed.tabs.first ?? composed.start
        if start == .store || firstPage == nil { perform(.showStore) }
        guard let firstPage else { return }
        step(localized("Opening \(firstPage)")) { own in
            let directory = ComposedDirectory(composed: own.composed, registry: own.call.registry)
            // The user of the store chooses what is installed.
            if start == .store, try await directory.matches(for: ResourceURI(firstPage)).isEmpty { return }
            if !own.screens.tabs.isEmpty { return own.perform(.selectTab(0)) }
            _ = try await own.session.open(ResourceURI(firstPage))
        }
    }

    /// The rule for installs on demand, which asks in a dialog.
    private var policy: OnDemandPolicy {
        let plain = call.onDemandPolicy(in: composed)
        guard plain.rule != .never else { return plain }
        return OnDemandPolicy(rule: plain.rule, from: plain.source) { [weak self] question in
            let lines = question.words.split(separator: "\n").map(String.init)
            return await self?.ask(.question(localized("Install"), lines)) ?? false
        }
    }

    /// Asks whether a link may leave the app.
    func ask(about link: SystemLink, from origin: RequestOrigin) async -> Bool {
        let lines = OutboundLinks.lines(about: link, from: origin).split(separator: "\n").map(String.init)
        return await ask(
            .question(localized("A link leaves the app"), lines + ["", hostText("openLink", link.scheme)]))
    }

    private func ask(_ question: Dialog) async -> Bool {
        let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
        questions.append(answer)
        screens.show(question)
        setNeedsDraw()
        for await isYes in answers { return isYes }
        // The caller was canceled.
        questions.removeAll { $0 == answer }
        screens.dismissQuestion()
        setNeedsDraw()
        return false
    }

    // MARK: Drawing

    /// Shows a line for the user.
    func show(notice: String) {
        screens.notice = notice
        refresh()
    }

    func refresh() {
        book.refresh(&screens)
        if let page = book.root, screens.tabs.indices.contains(screens.tab) {
            screens.tabs[screens.tab] = session.stack.watched(page).title
        }
        setNeedsDraw()
    }

    func setNeedsDraw() {
        guard !isDrawScheduled else { return }
        isDrawScheduled = true
        Task {
            isDrawScheduled = false
            draw()
        }
    }

    private func draw() {
        guard let terminal, !hasEnded else { return }
        let size = terminal.size
        screens.activity = steps.last?.activity
        screens.changes = installs.sorted { $0.key < $1.key }.map {
            "\($0.key.split(separator: ".").last ?? "") \(Self.words($0.value))"
        }
        terminal.show(screens.draw(columns: size.columns, rows: size.rows))
        readIcons()
    }

    private static func words(_ state: StoreItem.State) -> String {
        switch state {
        case .downloading(let done, let total) where total > 0: "↓ \(min(100, done * 100 / total)) %"
        case .downloading: "↓"
        default: "…"
        }
    }

    static func name(ofAddress address: String) -> String {
        let path = address.split(separator: "?").first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? address
    }

    // MARK: Input

    private func handle(_ event: TerminalScreen.Event) {
        switch event {
        case .ended: quit()
        case .changed: draw()
        case .input(let input):
            if let command = screens.handle(input) { perform(command) }
            setNeedsDraw()
        }
    }

    // MARK: Steps

    /// Runs a step, and shows its error.
    func step(_ activity: String, _ body: @escaping @MainActor (ScreenSession) async throws -> Void) {
        lastStep += 1
        let number = lastStep
        let task = Task { [weak self] in
            guard let self else { return }
            let result = await attempt { try await body(self) }
            steps.removeAll { $0.number == number }
            if case .failure(let error) = result { show(error) }
            refresh()
        }
        steps.append((number, task, activity))
        setNeedsDraw()
    }

    func show(_ error: any Error) {
        if error is CancellationError || hasEnded { return }
        let report = Failure(error).report
        var lines = [report.message] + report.details
        if let remedy = report.remedy { lines += ["", remedy] }
        screens.show(.message(localized("Error"), lines, isError: true))
    }

    /// Shows the result of a handler.
    func tell(_ value: (any Sendable)?) {
        guard let value, !(value is Void) else { return }
        screens.notice = valueJSON(value).text()
    }
}

extension HostCall {
    /// A Boolean value that indicates whether the user can work with screens.
    var canShowScreens: Bool {
        !isJSON && !parsed.flag("plain") && LineInput().isTerminal && terminal.canRedraw
    }

    /// Shows the app as screens until the user quits.
    func showScreens(from start: ScreenSession.Start) async throws {
        let composed = try await sessionComposition()
        let (installs, observed) = AsyncStream.makeStream(of: LifecycleEvent.self)
        installObserver = { observed.yield($0) }
        let (notices, noticed) = AsyncStream.makeStream(of: String.self)
        linkQuestion = { [weak self] in await self?.screens?.ask(about: $0, from: $1) ?? false }
        defer { linkQuestion = nil }
        try await inSession(composed, onNotice: { noticed.yield($0) }) { [self] session in
            let shown = ScreenSession(self, session, composed, styles: await screenStyles())
            screens = shown
            try await shown.run(from: start, installs, notices)
        }
    }

    /// The styles of the app's theme, or without any color if the user does not want them.
    private func screenStyles() async -> ScreenStyles {
        _ = await pageStyle()
        guard terminal.allowsStyle else { return ScreenStyles() }
        var styles = ScreenStyles.colored
        guard case .some(.some(let theme)) = theme else { return styles }
        styles.bullet = theme.marks[.bullet] ?? styles.bullet
        styles.mark = theme.marks[.selection] ?? styles.mark
        let variant = Theme.Variant(forTerminalSaying: environment.variable("COLORFGBG"))
        for (part, color) in theme.variants[variant] ?? [:] {
            switch part {
            case .title: styles.title.foreground = color.number
            case .text: styles.text.foreground = color.number
            case .action: styles.action.foreground = color.number
            case .muted:
                styles.muted = styles.text
                styles.muted.foreground = color.number
            }
        }
        return styles
    }
}
