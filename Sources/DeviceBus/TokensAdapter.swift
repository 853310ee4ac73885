import BatonContract
package import DBus
import Providers
import SessionMachine
import Supervisor

/// Answers `org.baton.Device1.Tokens`.
package struct TokensAdapter {
    let context: CallContext

    package init(context: CallContext) { self.context = context }

    package func serve(on object: inout ServedObject) {
        let context = context
        object.answer(Tokens.acquireToken) { caller, parameters in
            let request = try TokenRequest(parameters, silently: false).correlated()
            // As with SignIn: an agent that is just starting is worth waiting for.
            await context.supervisor.waitForAgent(atMost: .seconds(5))
            return try await context.answer(request, caller) { () async throws(Refusal) in
                try await context.supervisor.tokenWithPage(request, sender: caller.name.rawValue)
            }
        }
        object.answer(Tokens.acquireTokenSilently) { caller, parameters in
            let request = try TokenRequest(parameters, silently: true).correlated()
            return try await context.answer(request, caller) { () async throws(Refusal) in
                try await context.supervisor.token(request, sender: caller.name.rawValue)
            }
        }
        object.answer(Tokens.getErrorDetails) { caller, id in try context.errorDetails.details(id, for: caller.name) }
        object.answer(Tokens.handleResponse) { _, answer in
            // The caller that brings a redirect only carries it: what it is worth, its state says.
            let (url, _) = answer
            return await context.supervisor.provider.handle(response: url)
        }
    }
}

extension CallContext {
    /// An error's text names the correlation id, by which the app asks for what else there is to know.
    fileprivate func answer(
        _ request: TokenRequest, _ caller: Caller, _ body: () async throws(Refusal) -> TokenResult
    ) async throws -> VariantDictionary {
        do throws(Refusal) {
            return try await body().dictionary
        } catch {
            let id = request.correlationID ?? ""
            let details = TokenErrorDetails(error, correlationID: id)
            // What has left asks for nothing any more.
            if !Task.isCancelled { errorDetails.keep(details.dictionary, id, for: caller.name) }
            throw BatonError(BatonError(error).code, CorrelationID.mark(error.text, id))
        }
    }
}

extension TokenRequest {
    /// The same with an id by which the provider's log and ours can be joined.
    fileprivate func correlated() -> TokenRequest {
        guard correlationID == nil else { return self }
        var request = self
        var random = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in
            let text = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - text.utf8.count) + text
        }
        request.correlationID = digits.joined()
        return request
    }
}

extension TokenErrorDetails {
    fileprivate init(_ refusal: Refusal, correlationID: String) {
        self.init(correlationID: correlationID)
        guard case .provider(let what) = refusal else { return }
        reason = what.reason
        subError = what.subError
        errorCodes = what.errorCodes.map { UInt64(clamping: $0) }
        grantedScopes = what.granted
        declinedScopes = what.declined
        claims = what.claims
    }
}
