import PluginRuntime
import PluginRouter
import AppScreens
import Console
import PluginCore

/// The effects of the commands that screens give.
extension ScreenSession {
    func perform(_ command: ScreenCommand) {
        switch command {
        case .quit: quit()
        case .interrupt: interrupt()
        case .answer(let isYes): questions.popLast()?.yield(isYes)
        case .perform(let action, let input, let isInList):
            guard let page = isInList ? book.list : book.page else { return }
            let shown = (isInList ? screens.below : screens.page)?.actions.first { $0.identifier == action }
            step(shown?.title ?? action) { own in
                if isInList { _ = try await own.session.back() }
                try await own.tell(own.session.perform(action, input: input, of: page))
            }
        case .back: back()
        case .selectTab(let tab): select(tab)
        case .openAddress(let text):
            closeStore()
            step(localized("Opening \(text)")) { try await $0.tell($0.session.open(ResourceURI(text))) }
        case .showMessages:
            let lines = output.all.isEmpty ? [localized("No plugin has written anything.")] : output.all
            session.stack.push(FixedPage(localized("Messages"), lines.map { .text($0) }))
            refresh()
        case .showWidgets: showWidgets()
        case .showStore:
            screens.isStoreShown = true
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

    func quit() {
        hasEnded = true
        end?.resume()
        end = nil
    }

    func interrupt() {
        guard !steps.isEmpty else { return quit() }
        for step in steps { step.task.cancel() }
        screens.notice = localized("Interrupted")
        setNeedsDraw()
    }

    func back() {
        let stack = session.stack
        guard !stack.isPresenting, stack.stacked.count <= (stack.beside.isEmpty ? 1 : 0) else {
            return step(localized("Going back")) { try await $0.tell($0.session.back()) }
        }
        screens.notice = localized("This is the first page; q quits")
    }

    private func closeStore() {
        screens.isStoreShown = false
        screens.details = nil
        if screens.page == nil { screens.notice = hostText("noPage") }
        refresh()
    }

    // MARK: Tabs

    private func select(_ tab: Int) {
        let addresses = composed.tabs
        guard addresses.indices.contains(tab) else { return }
        step(localized("Opening \(addresses[tab])")) { own in
            if !own.session.stack.stacked.isEmpty { try await own.session.backToRoot() }
            own.screens.tab = tab
            if own.tabPages[tab] == nil {
                own.book.root = nil
                let page = try await own.call.manager.router.routing(for: own.call.origin).page(for: addresses[tab])
                // Another press may have opened the same tab.
                if own.tabPages[tab] == nil { own.tabPages[tab] = page } else { page.didClose() }
            }
            own.session.stack.beside = own.tabPages.sorted { $0.key < $1.key }.map(\.value)
            if own.screens.tab == tab { own.book.root = own.tabPages[tab] }
        }
    }

    func closeTabs() {
        session.stack.beside = []
        for page in tabPages.values { session.stack.watched(page).didClose() }
        tabPages = [:]
    }
}
