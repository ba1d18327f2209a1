import BundleFormat
import HostSystem
import PluginCore

extension ActivationRule {
    /// A rule for the authors of a text.
    private static let example = #"{"text": true, "images": {"max": 3}}"#

    /// Reads a rule from the text of a JSON object.
    ///
    /// - Throws: ``AtriumError`` with code `activationInvalid`, and all problems with their keys. A text, such as a predicate from an
    ///   `Info.plist` of Apple's systems, is one.
    init(_ text: String) throws(AtriumError) {
        let problems = ManifestProblems()
        guard let rule = ActivationRule(text, at: "activation", problems) else {
            throw AtriumError(.activationInvalid, "activation", problems: problems.all)
        }
        self = rule
    }

    /// Reads a rule from a field of a manifest, or adds all of its problems to the manifest's.
    init?(_ text: String, at place: String, _ problems: ManifestProblems) {
        let kinds = AttachmentKind.allCases.map(\.rawValue)
        var isValid = true
        func report(_ key: String?, _ problem: ErrorReason) {
            isValid = false
            problems.add(key.map { "\(place).\($0)" } ?? place, problem)
        }
        func reportUnknown(_ keys: some Collection<String>, _ known: [String], in parent: String = "") {
            for key in keys.sorted() where !known.contains(key) {
                let nearest = problems.isFull ? nil : Nearest.words(to: key, in: known).first
                report(parent + key, .unknownField(nearest: nearest))
            }
        }
        func count(_ value: ManifestJSON?, _ key: String) -> Int? {
            guard let value else { return nil }
            if case .integer(let number) = value, number >= 0 { return number }
            report(key, ErrorReason("countExpected"))
            return nil
        }

        let values: [String: ManifestJSON]
        do {
            values = try StrictJSON.decode([String: ManifestJSON].self, from: Array(text.utf8))
        } catch {
            let isText = (try? StrictJSON.decode(String.self, from: Array(text.utf8))) != nil
            report(
                nil,
                isText
                    ? ErrorReason("activationText", ["example": .text(Self.example), "kinds": .list(kinds)])
                    : .finding(error))
            return nil
        }
        func limits(_ key: String, _ names: [String]) -> [String: Int] {
            guard let value = values[key] else { return [:] }
            guard case .object(let limits) = value, !limits.isEmpty else {
                report(key, ErrorReason("limitsExpected", ["names": .list(names)]))
                return [:]
            }
            reportUnknown(limits.keys, names, in: "\(key).")
            return names.reduce(into: [:]) { $0[$1] = count(limits[$1], "\(key).\($1)") }
        }
        func flag(_ key: String) -> Bool {
            guard let value = values[key] else { return false }
            if case .flag(let flag) = value { return flag }
            report(key, ErrorReason("boolExpected"))
            return false
        }

        var maximums: [AttachmentKind: Int] = [:]
        if flag("text") { maximums[.text] = .max }
        for kind in AttachmentKind.allCases where kind != .text {
            if let most = limits(kind.rawValue, ["max"])["max"], most > 0 { maximums[kind] = most }
        }
        self.maximums = maximums
        let attachments = limits("attachments", ["min", "max"])
        (minimum, maximum) = (attachments["min"], attachments["max"])
        if let minimum, let maximum, minimum > maximum {
            report(
                "attachments",
                ErrorReason("minimumAboveMaximum", ["min": .integer(minimum), "max": .integer(maximum)]))
        }
        version = count(values["version"], "version") ?? 1
        if ![1, 2].contains(version) { report("version", ErrorReason("oneOfExpected", ["known": ["1", "2"]])) }
        usesStrictMatching = flag("strictMatching")
        reportUnknown(values.keys, kinds + ["attachments", "version", "strictMatching"])
        if isValid, maximums.isEmpty { report(nil, ErrorReason("kindMissing", ["kinds": .list(kinds)])) }
        guard isValid else { return nil }
    }
}
