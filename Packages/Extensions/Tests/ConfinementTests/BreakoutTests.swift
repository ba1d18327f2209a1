import ConfinementReporting
import Foundation
import Glibc
import Testing

/// A confined process tries to reach what is not its own. The attempts, with their expected results, are in CBreakout.
@Suite("Breaking out of a confined process", .serialized, .tags(.large))
struct BreakoutTests {
    @Test(
        "Every attempt is refused to an extension and to a confined process, and succeeds in one that is not confined")
    func attempts() async throws {
        let attempts = try Attempt.all()
        #expect(attempts.count { !$0.isPossible } >= 40)
        #expect(Set(attempts.map(\.name)).count == attempts.count)
        let surroundings = try Surroundings()
        let runner = try await RealRunner(in: try Surroundings())
        var table = ""
        for attempt in attempts {
            let extensions = try await refusal(of: attempt, by: runner)
            let confined = try refusal(of: attempt, in: surroundings)
            let control = try control(of: attempt)
            table += "table: \(attempt.name): extension: \(extensions); confined: \(confined); unconfined: \(control)\n"
        }
        // One text, because other tests print at the same time.
        print(table, terminator: "")
    }

    /// Makes an attempt as an installed extension that a host runs.
    private func refusal(of attempt: Attempt, by runner: RealRunner) async throws -> String {
        guard runner.confinement.missing.isEmpty else {
            return "not tried, this kernel has less than the full confinement"
        }
        let result = try await runner.result(of: attempt)
        #expect(RealRunner.isExpected(result, of: attempt), "\(attempt.name) by an extension: \(result)")
        let damage = try runner.damage()
        #expect(damage == [], "\(attempt.name) by an extension")
        return attempt.isPossible && result == "escaped" ? "possible" : result
    }

    private func refusal(of attempt: Attempt, in surroundings: Surroundings) throws -> String {
        let (confined, result) = try surroundings.attempt(attempt.index)
        guard confined == "confined full" else {
            // An older kernel offers less; the test of the levels says what remains.
            #expect(confined?.hasPrefix("confined reduced") == true, "\(attempt.name): \(confined ?? "not confined")")
            return "not tried, this kernel has less than the full confinement"
        }
        if attempt.isPossible {
            #expect(result == "escaped", "\(attempt.name): \(result); correct the page Confinement.md")
            return "possible"
        }
        let word = result.split(separator: " ").last.map(String.init) ?? ""
        #expect(result != "escaped", "\(attempt.name)")
        #expect(attempt.expected.contains(word), "\(attempt.name): \(result), expected \(attempt.expected)")
        let damage = try surroundings.damage()
        #expect(damage == [], "\(attempt.name)")
        return result
    }

    /// The errors of kernels that were built without a feature.
    private static let isMissing: Set = [
        "ENOSYS", "EAFNOSUPPORT", "EPROTONOSUPPORT", "EOPNOTSUPP", "ENODEV", "ENOPROTOOPT",
    ]

    private func control(of attempt: Attempt) throws -> String {
        if attempt.control == .none { return "not tried, \(attempt.note)" }
        if attempt.control == .root, !Self.hasAllRights { return "not tried, only root can" }
        let (_, result) = try Surroundings().attempt(attempt.index, "confined=no")
        let word = result.split(separator: " ").last.map(String.init) ?? ""
        if result.hasPrefix("refused"), Self.isMissing.contains(word) { return "not in this kernel (\(word))" }
        #expect(result == "escaped", "\(attempt.name), unconfined: \(result)")
        return result == "escaped" ? "succeeds" : result
    }

    /// A Boolean value that indicates whether this process is root's and has all capabilities of the kernel.
    private static let hasAllRights: Bool = {
        let status = kernelFile("/proc/self/status")
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let capabilities = line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
        let needed: [UInt64] = [16, 17, 21, 22, 25, 34]
        return geteuid() == 0 && needed.allSatisfy { capabilities & (1 << $0) != 0 }
    }()

