import Glibc
import HostSystem
import PluginCore
import Testing

@Suite("Threads that wait for descriptors", .tags(.medium), .timeLimit(.minutes(1)))
struct DetachedThreadTests {
    @Test("A thread receives its own faults and SIGPROF, and no other signals of the process")
    func signals() async throws {
        let blocked = try await withCheckedThrowingContinuation { continuation in
            do throws(AtriumError) {
                try DetachedThread.run {
                    var mask = sigset_t()
                    pthread_sigmask(SIG_BLOCK, nil, &mask)
                    continuation.resume(returning: (1..<32).filter { sigismember(&mask, $0) == 1 })
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        let faults = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
        #expect(blocked.allSatisfy { !(faults + [SIGPROF]).contains($0) })
        #expect([SIGINT, SIGTERM, SIGHUP, SIGCHLD, SIGALRM, SIGUSR1].allSatisfy(blocked.contains))
    }
}
