import PluginRuntime
import SystemLinks

/// The links that other processes of the app hand over while screens are shown.
@MainActor
final class ScreenLinks {
    private let call: HostCall
    private let onArrival: @MainActor (HandedLink) -> Void
    private var listener: LinkListener?
    private var waiting: [HandedLink] = []
    private var hasEnded = false

    /// Creates the receiver.
    ///
    /// - Parameter onArrival: called with each link, which ``next()`` then returns.
    init(_ call: HostCall, onArrival: @escaping @MainActor (HandedLink) -> Void) {
        (self.call, self.onArrival) = (call, onArrival)
    }

    /// Starts to receive links, unless another process of the app does. A sandbox that does not exist yet is tried at the next call.
    func listen() {
        guard !hasEnded, listener == nil, let listener = try? LinkListener.start(in: call.manager.sandbox) else {
            return
        }
        self.listener = listener
        Task { @MainActor [weak self] in
            for await link in listener.links { self?.add(link) }
        }
    }

    private func add(_ link: HandedLink) {
        if link.wasPassedOn { call.note(returned: link.uri) }
        waiting.append(link)
        onArrival(link)
    }

    /// Removes and returns the link that has waited longest.
    func next() -> HandedLink? { waiting.isEmpty ? nil : waiting.removeFirst() }

    func end() {
        hasEnded = true
        listener?.end()
        listener = nil
    }
}
