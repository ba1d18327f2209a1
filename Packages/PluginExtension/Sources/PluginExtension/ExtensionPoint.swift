public import PluginCore

/// A place in an app that accepts extensions: its identifier, the types of a request's input and output, and the limits of its extensions.
///
/// A host or a plugin declares a point as a constant; an extension names the constant in its code, so the compiler checks both sides.
///
/// ```swift
/// extension ExtensionPoints {
///     public static let payment = ExtensionPoint<Bill, Receipt>("com.example.app.shop.payment")
/// }
/// ```
public struct ExtensionPoint<Input: Codable & Sendable, Output: Codable & Sendable>: Sendable {
    /// The identifier: a reverse-domain name, or one word for a point of ``ExtensionPoints``.
    public let identifier: String
    /// The limits for the processes of the point's extensions.
    public let limits: ExtensionLimits

    /// Creates a point.
    public init(_ identifier: String, limits: ExtensionLimits = ExtensionLimits()) {
        self.identifier = identifier
        self.limits = limits
    }
}

/// The extension points that every host offers.
public enum ExtensionPoints {
    /// A widget, which is drawn among those of other bundles.
    public static let today = ExtensionPoint<WidgetRequest, WidgetContent>(
        "today", limits: ExtensionLimits(request: 5, idle: 30))
    /// A place to which the user sends the items of a request, such as a note with a link.
    public static let share = ExtensionPoint<NoValue, NoValue>("share")
    /// A change of the items of a request. The result contains the changed items.
    public static let action = ExtensionPoint<NoValue, NoValue>("action")
    /// An editor of a picture, which is the first attachment of the request's first item and of the result's.
    public static let photoEditing = ExtensionPoint<PhotoEdit, PhotoEdit>(
        "photo-editing", limits: ExtensionLimits(request: 120, memory: 512 << 20))
    /// A source of documents. A fetched document is the only attachment of the result.
    public static let documentProvider = ExtensionPoint<DocumentRequest, DocumentReply>(
        "document-provider", limits: ExtensionLimits(request: 60, idle: 10))
    /// A keyboard, which turns the keys that the user presses in a text field into changes of its text.
    public static let keyboard = ExtensionPoint<KeyPress, TextChange>(
        "keyboard", limits: ExtensionLimits(request: 2, idle: 120, memory: 64 << 20))
}

extension ExtensionPoint {
    /// The point without the types of its requests.
    public var declaration: ExtensionPointDeclaration {
        ExtensionPointDeclaration(identifier: identifier, limits: limits)
    }
}

extension ExtensionPoints {
    /// The declarations of the points that every host offers.
    public static let standard: [ExtensionPointDeclaration] = [
        today.declaration, share.declaration, action.declaration, photoEditing.declaration,
        documentProvider.declaration, keyboard.declaration,
    ]
}

extension DeclarationBuilder {
    /// Takes one point.
    public static func buildExpression<Input, Output>(
        _ point: ExtensionPoint<Input, Output>
    ) -> ExtensionPointDeclaration { point.declaration }
}