    @Test("Without Landlock or with an old version, the filter still refuses its attempts", arguments: [0, 2])
    func filterAlone(version: Int) throws {
        let surroundings = try Surroundings()
        let slow = ["compute without end", "compute without end, ignoring the signal"]
        for attempt in try Attempt.all() where attempt.isCoveredByFilter && !slow.contains(attempt.name) {
            let (confined, result) = try surroundings.attempt(attempt.index, "landlock=\(version)")
            #expect(confined?.hasPrefix("confined reduced") == true, "\(attempt.name)")
            #expect(result.hasPrefix("refused") || result.hasPrefix("ended by"), "\(attempt.name): \(result)")
        }
        #expect(try surroundings.damage() == [])
    }

    @Test("Without a filter, Landlock still keeps files, and TCP and signals from version 6")
    func landlockAlone() throws {
        for name in [
            "read a file outside", "connect to TCP", "connect to an abstract socket of the host", "kill the host",
        ] {
            let surroundings = try Surroundings()
            let attempt = try #require(try Attempt.all().first { $0.name == name })
            let (confined, result) = try surroundings.attempt(attempt.index, "filter=no")
            guard confined == "confined reduced: without systemCalls" else { return }
            #expect(result.hasPrefix("refused"), "\(name): \(result)")
            #expect(try surroundings.damage() == [])
        }
    }

    @Test("The main thread's stack has a limit, also where the system sets none")
    func stack() throws {
        let resource = __rlimit_resource_t(RLIMIT_STACK.rawValue)
        var before = rlimit()
        try #require(getrlimit(resource, &before) == 0)
        // Only the system's administrator could raise such a limit.
        guard before.rlim_max == rlim_t.max else { return }
        var unlimited = before
        unlimited.rlim_cur = rlim_t.max
        try #require(setrlimit(resource, &unlimited) == 0)
        defer { setrlimit(resource, &before) }
        let attempt = try #require(try Attempt.all().first { $0.name == "grow its main thread's stack without end" })
        let (confined, result) = try Surroundings().attempt(attempt.index)
        #expect(confined?.hasPrefix("confined") == true && result.hasPrefix("ended by"), "\(result)")
    }

    @Test("With the network granted, a server is found by its name, and its certificate by the system's authorities")
    func namesAndCertificates() async throws {
        let server = try TLSServer(named: "server.atrium.test")
        let device = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(device) }
        func fetch(_ options: String...) throws -> [String] {
            try Child(["fetch", "url=\(server.address)"] + options, input: device).wait().lines
        }
        let installed = ["hosts=\(server.hosts)", "authorities=\(server.authorities)"]
        let lines = try fetch("network=yes", installed[0], installed[1])
        guard lines != ["not permitted to mount"] else { return }
        #expect(
            lines == ["confined full", "fetched"] || lines.first?.hasPrefix("confined reduced") == true, "\(lines)")
        #expect(lines.last == "fetched")
        // The system's own authorities do not know the server.
        #expect(try fetch("network=yes", installed[0]).last?.hasPrefix("refused") == true)
        #expect(try fetch("network=no", installed[0], installed[1]).last?.hasPrefix("refused") == true)
    }

    @Test("With the network granted, outgoing connections succeed, and nothing else of it does")
    func network() throws {
        let surroundings = try Surroundings()
        let succeed = ["connect to TCP", "send by UDP", "connect to TCP over IPv6", "create a pair of sockets"]
        let fail = [
            "bind a TCP port", "listen for TCP", "connect to a Unix socket of the host",
            "connect to an abstract socket of the host", "open a raw socket", "open a packet socket",
            "open a netlink socket", "get a descriptor of the host's process from a socket",
            "attach a filter to a socket",
        ]
        for attempt in try Attempt.all() where (succeed + fail).contains(attempt.name) {
            let (_, result) = try surroundings.attempt(attempt.index, "network=yes")
            if result == "refused EAFNOSUPPORT" { continue }
            #expect((result == "escaped") == succeed.contains(attempt.name), "\(attempt.name): \(result)")
        }
    }
}
