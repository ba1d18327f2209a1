import AppScreens
import PluginCore
import PluginRuntime
import Synchronization

/// The pages of a session as screens, with the selection of each page as long as it is open.
@MainActor
final class PageBook {
    private let session: Session
    private var kept: [ObjectIdentifier: PageScreen] = [:]
    private var shown: (page: ObjectIdentifier?, below: ObjectIdentifier?)
    /// The page of the selected tab; `nil` without tabs.
    var root: (any Page)? {
        didSet {
            observation = root.map { page in
                PageObservation(of: page) { [weak self] in Task { @MainActor in self?.onInvalidation() } }
            }
        }
    }
    private var observation: PageObservation?
    /// Called after the page of a tab has changed by itself.
    var onInvalidation: @MainActor () -> Void = {}

    init(_ session: Session) { self.session = session }

    /// The visible page, with the actions that the host adds; `nil` if there is none yet.
    var page: (any Page)? { session.top ?? root.map { session.shown(session.stack.watched($0)) } }

    /// The page below the visible one.
    private var lower: (any Page)? { rooted.dropLast().last }

    /// The page of the tab, and then those of the stack from bottom to top.
    private var rooted: [any Page] { [root].compactMap(\.self) + session.stack.stacked }

    /// The page on the left of a split view, for performing its actions.
    var list: (any Page)? { lower.map { session.shown(session.stack.watched($0)) } }

    /// Reads the pages again.
    func refresh(_ screens: inout AppScreens) {
        if let page = shown.page { kept[page] = screens.page }
        if let page = shown.below { kept[page] = screens.below }
        let (stack, lower) = (session.stack, lower)
        let top = rooted.last
        screens.isModal = stack.isPresenting
        screens.below = lower.map { screen(of: stack.watched($0), as: $0) }
        screens.page = top.flatMap { identity in page.map { screen(of: $0, as: identity) } }
        shown = (top.map(ObjectIdentifier.init), lower.map(ObjectIdentifier.init))
        let open = Set((stack.pages + [root].compactMap(\.self)).map(ObjectIdentifier.init))
        kept = kept.filter { open.contains($0.key) }
    }

    private func screen(of page: any Page, as identity: any Page) -> PageScreen {
        PageScreen(
            title: page.title, content: page.content, actions: page.actions.map(\.description),
            after: kept[ObjectIdentifier(identity)])
    }
}

/// A page without actions whose content stays as it is.
@MainActor
final class FixedPage: Page {
    let title: String
    let content: [PageElement]

    init(_ title: String, _ content: [PageElement]) { (self.title, self.content) = (title, content) }
}

/// The last lines that were written to standard output and standard error while screens were shown.
final class OutputLines: Sendable {
    private static let limit = 1_000
    private let state = Mutex((lines: [String](), open: ""))

    /// The lines, oldest first.
    var all: [String] { state.withLock { $0.lines + ($0.open.isEmpty ? [] : [$0.open]) } }

    /// Adds text, which may end within a line.
    ///
    /// - Returns: the last line that the text has completed.
    func add(_ text: String) -> String? {
        state.withLock { state in
            var lines = (state.open + text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            state.open = String((lines.popLast() ?? "").suffix(10_000))
            let full = lines.filter { !$0.isEmpty }
            state.lines = (state.lines + full).suffix(Self.limit)
            return full.last
        }
    }
}
