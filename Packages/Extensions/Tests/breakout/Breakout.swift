internal import CBreakout
internal import Confinement
internal import ConfinementReporting
internal import PluginCore

/// The program of the confinement's tests: it confines itself, and then tries to break out.
///
/// Arguments after the command are `name=value`. The output is lines of words.
@main
enum Breakout {
    static func main() throws {
        let arguments = Arguments(CommandLine.arguments.dropFirst())
        switch arguments.command {
        case "list": list()
        case "run": run(arguments)
        case "fetch": fetch(arguments)
        case "work": try Work.run(arguments)
        case "host": serveAsHost()
        case "parent": startChild(arguments)
        default: confine(arguments)
        }
    }

    /// Prints the table of attempts.
    private static func list() {
        var index: Int32 = 0
        while let attempt = breakout_attempt_at(index)?.pointee {
            let control =
                switch attempt.control {
                case breakout_control_any: "any"
                case breakout_control_root: "root"
                default: "none"
                }
            let note = attempt.note.map { String(cString: $0) } ?? ""
            let columns = [
                String(cString: attempt.name), String(cString: attempt.expected),
                attempt.by_filter ? "filter" : "landlock",
                control, note,
            ]
            breakout_print(columns.joined(separator: "\t"))
            index += 1
        }
    }

    /// Makes one attempt and prints its result.
    private static func run(_ arguments: Arguments) {
        guard let attempt = breakout_attempt_at(Int32(arguments["attempt"] ?? "") ?? -1)?.pointee else {
            return breakout_print("no such attempt")
        }
        if arguments["confined"] != "no", !confine(arguments) { return }
        var targets = breakout_targets()
        for (name, value) in arguments.values { breakout_set(&targets, name, value) }
        let number = attempt.run(&targets)
        breakout_print(number == 0 ? "escaped" : "refused " + String(cString: breakout_error_name(number)))
    }

    /// Connects to a server, and prints it was found and is trusted, with a list of hosts and authorities in place of the system's.
    private static func fetch(_ arguments: Arguments) {
        for (name, place) in [("hosts", "/etc/hosts"), ("authorities", "/etc/ssl/certs")] {
            guard let file = arguments[name] else { continue }
            guard breakout_replace(place, file) == 0 else { return breakout_print("not permitted to mount") }
        }
        guard confine(arguments) else { return }
        let problem = breakout_fetch(arguments["url"] ?? "")
        breakout_print(problem.map { "refused " + String(cString: $0) } ?? "fetched")
    }

    /// Confines the process and prints the report or the error.
    @discardableResult
    static func confine(_ arguments: Arguments) -> Bool {
        do {
            for _ in 0..<(Int(arguments["threads"] ?? "") ?? 0) { _ = breakout_start_thread() }
            Inheritance.closeFiles(from: 3)
            Inheritance.clearEnvironment()
            try Inheritance.resetSignals()
            let policy = arguments.policy
            let kernel = ConfinementReport.ofThisKernel().limited(
                toLandlock: Int(arguments["landlock"] ?? "") ?? .max, filter: arguments["filter"] != "no")
            for _ in 0..<(Int(arguments["times"] ?? "") ?? 1) {
                let report = try policy.apply(on: kernel)
                breakout_print("confined \(report)")
            }
            if arguments["wait"] != nil { breakout_wait() }
            return true
        } catch {
            breakout_print("failed \(error)")
            return false
        }
    }

    /// Takes the role of the host, which others try to reach.
    private static func serveAsHost() {
        breakout_print("host \(breakout_secret_address())")
        breakout_wait()
    }

    /// Starts a child that confines itself and waits.
    private static func startChild(_ arguments: Arguments) {
        breakout_print("child \(breakout_spawn_waiting(arguments["container"] ?? ""))")
        breakout_wait()
    }
}
