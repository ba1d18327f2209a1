import Registry

/// The generation of the registry with which a manager's activations were compared.
enum Comparison {
    /// No comparison is needed, because no bundle runs.
    case needless
    /// A comparison is due, because a bundle was started.
    case missing
    /// The generation of the last comparison; `nil` if there was no registry.
    case made(RegistryGeneration?)

    /// Returns whether the last comparison is valid for a generation of the registry.
    ///
    /// Writes by this process don't invalidate it, because the process itself cuts off what it replaces and removes.
    func holds(in now: RegistryGeneration?) -> Bool {
        switch (self, now) {
        case (.needless, _), (.made(nil), nil): true
        case (.made(let then?), let now?): !now.isOthersWork(since: then)
        case (.made, _), (.missing, _): false
        }
    }
}
