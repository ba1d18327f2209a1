#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The ports of the loopback interface.
enum Loopback {
    /// Returns a port that is free now; 0 if all are in use.
    static func freePort() -> Int {
        withSocket { socket in
            guard withAddress(0, { bind(socket, $0, $1) == 0 }) else { return 0 }
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(socket, $0, &size) }
            }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }

    /// Returns whether a server accepts connections at a port.
    static func isListening(_ port: Int) -> Bool {
        withSocket { socket in withAddress(port) { connect(socket, $0, $1) == 0 } }
    }

    private static func withSocket<Result>(_ body: (Int32) -> Result) -> Result {
        #if canImport(Glibc)
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let socket = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(socket) }
        return body(socket)
    }

    private static func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = in_port_t(port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
