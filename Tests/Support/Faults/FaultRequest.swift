import PluginCore
import PluginTestKit
import FaultInjection

/// The parsed options of Scripts/faults.
struct FaultRequest {
    private var build = FilePath("build")
    private var operations: [String] = []
    private var faults = Fault.allCases
    private var packages: [String] = []
    private var raised: FilePath?
    private var every = 1
    private var seed: UInt64 = 0
    private var jobs = 2
    private var point: FaultPoint?
    private var keep: FilePath?
    private var folder: FilePath?

    init(_ words: [String]) throws {
        var rest = words[...]
        func value(_ option: String) throws -> String {
            guard let value = rest.popFirst() else { throw FixtureError("option \(option) needs a value") }
            return value
        }
        func number<N: FixedWidthInteger>(_ option: String) throws -> N {
            let text = try value(option)
            guard let number = N(text), option == "--seed" || number > 0 else {
                throw FixtureError("\(option) cannot be \"\(text)\"; give a whole number")
            }
            return number
        }
        while let option = rest.popFirst() {
            switch option {
            case "--build": build = FilePath(try value(option))
            case "--operation": operations = try value(option).split(separator: ",").map(String.init)
            case "--fault":
                faults = try value(option).split(separator: ",").map { name in
                    guard let fault = Fault(rawValue: String(name)) else {
                        let known = Fault.allCases.map(\.rawValue).joined(separator: ", ")
                        throw FixtureError("there is no fault \"\(name)\"; there are \(known)")
                    }
                    return fault
                }
            case "--package": packages.append(try value(option))
            case "--raised": raised = FilePath(try value(option))
            case "--every": every = try number(option)
            case "--seed": seed = try number(option)
            case "--jobs": jobs = try number(option)
            case "--point":
                let text = try value(option)
                guard let found = FaultPoint(text) else {
                    throw FixtureError("\"\(text)\" is no point; give the call and its number, such as openat:57")
                }
                point = found
            case "--keep": keep = FilePath(try value(option))
            case "--in": folder = FilePath(try value(option))
            default: throw FixtureError("unknown option \(option)")
            }
        }
    }

    /// Runs the requested tests and prints the report; returns whether every chosen point was tested without a violation.
    func run() async throws -> Bool {
        let host = HostApp(build: build)
        let isPublished = operations.isEmpty || !Set(operations).isDisjoint(with: ["download", "refresh"])
        let offer = try await Offer(host: host, packages: packages, raised: raised, publishing: isPublished)
        var harness = try await FaultHarness(host: host, catalog: offer.catalog.folder, in: folder)
        if let site = offer.site { harness.invariants.append(.downloadsAreWhole(digests: site.digests)) }
        harness.every = every
        harness.seed = seed
        harness.jobs = jobs
        let report = try await harness.run(
            try chosen(from: offer.operations), faults: faults, only: point.map { [$0] }, keeping: keep
        ) { operation, done, total in
            guard done.isMultiple(of: 100) else { return }
            remark("\(operation): \(done) of \(total)")
        }
        if every > 1 { print("one point in \(every), seed \(seed)") }
        print(report.text { command(operation: $0, $1) }, terminator: "")
        return report.violations.isEmpty && report.missed.isEmpty
    }

    private func chosen(from all: [FaultOperation]) throws -> [FaultOperation] {
        guard !operations.isEmpty else { return all }
        return try operations.map { name in
            guard let operation = all.first(where: { $0.name == name }) else {
                let known = all.map(\.name).joined(separator: ", ")
                throw FixtureError("there is no operation \"\(name)\"; there are \(known)")
            }
            return operation
        }
    }

    /// Returns the command that reproduces a violation.
    private func command(operation: String, _ outcome: FaultOutcome) -> String {
        let options = [
            "--operation", operation, "--fault", outcome.fault.rawValue, "--point", outcome.point.description,
        ]
        return (["Scripts/faults"] + options + packages.flatMap { ["--package", $0] }).joined(separator: " ")
    }
}
