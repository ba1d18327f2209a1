import PluginCore

/// A navigator that shows nothing.
@MainActor
final class NoPages: Navigator {
    let pages: [any Page] = []
    func push(_ page: any Page) {}
    func pop() {}
    func present(_ page: any Page) async -> (any Sendable)? { nil }
    func dismiss(returning value: (any Sendable)?) {}
    func show(notice: String) {}
}
