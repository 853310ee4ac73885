/// Series of a terminal whose day goes wrong, and when which alert rings: what `promtool test rules` reads.
enum RuleTrial {
    static func text(rules: String) -> String {
        """
        rule_files: ["\(rules)"]
        evaluation_interval: 1m
        tests:
          - interval: 1m
            input_series:
              - {series: 'baton_quarantined_since_timestamp_seconds{instance="ward-3"}', values: '_x59 3600x60'}
              - {series: 'baton_agent_present{instance="ward-3"}', values: '1x59 0x60'}
              - {series: 'baton_journal_failed{instance="ward-3"}', values: '0x59 1x60'}
              - {series: 'baton_provider_reachable{instance="ward-3"}', values: '1x59 0x60'}
              - {series: 'baton_apps_owing{instance="ward-3"}', values: '0x59 2x120'}
              - {series: 'baton_sign_outs_total{instance="ward-3", outcome="cleared"}', values: '0+1x120'}
              - {series: 'baton_sign_outs_total{instance="ward-3", outcome="contained"}', values: '0x59 0+1x60'}
              - {series: 'baton_barrier_seconds_bucket{instance="ward-3", le="5"}', values: '0+1x59 60x60'}
              - {series: 'baton_barrier_seconds_bucket{instance="ward-3", le="10"}', values: '0+1x120'}
              - {series: 'baton_barrier_seconds_bucket{instance="ward-3", le="+Inf"}', values: '0+1x120'}
              - {series: 'baton_receipt_chain_entries{instance="ward-3"}', values: '0+1x59 20x60'}
            promql_expr_test:
              - {expr: '\(rings)', eval_time: 59m, exp_samples: []}
              - {expr: '\(rings)', eval_time: 2h, exp_samples: [\(all.map(sample).joined(separator: ", "))]}

        """
    }

    private static let rings = #"sum by (alertname) (ALERTS{alertstate="firing"})"#

    /// Each of them, and no other.
    private static let all = [
        "BatonQuarantined", "BatonAgentAway", "BatonJournalFailed", "BatonProviderUnreachable", "BatonAppsOwing",
        "BatonSignOutsNotCleared", "BatonSignOutsSlow", "BatonReceiptsCutOff",
    ]

    private static func sample(_ alert: String) -> String { #"{labels: '{alertname="\#(alert)"}', value: 1}"# }
}
