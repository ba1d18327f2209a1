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
