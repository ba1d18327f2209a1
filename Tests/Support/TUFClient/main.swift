import Glibc

func fail(_ message: String) -> Never {
    let bytes = Array("tuf-client: \(message)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(1)
}

do {
    try await ClientCommand(arguments: Array(CommandLine.arguments.dropFirst())).run()
} catch let error as UsageError {
    fail("\(error.message)\n\n\(ClientCommand.usage)")
} catch {
    fail("\(error)")
}
