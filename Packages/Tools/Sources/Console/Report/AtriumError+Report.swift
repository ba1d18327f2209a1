public import PluginCore

extension AtriumError: ReportableError {
    /// How many of the nearest are offered.
    private static let offered = 3

    /// The failure in words: a sentence that quotes the subject, gives the detail and offers the nearest; who must do
    /// what; and every single problem as a detail.
    ///
    /// ```swift
    /// AtriumError(.routeUnknown, "app://shp/cart", nearest: ["app://shop/cart"]).report.message
    /// // no plugin handles "app://shp/cart"; did you mean "app://shop/cart"?
    /// ```
    public var report: FailureReport {
        let row = FailureRow.row(of: code)
        var message = row.sentence(about: subject)
        if !detail.isEmpty { message += ": \(shortened(detail))" }
        if let offer { message += "; did you mean \(offer)?" }
        return FailureReport(
            code: code.name, subject: subject, message: message, remedy: row.remedy(self), details: problems)
    }

    /// What a program that this error ended tells its caller; ``ExitStatus/software`` for a code that Core does not name.
    public var exitStatus: ExitStatus { FailureRow.row(of: code).status }

    private var offer: String? {
        let words = nearest.prefix(Self.offered).map { quoted($0) }
        guard let last = words.last else { return nil }
        return words.count == 1 ? last : words.dropLast().joined(separator: ", ") + " or " + last
    }
}
