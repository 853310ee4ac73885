/// Plain HTML pages: they work without script and with a screen reader.
enum Page {
    struct Field {
        var name: String
        var label: String
        var type = "text"
        var value = ""
        var autocomplete = "off"
        var isRequired = true
    }

    struct Button {
        var action: String
        var label: String
        var isMain = false
    }

    static func escape(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    /// - Parameters:
    ///   - content: HTML, escaped already.
    ///   - head: More for the head, escaped already.
    static func document(_ title: String, head: String = "", _ content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(escape(title))</title>
        <style>
        body { font: 1.1rem/1.5 system-ui, sans-serif; margin: 0; background: #f2f4f6; color: #14202b }
        main { max-width: 26rem; margin: 3rem auto; padding: 2rem; background: #fff; border: 1px solid #b6c0c9;
               border-radius: .5rem }
        h1 { font-size: 1.5rem; margin-top: 0 }
        label { display: block; margin-top: 1rem; font-weight: 600 }
        input { font: inherit; width: 100%; box-sizing: border-box; padding: .6rem; border: 1px solid #5a6874;
                border-radius: .25rem }
        button { font: inherit; padding: .6rem 1.4rem; margin: 1.5rem .5rem 0 0; border: 1px solid #0b4f8a;
                 border-radius: .25rem; background: #fff; color: #0b4f8a }
        button.main { background: #0b4f8a; color: #fff }
        :focus-visible { outline: 3px solid #d97706; outline-offset: 2px }
        [role=alert] { border-left: .3rem solid #b3261e; padding-left: .8rem; color: #8c1d18 }
        iframe { display: none }
        footer { max-width: 26rem; margin: 0 auto; padding: 0 1rem; font-size: .9rem }
        </style>
        \(head)</head>
        <body>
        <main>
        <h1>\(escape(title))</h1>
        \(content)
        </main>
        <footer>A provider for development. Do not use a real password here.</footer>
        </body>
        </html>

        """
    }

    static func form(
        _ path: String, hidden: [(name: String, value: String)] = [], fields: [Field] = [], buttons: [Button]
    ) -> String {
        var text = "<form method=\"post\" action=\"\(escape(path))\">\n"
        for (name, value) in hidden {
            text += "<input type=\"hidden\" name=\"\(escape(name))\" value=\"\(escape(value))\">\n"
        }
        let first = fields.first { $0.value.isEmpty }?.name
        for field in fields {
            let name = escape(field.name)
            text += "<label for=\"\(name)\">\(escape(field.label))</label>\n"
            text += "<input id=\"\(name)\" name=\"\(name)\" type=\"\(field.type)\" value=\"\(escape(field.value))\" "
            text += "autocomplete=\"\(field.autocomplete)\" autocapitalize=\"none\" spellcheck=\"false\""
            text += field.isRequired ? " required" : ""
            text += field.name == first ? " autofocus>\n" : ">\n"
        }
        for button in buttons {
            text += "<button type=\"submit\""
            text += button.action.isEmpty ? "" : " name=\"action\" value=\"\(escape(button.action))\""
            text += button.isMain ? " class=\"main\"" : ""
            // Going away needs no user name.
            text += button.isMain ? ">" : " formnovalidate>"
            text += "\(escape(button.label))</button>\n"
        }
        return text + "</form>"
    }

    static func alert(_ text: String?) -> String {
        text.map { "<p role=\"alert\">\(escape($0))</p>\n" } ?? ""
    }

    static func message(_ title: String, _ text: String) -> String {
        document(title, "<p>\(escape(text))</p>")
    }
}
