/// The signed-in user as stored in the session file.
struct Session: Codable {
    let user: String
}
