import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

import Glibc

@Suite("Signals and closed streams in every mode", .tags(.large))
struct SignalTests {
    /// A plugin that leaves a file when it unloads, compiled once.
    private static let library = Task {
        try await compiled(
            swift: """
                final class Sample: BundleDelegate {
                    init(context: BundleContext) {}

                    func bundleWillUnload() async {
                        if getenv("HANG") != nil { while true { try? await Task.sleep(for: .seconds(1)) } }
                        guard let path = getenv("UNLOADED") else { return }
                        close(open(path, O_WRONLY | O_CREAT, 0o600))
                    }

                    static var routes: some RouteSet<Sample> {
                        Route(PageRoute<NoValue>("account", name: "home")) { _ in
                            SamplePage { "Nobody is signed in" }
                        }
                        Route(PageRoute<NoValue>("account/slow", name: "slow")) { _ in
                            _ = write(2, "waiting\\n", 8)
                            while true { try await Task.sleep(for: .seconds(1)) }
                            return SamplePage()
                        }
                    }
                }

                """)
    }

    /// A way in which the host is used.
    enum Mode: String, Sendable, CaseIterable {
        case oneShot, pipedShell, shell, screens

        var isOnTerminal: Bool { self == .shell || self == .screens }
    }

    private struct Run {
        let scene: Scene
        let program: WatchedProgram
        let process: RunningProcess
        let isOnTerminal: Bool

        /// Sends a signal to the host.
        func send(_ signal: Int32) throws { kill(try program.number, signal) }

        /// Waits for the end of the host, and returns its status as a shell sees it and all that it has written.
        func end() async throws -> (status: Int?, output: String) {
            let result = try await process.result(timeout: .seconds(120))
            let output = result.stdout + result.stderr
            let status = output.split(separator: "ended with ").last.flatMap { Int($0.prefix { $0.isNumber }) }
            program.expectSameMode(onTerminal: isOnTerminal)
            #expect(!output.contains("Program crashed"), "\(output)")
            return (status, output)
        }
    }

    private func scene() async throws -> Scene {
        let pages: KeyValuePairs = ["account": "home", "account/slow": "slow"]
        let scene = try Scene(with: try await Self.library.value, pages: pages)
        try await scene.run("install", Scene.account)
        // The version has run successfully, so a signal is not taken for its first crash.
        try await scene.run("open", "app://account")
        return scene
    }

    private func start(_ mode: Mode, _ environment: [String: String] = [:]) async throws -> Run {
        let scene = try await scene()
        let program = try WatchedProgram()
        let composition = try program.folder.write(
            #"{"formatVersion": 1, "name": "Signals", "start": "app://account", "bundles": []}"#, to: "bundle.json")
        let words =
            switch mode {
            case .oneShot: ["open", "app://account/slow"]
            case .pipedShell, .shell: ["shell"]
            case .screens: [] as [String]
            }
        let variables = ["UNLOADED": program.folder.appending("unloaded").string, "HOME": program.folder.path.string]
        let shell = Executable(
            "/usr/bin/env", environment: ["TERM": "xterm"].merging(variables) { $1 }.merging(environment) { $1 })
        // Without rlwrap, the host reads the lines itself.
        let command = ["/usr/bin/env", "PATH=/nowhere"] + scene.commandLine
        let host = program.words(command + ["--composition", composition.string] + words)
        let process = try mode.isOnTerminal ? shell.startOnTerminal(host) : shell.start(host)
        if mode == .oneShot {
            try await process.wait(forError: "waiting")
        } else {
            try await process.wait(for: "Nobody is signed in")
            // The prompt, or the cursor's place, comes after the page.
            if mode != .screens { try await process.wait(for: mode == .shell ? "> " : "\n") }
        }
        return Run(scene: scene, program: program, process: process, isOnTerminal: mode.isOnTerminal)
    }

    /// The signals that the host handles in each mode, and those that it leaves to the system where it has changed the terminal.
    private static let endings =
        Mode.allCases.flatMap { mode in [SIGHUP, SIGTERM, SIGQUIT].map { (mode, $0) } }
        + [Mode.shell, .screens].flatMap { mode in [SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU].map { (mode, $0) } }

    @Test(
        "A signal that ends a program ends the host by that signal, with the terminal as before and without a crash report",
        arguments: endings)
    func ending(mode: Mode, number: Int32) async throws {
        let run = try await start(mode)
        try run.send(number)
        let (status, output) = try await run.end()
        #expect(status == 128 + Int(number), "\(output)")
        let isAsked = number == SIGHUP || number == SIGTERM
        #expect(run.program.folder.appending("unloaded").exists == isAsked)
    }

    @Test("A plugin that does not finish unloading is not waited for", arguments: [Mode.pipedShell, .screens])
    func hanging(mode: Mode) async throws {
        let run = try await start(mode, ["HANG": "1"])
        try run.send(SIGTERM)
        let (status, output) = try await run.end()
        #expect(status == 128 + Int(SIGTERM), "\(output)")
    }

    @Test(
        "Signals about streams and stops do not end a session", arguments: [Mode.pipedShell, .shell],
        [SIGPIPE, SIGXFSZ, SIGWINCH, SIGCHLD, SIGCONT, SIGTSTP])
    func surviving(mode: Mode, number: Int32) async throws {
        let run = try await start(mode)
        try run.send(number)
        if number == SIGTSTP { try run.send(SIGCONT) }
        try await run.process.send("pages\n")
        try await run.process.wait(for: "Account")
        try await run.process.send("quit\n")
        let (status, output) = try await run.end()
        #expect(status == 0, "\(output)")
    }

    // MARK: Streams

    @Test(
        "A shell whose output nobody reads ends",
        arguments: [
            "yes | \"$@\" shell 2>&1 | head -1", "yes '' | \"$@\" shell 2>&1 | head -1",
            "yes 'open app://account' | \"$@\" shell | head -1", "yes | \"$@\" shell 2>&1 >/dev/null | head -1",
        ])
    func unheard(line: String) async throws {
        let scene = try await scene()
        let bash = Executable(
            "/bin/bash",
            leading: [
                "-c", line + "; exit ${PIPESTATUS[1]}", "bash", "timeout", "60",
                scene.host.build.appending("bin/hostapp").string, "--sandbox", scene.sandbox.root.string,
            ])
        let result = try await bash.run()
        // 124 is that of timeout.
        #expect(result.status != 124, "\(result)")
    }

    @Test(
        "With closed streams, the host ends, and writes no message into a file that took the place of a stream",
        arguments: ["0<&-", "1>&-", "2>&-", "0<&- 1>&-", "0<&- 2>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"])
    func closed(redirection: String) async throws {
        let scene = try await scene()
        for words in [
            ["list"], ["open", "app://account"], ["shell"], ["open", "app://nothing"], ["install", Scene.shop],
        ] {
            let result = try await scene.shell("exec timeout 60 \"$@\" " + redirection).run(words)
            let isFailing = redirection.contains("1>&-") || words.last == "app://nothing"
            #expect(isFailing ? result.status == 74 || result.status == 66 : result.status == 0, "\(result)")
            try await scene.run("doctor")
        }
    }
}
