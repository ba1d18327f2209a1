import PluginCore
import PluginRouter

/// How versions come to their end.
extension BundleManager {
    /// The bundles whose end the task is part of, so that what a bundle does on its way out does not wait for itself.
    @TaskLocal private static var ending: Set<String> = []

    /// Has a bundle that was cut off come to its end, without waiting for it.
    func comeToEnd(_ activation: Activation, _ why: BundleState.Retirement) {
        let (identifier, number) = (activation.bundle.identity.identifier, endingCount)
        endingCount += 1
        let task = Task {
            await Self.$ending.withValue(Self.ending.union([identifier])) {
                await windDown(activation, why)
            }
            endings[number] = nil
        }
        endings[number] = (identifier, task)
    }

    /// Returns when all that came to an end of a bundle has done so, but for its pages.
    func ended(_ identifier: String) async {
        if Self.ending.contains(identifier) { return }
        for ending in endings.values where ending.identifier == identifier { await ending.task.value }
    }

    /// Retires each version whose last page has gone.
    ///
    /// A page that is not shown any more and still lives does something yet, or is kept by who has forgotten it: it has as much
    /// time as calls in flight have.
    func retireReplaced() async {
        guard !replaced.isEmpty, let navigator = connection?.navigator else { return }
        let shown = await navigator.pages
        for index in replaced.indices.reversed() {
            let version = replaced[index]
            let others = (activations.values.map(\.lease) + replaced.map(\.lease)).filter { $0 != version.lease }
            let own = version.own(shown, besides: others)
            for page in own { version.lease.pages.add(page) }
            if !own.isEmpty {
                version.deadline?.cancel()
                replaced[index].deadline = nil
            } else if version.lease.pages.isEmpty {
                end(replaced.remove(at: index))
            } else if version.deadline == nil {
                replaced[index].deadline = deadline(of: version.lease)
            }
        }
    }

    private func deadline(of lease: Lease) -> Task<Void, Never> {
        Task { [drainDeadline, weak self] in
            guard (try? await Task.sleep(for: drainDeadline)) != nil else { return }
            await self?.retireReplaced()
            // By now it may be shown again.
            if !Task.isCancelled { await self?.endReplaced(lease) }
        }
    }

    private func endReplaced(_ lease: Lease) {
        guard let version = replaced.first(where: { $0.lease == lease }) else { return }
        end(version)
    }

    /// Retires all replaced versions of a bundle that has gone.
    func endReplaced(_ identifier: String) {
        for version in replaced where version.bundle.identity.identifier == identifier { end(version) }
    }

    /// Retires a version, whatever it has open.
    func end(_ version: ReplacedVersion) {
        replaced.removeAll { $0.lease == version.lease }
        var version = version
        version.retire()
        letGo(version.bundle)
    }
}
