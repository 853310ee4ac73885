extension AccountsText {
    /// A settings text in the middle of a change.
    struct Document {
        private var text: EditableText
        private let tree: MarkedYAML?
        private let identity: MarkedYAML.Pair?
        private let accounts: MarkedYAML.Pair?
        let items: [MarkedYAML]

        init(_ text: String) throws(Fault) {
            guard let editable = EditableText(text) else {
                throw .unreadable(line: 1, "only plain line feeds may end lines when Baton edits the file")
            }
            self.text = editable
            do throws(MarkedYAML.Faults) {
                tree = try MarkedYAML.parse(text)
            } catch {
                throw .unreadable(line: error.all.first?.line ?? 1, error.all.first?.message ?? "not YAML")
            }
            if let tree, case .map = tree.content {
            } else if let tree {
                throw .unreadable(line: tree.line, "the file must consist of keys")
            }
            identity = tree?.pair("identity")
            if let identity, !identity.value.isNull {
                guard case .map = identity.value.content else {
                    throw .unreadable(line: identity.line, "identity must be a section of keys")
                }
            }
            if let kind = identity?.value.pair("kind"), kind.value.text != "local" {
                throw .unreadable(line: kind.line, "identity.kind is not local")
            }
            accounts = identity?.value.pair("accounts")
            if let accounts, !accounts.value.isNull {
                guard case .list(let items) = accounts.value.content else {
                    throw .unreadable(line: accounts.line, "identity.accounts must be a list")
                }
                self.items = items
            } else {
                items = []
            }
        }

        func indices(of username: String) -> [Int] {
            items.indices.filter { items[$0].pair("username")?.value.text == username }
        }

        func index(of username: String) throws(Fault) -> Int {
            let found = indices(of: username)
            guard let index = found.first, found.count == 1 else { throw .unknown(username) }
            return index
        }

        /// The tree that the change should lead to.
        func meant(_ change: ([MarkedYAML]) -> [MarkedYAML]) -> MarkedYAML {
            let list = MarkedYAML.list(change(items))
            let root = tree ?? .map([])
            if let identity, !identity.value.isNull {
                return root.setting("identity", to: identity.value.setting("accounts", to: list))
            }
            return root.setting("identity", to: .map([("kind", .text("local")), ("accounts", list)]))
        }

        func checked(against meant: MarkedYAML) throws(Fault) -> String {
            let result = text.text
            guard let after = try? MarkedYAML.parse(result), after.says(meant) else {
                throw .tooIntricate(line: accounts?.line ?? identity?.line ?? 1)
            }
            return result
        }

        private func refusal(_ line: Int?) -> Fault { .tooIntricate(line: line ?? 1) }

        mutating func add(_ account: LocalAccount) throws(Fault) {
            guard let identity else { return addSection(account) }
            if identity.value.isNull {
                try insertLines(
                    ["kind: local", "accounts:", "  - \(account.line)"], after: identity, indent: identity.column + 1)
            } else if let accounts {
                try add(account, to: accounts, in: identity)
            } else {
                try addList(account, in: identity)
            }
        }

        private mutating func addSection(_ account: LocalAccount) {
            let end = text.scalars.count
            let gap = end == 0 || text.scalar(end - 1) == "\n" ? "" : "\n"
            text.replace(
                end..<end, with: "\(gap)identity:\n  kind: local\n  accounts:\n    - \(account.line)\n")
        }

        /// Adds the list to a section that has none: behind a key with a value on its line, else as the first key.
        private mutating func addList(_ account: LocalAccount, in identity: MarkedYAML.Pair) throws(Fault) {
            guard case .map(let pairs) = identity.value.content else { throw refusal(identity.line) }
            if text.isFlow(identity.value) {
                guard let end = text.end(of: identity.value) else { throw refusal(identity.line) }
                let comma = pairs.isEmpty ? "" : ", "
                text.replace(end - 1..<end - 1, with: "\(comma)accounts: [\(account.line)]")
                return
            }
            guard let first = pairs.first, let start = text.offset(line: first.line, column: first.column) else {
                throw refusal(identity.line)
            }
            let indent = String(repeating: " ", count: first.column - 1)
            let lines = "\(indent)accounts:\n\(indent)  - \(account.line)"
            if let end = text.end(of: first.value), text.lineStart(end) == text.lineStart(start), text.restIsBlank(end)
            {
                let place = text.lineEnd(end)
                text.replace(place..<place, with: "\n" + lines)
            } else {
                let place = text.lineStart(start)
                text.replace(place..<place, with: lines + "\n")
            }
        }

        private mutating func add(
            _ account: LocalAccount, to accounts: MarkedYAML.Pair, in identity: MarkedYAML.Pair
        ) throws(Fault) {
            let list = accounts.value
            guard !list.isNull else {
                return try insertLines(["- \(account.line)"], after: accounts, indent: accounts.column + 1)
            }
            guard let start = text.start(of: list),
                let end = text.end(of: list)
            else { throw refusal(accounts.line) }
            if !text.isFlow(list) {
                guard text.scalar(start) == "-", text.restIsBlank(end) else { throw refusal(list.line) }
                let place = text.lineEnd(end)
                let indent = String(repeating: " ", count: list.column - 1)
                text.replace(place..<place, with: "\n\(indent)- \(account.line)")
            } else if let last = items.last {
                guard let place = text.end(of: last) else { throw refusal(last.line) }
                text.replace(place..<place, with: ", " + account.line)
            } else if !text.isFlow(identity.value), let colon = text.afterColon(accounts),
                text.restIsBlank(end), text.lineStart(colon) == text.lineStart(end)
            {
                let place = text.lineEnd(end)
                let indent = String(repeating: " ", count: accounts.column + 1)
                text.replace(place..<place, with: "\n\(indent)- \(account.line)")
                text.replace(colon..<end, with: "")
            } else {
                text.replace(start + 1..<start + 1, with: account.line)
            }
        }

        /// Puts lines below a key that has no value yet.
        private mutating func insertLines(
            _ lines: [String], after pair: MarkedYAML.Pair, indent: Int
        ) throws(Fault) {
            guard let colon = text.afterColon(pair), text.restIsBlank(colon) else { throw refusal(pair.line) }
            let blanks = String(repeating: " ", count: indent)
            let place = text.lineEnd(colon)
            text.replace(place..<place, with: lines.map { "\n\(blanks)\($0)" }.joined())
        }

        mutating func remove(_ index: Int) throws(Fault) {
            let item = items[index]
            guard let accounts, let start = text.start(of: item),
                let end = text.end(of: item)
            else { throw refusal(item.line) }
            if !text.isFlow(accounts.value) {
                var dash = start
                while dash > 0, text.scalar(dash) != "-" {
                    dash -= 1
                    guard [" ", "\n", "-"].contains(text.scalar(dash) ?? "?") else { throw refusal(item.line) }
                }
                let first = text.lineStart(dash)
                let last = text.lineEnd(end)
                guard text.scalars[first..<dash].allSatisfy({ $0 == " " }), text.restIsBlank(end) else {
                    throw refusal(item.line)
                }
                // The newline before goes when there is none behind, at the end of the file.
                let behind = last < text.scalars.count
                text.replace((behind || first == 0 ? first : first - 1)..<(behind ? last + 1 : last), with: "")
                if items.count == 1 {
                    guard let colon = text.afterColon(accounts) else { throw refusal(accounts.line) }
                    text.replace(colon..<colon, with: " []")
                }
            } else if items.indices.contains(index + 1), let next = text.start(of: items[index + 1]) {
                text.replace(start..<next, with: "")
            } else if index > 0, let previous = text.end(of: items[index - 1]) {
                text.replace(previous..<end, with: "")
            } else if let open = text.start(of: accounts.value), let close = text.end(of: accounts.value) {
                text.replace(open + 1..<close - 1, with: "")
            }
        }

        mutating func set(_ pin: PINHash, _ index: Int) throws(Fault) {
            let item = items[index]
            let quoted = LocalAccount.quoted(pin.text)
            guard case .map(let pairs) = item.content, let last = pairs.last else { throw refusal(item.line) }
            if let pair = item.pair("pin") {
                if let start = text.start(of: pair.value), let end = text.end(of: pair.value) {
                    text.replace(start..<end, with: quoted)
                } else if pair.value.isNull, let colon = text.afterColon(pair) {
                    text.replace(colon..<colon, with: " " + quoted)
                } else {
                    throw refusal(pair.line)
                }
            } else {
                guard let end = text.end(of: last.value) else { throw refusal(last.line) }
                if text.isFlow(item) {
                    text.replace(end..<end, with: ", pin: \(quoted)")
                } else {
                    guard text.restIsBlank(end) else { throw refusal(last.line) }
                    let place = text.lineEnd(end)
                    let indent = String(repeating: " ", count: last.column - 1)
                    text.replace(place..<place, with: "\n\(indent)pin: \(quoted)")
                }
            }
        }
    }
}
