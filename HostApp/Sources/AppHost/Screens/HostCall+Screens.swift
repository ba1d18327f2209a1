import AppScreens
import Console
import PluginCore
import PluginRuntime
import SystemLinks
import TerminalScreen

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
        let shown = ShownScreens()
        linkQuestion = { await shown.ask(about: $0, from: $1) }
        defer { linkQuestion = nil }
        try await inSession(composed, onNotice: { shown.show($0) }) { [self] session in
            let screens = ScreenSession(self, session, composed, styles: await screenStyles())
            shown.screens = screens
            try await screens.run(from: start, installs)
            shown.screens = nil
        }
    }

    /// The styles of the app's theme, or without any color if the user does not want them.
    private func screenStyles() async -> ScreenStyles {
        _ = await pageStyle()
        guard terminal.allowsStyle else { return ScreenStyles() }
        var styles = ScreenStyles.colored
        guard case .some(.some(let theme)) = theme else { return styles }
        let colors = theme.variants[Theme.Variant(forTerminalSaying: environment.variable("COLORFGBG"))]
        if let bullet = theme.marks.bullet { styles.bullet = bullet }
        if let mark = theme.marks.selection { styles.mark = mark }
        if let color = colors?.title { styles.title.foreground = color.number }
        if let color = colors?.text { styles.text.foreground = color.number }
        if let color = colors?.action { styles.action.foreground = color.number }
        if let color = colors?.muted { styles.muted = CellStyle(foreground: color.number) }
        return styles
    }
}

/// The screens of a session, for the notices that appear before there are any and for the questions that need them.
@MainActor
private final class ShownScreens {
    private var early: [String] = []
    weak var screens: ScreenSession? {
        didSet {
            guard let screens else { return }
            for notice in early { screens.show(notice: notice) }
            early = []
        }
    }

    func show(_ notice: String) {
        if let screens { screens.show(notice: notice) } else { early.append(notice) }
    }

    func ask(about link: SystemLink, from origin: RequestOrigin) async -> Bool {
        await screens?.ask(about: link, from: origin) ?? false
    }
}

/// The questions of installs on demand, which wait for an answer in a dialog.
@MainActor
final class ScreenQuestions {
    private var waiting: [(number: Int, answer: CheckedContinuation<Bool, Never>)] = []
    private var last = 0

    /// Asks a question; without an answer, because the caller was canceled, it is answered with no.
    ///
    /// - Parameters:
    ///   - show: shows the question.
    ///   - dismiss: removes it again if nobody waits for the answer any more.
    func ask(_ show: @MainActor () -> Void, dismiss: @escaping @MainActor () -> Void) async -> Bool {
        last += 1
        let number = last
        show()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiting.append((number, $0)) }
        } onCancel: {
            Task { @MainActor in
                guard let index = self.waiting.firstIndex(where: { $0.number == number }) else { return }
                dismiss()
                self.waiting.remove(at: index).answer.resume(returning: false)
            }
        }
    }

    /// Answers the last question.
    func answer(_ isYes: Bool) { waiting.popLast()?.answer.resume(returning: isYes) }

    /// Answers all questions with no.
    func refuseAll() { while !waiting.isEmpty { answer(false) } }
}
