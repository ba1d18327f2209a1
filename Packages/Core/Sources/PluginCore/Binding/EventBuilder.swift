/// Builds the list of a plugin's events from one event per line.
@resultBuilder
public enum EventBuilder {
    /// Takes one event.
    public static func buildExpression<Payload>(_ event: Event<Payload>) -> EventDeclaration { event.declaration }

    /// Joins the lines.
    public static func buildBlock(_ events: EventDeclaration...) -> [EventDeclaration] { events }
}
