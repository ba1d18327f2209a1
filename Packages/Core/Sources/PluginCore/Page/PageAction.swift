/// An action that the user can perform on a page, with the code that performs it.
///
/// ```swift
/// final class OrderPage: Page {
///     let title = "Order", content: [PageElement] = []
///     let context: BundleContext
///
///     init(_ context: BundleContext) { self.context = context }
///
///     struct Order: Codable { var name = "" }
///
///     var actions: [PageAction] {
///         PageAction("home", title: "Home") { _ in try await context.open(ShopRoutes.home) }
///         PageAction("order", title: "Order", input: Order(), fields: [PageField("name", label: "Name")]) { order, navigator in
///             navigator.show(notice: "Ordered for \(order.name)")
///         }
///     }
/// }
/// ```
///
/// The code never leaves the page: what hosts, layouts and other processes see is the ``description``, and only the page itself runs the code,
/// by ``Page/perform(_:input:on:)``.
public struct PageAction: Sendable {
    /// The identifier, title and fields of an action, without its code.
    public struct Description: Hashable, Codable, Sendable {
        /// The identifier, which is the same in all languages.
        public let identifier: String
        /// The title that the user reads.
        public let title: String
        /// The fields that the user fills in first, usually none.
        public let fields: [PageField]
        /// The fault of the declaration, for the tools that check plugins, or nil.
        public let problem: String?

        /// Creates the description of an action.
        public init(_ identifier: String, title: String, fields: [PageField] = []) {
            self.init(identifier, title, fields, problem: nil)
        }

        fileprivate init(_ identifier: String, _ title: String, _ fields: [PageField], problem: String?) {
            (self.identifier, self.title, self.fields, self.problem) = (identifier, title, fields, problem)
        }

        /// Returns the input for the page: the entered text of each field in its final form, and the initial text of fields without one.
        ///
        /// Texts of other names are passed on as they are.
        ///
        /// - Throws: The errors of ``PageField/value(of:)``.
        public func input(from texts: [String: String]) throws(AtriumError) -> [String: String] {
            var input = texts
            for field in fields { input[field.name] = try field.value(of: texts[field.name] ?? field.initial) }
            return input
        }
    }

    /// The part of the action that a host shows.
    public let description: Description
    /// The code, which gets the accepted texts of the fields.
    let perform: @MainActor @Sendable ([String: String], any Navigator) async throws -> Void

    /// The identifier, which is the same in all languages.
    public var identifier: String { description.identifier }

    /// Creates an action without input.
    ///
    /// The code captures the page strongly, without `self.`. A page computes its actions each time, because it would keep itself in memory
    /// by storing them.
    public init(
        _ identifier: String, title: String,
        @_implicitSelfCapture _ body: @escaping @MainActor @Sendable (any Navigator) async throws -> Void
    ) {
        description = Description(identifier, title: title)
        perform = { _, navigator in try await body(navigator) }
    }

    /// Creates an action whose input is decoded into a structure.
    ///
    /// Each property is a field that begins with the property's value, and a `Bool` is a toggle. A property that is `nil` is a field only if
    /// `fields` names it. An empty text is `nil` for an optional property.
    ///
    /// - Parameters:
    ///   - identifier: The identifier, which is the same in all languages.
    ///   - title: The title that the user reads.
    ///   - initial: The initial values. Values of properties are those that the input of a ``RouteContract`` may have, except lists.
    ///   - fields: The labels, choices and limits of the properties, by name and in the order in which they are shown. A property without one
    ///     follows, with its name as label.
    ///   - body: The code, which gets the entered values.
    public init<Input: Codable & Sendable>(
        _ identifier: String, title: String, input initial: Input, fields: [PageField] = [],
        @_implicitSelfCapture _ body: @escaping @MainActor @Sendable (Input, any Navigator) async throws -> Void
    ) {
        let form = PageForm(initial, fields)
        description = Description(identifier, title, form.fields, problem: form.problem)
        perform = { texts, navigator in try await body(form.input(from: texts), navigator) }
    }

    /// Creates an action from its description.
    ///
    /// - Parameter body: The code, which gets the accepted texts of the fields, or nil if the page has a ``Page/perform(_:input:on:)`` of its
    ///   own.
    public init(
        _ description: Description,
        _ body: (@MainActor @Sendable ([String: String], any Navigator) async throws -> Void)? = nil
    ) {
        self.description = description
        perform = body ?? { _, _ in throw AtriumError(.pageActionUnknown, description.identifier) }
    }
}

/// The actions of a page as a list of declarations, with conditions and loops.
@resultBuilder
public enum PageActionBuilder {
    /// One action.
    public static func buildExpression(_ action: PageAction) -> [PageAction] { [action] }
    /// The actions of a list.
    public static func buildExpression(_ actions: [PageAction]) -> [PageAction] { actions }
    /// The actions of several declarations.
    public static func buildBlock(_ actions: [PageAction]...) -> [PageAction] { Array(actions.joined()) }
    /// The actions of a condition that holds, or none.
    public static func buildOptional(_ actions: [PageAction]?) -> [PageAction] { actions ?? [] }
    /// The actions of a first branch.
    public static func buildEither(first actions: [PageAction]) -> [PageAction] { actions }
    /// The actions of a second branch.
    public static func buildEither(second actions: [PageAction]) -> [PageAction] { actions }
    /// The actions of a loop.
    public static func buildArray(_ actions: [[PageAction]]) -> [PageAction] { Array(actions.joined()) }
}
