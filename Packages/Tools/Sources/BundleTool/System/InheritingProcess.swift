import PluginCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A program that uses the terminal, input and output of this one.
enum InheritingProcess {
    /// Runs a program and returns its exit status: 128 and the signal's number if a signal has ended it.
    ///
    /// - Parameters:
    ///   - name: The name of a program in one of the folders of `PATH`, or its path.
    ///   - isQuiet: Whether what it prints goes to standard error, because standard output is for the result alone.
    /// - Throws: ``AuthoringError`` if there is no such program, ``AtriumError`` with code `inputOutput`.
    static func run(_ name: String, _ words: [String], isQuiet: Bool) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if isQuiet { posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) }
        var arguments = ([name] + words).map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        var child: pid_t = 0
        let error = posix_spawnp(&child, name, &actions, nil, &arguments, environ)
        guard error == 0 else { throw failure(name, error) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { throw failure(name, errno) }
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Replaces this program by another one. Returns only if that fails.
    static func replace(by program: FilePath, _ words: [String]) throws -> Never {
        var arguments = ([program.string] + words).map { strdup($0) } + [nil]
        execv(program.string, &arguments)
        let error = errno
        for text in arguments { free(text) }
        throw failure(program.string, error)
    }

    private static func failure(_ name: String, _ error: Int32) -> any Error {
        if error == ENOENT { return AuthoringError.programMissing(name) }
        return AtriumError(
            .inputOutput, name, reason: "startingFailed", ["message": .text(Files.message(forError: error))])
    }
}
