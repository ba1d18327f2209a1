import Console
import PluginCore
import PluginRouter
import Synchronization

/// A stack of pages that nobody sees. Presented pages are drawn and left at once.
@MainActor
final class ValidationNavigator: Navigator {
    private(set) var pages: [any Page] = []
    /// Draws a page.
    var draw: @MainActor (any Page) -> Void = { _ in }

    func push(_ page: any Page) {
        pages.append(page)
        draw(page)
    }

    func pop() { _ = pages.popLast() }

    func present(_ page: any Page) async -> (any Sendable)? {
        draw(page)
        page.didClose()
        return nil
    }

    func dismiss(returning value: (any Sendable)?) {}

    func show(notice: String) {}

    /// Adds a page that was opened without the stack, so that its version counts as in use.
    func keep(_ page: any Page) { pages.append(page) }

    /// Removes the pages above a number of them, and informs each.
    func close(downTo count: Int = 0) {
        while pages.count > count { pages.removeLast().didClose() }
    }
}

/// The messages about a bundle that a host would log.
final class ValidationLog: Sendable {
    private let entries = Mutex<[(bundle: String, reason: ErrorReason)]>([])

    func add(_ bundle: String, _ reason: ErrorReason) { entries.withLock { $0.append((bundle, reason)) } }

    /// Returns the messages about a bundle's end that came too late or not at all.
    func lateEnds(of bundle: BundleIdentifier) -> [String] {
        reasons(of: bundle).filter { ["unloadedDuringCalls", "unloadedEarly"].contains($0.name) }.map(\.sentence)
    }

    /// Returns the errors of an extension's process that nobody waited for.
    func errors(ofExtension identifier: BundleIdentifier) -> [String] {
        reasons(of: identifier).filter { $0.values["code"] != nil }.map(\.sentence)
    }

    /// Returns the messages about texts that are missing in the user's language, or that cannot be read.
    func textProblems(of bundle: BundleIdentifier) -> [String] {
        reasons(of: bundle).filter { reason in
            if reason.name == "textsNotShown" { return true }
            guard reason.name == "verbatim", case .text(let text) = reason.values["text"] else { return false }
            return text.hasPrefix("\"") && text.contains("\" has no text: ")
        }.map(\.sentence)
    }

    private func reasons(of bundle: BundleIdentifier) -> [ErrorReason] {
        entries.withLock { $0 }.filter { $0.bundle == bundle.text }.map(\.reason)
    }
}

/// The routes of installed bundles without their guards, so that a guard that nobody answers does not hide a page.
struct UnguardedRoutes: RouteDirectory {
    let declared: any RouteDirectory

    func routes(withFirstSegments firstSegments: [String]) async throws -> [Route] {
        try await declared.routes(withFirstSegments: firstSegments).map { route in
            Route(
                pattern: route.pattern, kind: route.kind, owner: route.owner, service: route.service,
                parameters: route.parameters, priority: route.priority, exposure: route.exposure,
                deadline: route.deadline, mayDecline: route.mayDecline)
        }
    }

    func patterns() async throws -> [String] { try await declared.patterns() }

    func isSameTeam(_ owner: String, _ other: String) async throws -> Bool {
        try await declared.isSameTeam(owner, other)
    }
}
