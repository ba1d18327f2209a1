/// An event that a plugin posts, as its code declares it.
public struct EventDeclaration: Hashable, Sendable, Codable {
    /// The name.
    public let name: String
    /// The type of the payload, as Swift spells it.
    public let payload: String

    /// Creates a declaration.
    public init(name: String, payload: String) {
        self.name = name
        self.payload = payload
    }
}

extension Event {
    /// The event as a plugin declares it.
    public var declaration: EventDeclaration { EventDeclaration(name: name, payload: "\(Payload.self)") }
}
