import Testing
import TurnControl

@testable import Sandbox

/// What bubblewrap is told to show an app of a turn.
struct TurnViewTests {
    @Test func `a folder is shown before what is kept in it, wherever they come from`() throws {
        let shares: [ConfinedProgram.Share] = [
            .init(
                "\(TurnFolders.kept)/org.example.Till/Prices/mine", as: "/home/baton-turn/Prices/mine", isWritable: true
            ),
            .init("\(TurnFolders.readOnly)/org.example.Till/Prices", as: "/home/baton-turn/Prices"),
        ]
        let words = TurnView(shares, Surroundings()).command(["/usr/bin/till"])
        let folder = try #require(words.firstIndex(of: "/home/baton-turn/Prices"))
        let inside = try #require(words.firstIndex(of: "/home/baton-turn/Prices/mine"))
        #expect(folder < inside)
        // What other apps keep is covered last.
        let cover = try #require(words.lastIndex(of: TurnFolders.kept))
        #expect(inside < cover)
        #expect(words.last == "/usr/bin/till")
    }
}
