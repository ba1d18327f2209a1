package import Console

/// A web page in one file, which needs no network and runs no code but its own.
///
/// ```swift
/// let page = WebPage(title: "Graph", styles: [style], script: script, data: graph.json, body: "<svg>...</svg>")
/// ```
package struct WebPage: Sendable {
    /// The title, as plain text.
    package let title: String
    /// The style sheets, also those of SVG elements in the body.
    package let styles: [InlineCode]
    /// The style sheets that elements of the body contain.
    package let bodyStyles: [InlineCode]
    /// The script, which runs when the body is complete.
    package let script: InlineCode
    /// The document that the script reads from the element with the identifier `data`.
    package let data: JSONText
    /// The content of the body, as HTML.
    package let body: String

    package init(
        title: String, styles: [InlineCode], bodyStyles: [InlineCode] = [], script: InlineCode, data: JSONText,
        body: String
    ) {
        self.title = title
        self.styles = styles
        self.bodyStyles = bodyStyles
        self.script = script
        self.data = data
        self.body = body
    }

    /// The page as HTML.
    package var html: String {
        let hashes = (styles + bodyStyles).map { "'sha256-\($0.hash)'" }.joined(separator: " ")
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \(hashes); script-src 'sha256-\(script.hash)'; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(MarkupText.escaped(title))</title>
            \(styles.map { "<style>\($0.text)</style>" }.joined(separator: "\n"))
            </head>
            <body>
            \(body)
            <script type="application/json" id="data">\(MarkupText.data(data))</script>
            <script>\(script.text)</script>
            </body>
            </html>

            """
    }
}
