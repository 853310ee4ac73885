import SystemPackage

extension AccountsFile {
    /// Why nothing was changed.
    public enum Fault: Error, Equatable, CustomStringConvertible {
        /// There is such an account already.
        case exists(path: String, username: String)
        case unknown(path: String, username: String)
        /// The file, or the settings beside it, are wrong in this place. The message never has a PIN hash.
        case content(path: String, line: Int, key: String?, message: String)
        /// The system refused to read or write, with this error number.
        case system(path: String, Int32)
        /// The file is not a file, is too large, or not UTF-8.
        case unusable(path: String)

        init(_ fault: MarkedYAML.Fault, path: FilePath) {
            self = .content(path: path.string, line: fault.line, key: fault.key, message: fault.message)
        }

        public var description: String {
            switch self {
            case .exists(let path, let username): "\(path): there is an account '\(username.printable)' already"
            case .unknown(let path, let username): "\(path): there is no account '\(username.printable)'"
            case .content(let path, let line, let key, let message):
                "\(path):\(line): \(key.map { "\($0): " } ?? "")\(message)"
            case .system(let path, let number): "\(path): \(Errno(rawValue: number))"
            case .unusable(let path): "\(path): not a text file of at most 1 MiB"
            }
        }
    }
}
