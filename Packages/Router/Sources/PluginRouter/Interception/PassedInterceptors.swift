/// An interceptor with its scope and its owner.
struct ApplicableInterceptor {
    let interceptor: InterceptorKind
    fileprivate let key: Key

    fileprivate struct Key: Hashable {
        let name: String
        let place: InterceptorTable.Place
        let owner: String
    }

    init(_ interceptor: InterceptorKind, at place: InterceptorTable.Place, of owner: String) {
        self.interceptor = interceptor
        key = Key(name: interceptor.name, place: place, owner: owner)
    }

    /// The name for lists and errors.
    var name: String { interceptor.name }
}

/// The interceptors that have allowed a request, so that after a suspension only the others are asked.
///
/// Interceptors with the same name, scope and owner count as the same one, even if an update has replaced the value.
struct PassedInterceptors {
    /// The number of interceptors per key, because several may have the same name.
    private var counts: [ApplicableInterceptor.Key: Int] = [:]

    mutating func insert(_ interceptor: ApplicableInterceptor) { counts[interceptor.key, default: 0] += 1 }

    /// Returns the interceptors that have not been asked, in order.
    func missing(among interceptors: [ApplicableInterceptor]) -> [ApplicableInterceptor] {
        if counts.isEmpty { return interceptors }
        var left = counts
        return interceptors.filter { interceptor in
            guard let count = left[interceptor.key], count > 0 else { return true }
            left[interceptor.key] = count - 1
            return false
        }
    }
}
