/// An authority, and a certificate for the loopback interface that it has signed.
enum ServerCertificate {
    /// Writes the authority to `authority.pem`, and the server's certificate and key to `server.pem` and `server.key`.
    static func make(in base: String) throws(WebServerError) {
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try openssl(
            ["req", "-x509"] + key + [
                "-days", "2", "-subj", "/CN=test authority", "-keyout", base + "/authority.key", "-out",
                base + "/authority.pem",
            ], in: base)
        try openssl(
            ["req"] + key + ["-subj", "/CN=127.0.0.1", "-keyout", base + "/server.key", "-out", base + "/server.csr"],
            in: base)
        try WebServer.write("subjectAltName=IP:127.0.0.1\n", to: base + "/extensions")
        try openssl(
            [
                "x509", "-req", "-in", base + "/server.csr", "-CA", base + "/authority.pem", "-CAkey",
                base + "/authority.key", "-set_serial", "1", "-days", "2", "-extfile", base + "/extensions", "-out",
                base + "/server.pem",
            ], in: base)
    }

    private static func openssl(_ arguments: [String], in base: String) throws(WebServerError) {
        let process = try ServerProcess(
            "/usr/bin/timeout", ["60", "/usr/bin/openssl"] + arguments, errors: base + "/openssl.log")
        guard process.succeeds() else { throw WebServerError("openssl \(arguments[0]) fails; is it installed?") }
    }
}
