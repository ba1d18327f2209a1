import PluginCore

/// A limit of an extension's process that a manifest can set.
enum LimitField: String, CaseIterable {
    case start
    case request
    case end
    case idle
    case memory
    case fileSize
    case openFiles

    /// The smallest and the largest value of the format: seconds, bytes, or a number of files.
    var range: ClosedRange<Double> {
        switch self {
        case .start, .end: 0.1...60
        case .request: 0.1...3600
        case .idle: 0...3600
        case .memory: 1_048_576...1_099_511_627_776
        case .fileSize: 0...1_099_511_627_776
        case .openFiles: 1...65_536
        }
    }

    func value(in limits: LoweredLimits) -> Double? {
        switch self {
        case .start: limits.start
        case .request: limits.request
        case .end: limits.end
        case .idle: limits.idle
        case .memory: limits.memory.map(Double.init)
        case .fileSize: limits.fileSize.map(Double.init)
        case .openFiles: limits.openFiles.map(Double.init)
        }
    }

    func value(in limits: ExtensionLimits) -> Double {
        switch self {
        case .start: limits.start
        case .request: limits.request
        case .end: limits.end
        case .idle: limits.idle
        case .memory: Double(limits.memory)
        case .fileSize: Double(limits.fileSize)
        case .openFiles: Double(limits.openFiles)
        }
    }

    /// Returns a value as a manifest contains it.
    func text(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}

extension ManifestFields {
    /// Reads the field `limits`, which may be missing.
    mutating func limits() -> LoweredLimits {
        let limits: LimitsDraft? = optional("limits", of: "objectExpected")
        return limits?.values ?? LoweredLimits()
    }

    private struct LimitsDraft: Decodable {
        let values: LoweredLimits

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            values = LoweredLimits(
                start: fields.optional("start"), request: fields.optional("request"), end: fields.optional("end"),
                idle: fields.optional("idle"), memory: fields.optional("memory"),
                fileSize: fields.optional("fileSize"), openFiles: fields.optional("openFiles"))
            fields.reportUnknown()
        }
    }
}

extension LoweredLimits {
    /// Creates the limits in which a point differs from the defaults.
    init(_ limits: ExtensionLimits) {
        let standard = ExtensionLimits()
        func changed<Value: Equatable>(_ limit: KeyPath<ExtensionLimits, Value>) -> Value? {
            limits[keyPath: limit] == standard[keyPath: limit] ? nil : limits[keyPath: limit]
        }
        self.init(
            start: changed(\.start), request: changed(\.request), end: changed(\.end), idle: changed(\.idle),
            memory: changed(\.memory), fileSize: changed(\.fileSize), openFiles: changed(\.openFiles))
    }

    /// A Boolean value that indicates whether no limit is set.
    var isEmpty: Bool { self == LoweredLimits() }
}

extension ExtensionLimits {
    /// Creates the limits of a point from those that its declaration contains; the others have their defaults.
    init(_ declared: LoweredLimits) {
        let standard = ExtensionLimits()
        self.init(
            start: declared.start ?? standard.start, request: declared.request ?? standard.request,
            end: declared.end ?? standard.end, idle: declared.idle ?? standard.idle,
            memory: declared.memory ?? standard.memory, fileSize: declared.fileSize ?? standard.fileSize,
            openFiles: declared.openFiles ?? standard.openFiles)
    }
}
