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

/// The type of an extension's principal object, which declares its extension point and starts the extension.
public struct ExtensionType: Sendable {
    private let declared: @MainActor @Sendable () -> (point: String, limits: ExtensionLimits)
    private let started: @MainActor @Sendable (ExtensionEnvironment) async throws -> ExtensionPrincipal

    /// Creates a description of a class.
    public init<Extension: ExtensionDelegate>(_ type: Extension.Type) {
        declared = { (Extension.point.identifier, Extension.point.limits) }
        started = { ExtensionPrincipal(try await Extension(environment: $0)) }
    }

    /// The identifier of the extension point.
    @MainActor
    public var point: String { declared().point }

    /// The limits of the extension point.
    @MainActor
    public var limits: ExtensionLimits { declared().limits }

    /// Creates the principal object.
    ///
    /// - Throws: The errors of the object's `init`.
    @MainActor
    public func start(_ environment: ExtensionEnvironment) async throws -> ExtensionPrincipal {
        try await started(environment)
    }
}

/// The principal object of a started extension, as the process that runs it calls it.
public struct ExtensionPrincipal: Sendable {
    private let beginBody:
        @MainActor @Sendable (CodedValue, [ExtensionItem], any ExtensionRequestHost) async throws -> Void
    private let endBody: @MainActor @Sendable () async -> Void

    /// Creates the principal of an extension's object. Tests of extensions call this.
    @MainActor
    public init<Extension: ExtensionDelegate>(_ object: Extension) {
        beginBody = { input, items, host in
            let input = try input.value(as: Extension.Input.self)
            try await object.beginRequest(input, in: ExtensionContext(items: items, host: host))
        }
        endBody = { await object.extensionWillEnd() }
    }

    /// Handles a request. The result arrives at the host's side of the request, now or later.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` for an input that is not the extension point's, and the errors of the extension.
    @MainActor
    public func beginRequest(
        _ input: CodedValue, items: [ExtensionItem], host: any ExtensionRequestHost
    ) async throws {
        try await beginBody(input, items, host)
    }

    /// Prepares the extension for the end of its process.
    @MainActor
    public func extensionWillEnd() async { await endBody() }
}
