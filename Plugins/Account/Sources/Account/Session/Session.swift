/// Who is signed in, as it is kept in `Documents/session.json`.
struct Session: Codable {
    let user: String
}
