/// A list of bindings, as a result builder creates it.
public protocol BindingSet<Binding>: Sendable {
    /// A contract together with the closure that fulfills it.
    associatedtype Binding: Sendable

    /// The bindings, in the order of the source.
    var bindings: [Binding] { get }
}

/// The routes of a plugin, by the type of its principal object.
public typealias RouteSet<Bundle: AnyObject & Sendable> = BindingSet<RouteBinding<Bundle>>

/// The actions of a plugin's targets, by the type of its principal object.
public typealias TargetSet<Bundle: AnyObject & Sendable> = BindingSet<ActionBinding<Bundle>>

/// The services of a plugin, by the type of its principal object.
public typealias ServiceSet<Bundle: AnyObject & Sendable> = BindingSet<ServiceBinding<Bundle>>

/// The bindings that a result builder has collected.
public struct BindingList<Binding: Sendable>: BindingSet {
    /// The bindings, in the order of the source.
    public let bindings: [Binding]

    init(_ bindings: [Binding]) {
        self.bindings = bindings
    }
}

/// Builds the routes, targets and services of a plugin from one binding per line.
@resultBuilder
public enum BindingBuilder<Binding: Sendable> {
    /// Takes one binding.
    public static func buildExpression(_ binding: Binding) -> [Binding] { [binding] }

    /// Joins the lines of a block.
    public static func buildBlock(_ lines: [Binding]...) -> [Binding] { joined(lines) }

    /// Takes the bindings of an `if` without `else`.
    public static func buildOptional(_ bindings: [Binding]?) -> [Binding] { bindings ?? [] }

    /// Takes the bindings of the first branch.
    public static func buildEither(first bindings: [Binding]) -> [Binding] { bindings }

    /// Takes the bindings of the second branch.
    public static func buildEither(second bindings: [Binding]) -> [Binding] { bindings }

    /// Joins the bindings of a loop.
    public static func buildArray(_ rounds: [[Binding]]) -> [Binding] { joined(rounds) }

    private static func joined(_ lists: [[Binding]]) -> [Binding] {
        var bindings: [Binding] = []
        for list in lists.indices { lists[list].forEachBinding { bindings.append($0) } }
        return bindings
    }

    /// Returns the finished list.
    public static func buildFinalResult(_ bindings: [Binding]) -> BindingList<Binding> { BindingList(bindings) }
}

extension Array {
    /// Calls a closure with each element, like `forEach`.
    ///
    /// At the first use of a `Sequence` algorithm with a type of a plugin, the Swift runtime searches the conformances of all loaded images.
    /// That takes longer than the rest of a plugin's start.
    func forEachBinding(_ body: (Element) -> Void) {
        for index in indices { body(self[index]) }
    }

    /// Returns the first element that satisfies a condition, in the same way.
    func firstBinding(where isMeant: (Element) -> Bool) -> Element? {
        for index in indices where isMeant(self[index]) { return self[index] }
        return nil
    }
}

/// Builds the list of a plugin's events from one event per line.
@resultBuilder
public enum EventBuilder {
    /// Takes one event.
    public static func buildExpression<Payload>(_ event: Event<Payload>) -> EventDeclaration { event.declaration }

    /// Joins the lines.
    public static func buildBlock(_ events: EventDeclaration...) -> [EventDeclaration] { events }
}

/// Builds the list of a plugin's extension points from one point per line.
@resultBuilder
public enum ExtensionPointBuilder {
    /// Takes one point.
    public static func buildExpression<Input, Output>(
        _ point: ExtensionPoint<Input, Output>
    ) -> ExtensionPointDeclaration { point.declaration }

    /// Joins the lines.
    public static func buildBlock(_ points: ExtensionPointDeclaration...) -> [ExtensionPointDeclaration] { points }
}
