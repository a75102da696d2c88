/**
 * Invariants proved by `npm run money:check`, by the number printed beside a finding. docs/money.md names where each rule is kept.
 * Numbers 7 and 15 concern records that must not stay open for long; alerts watch them, not this check.
 */
export const INVARIANTS = {
  I1: "An account's balance is its ledger entries minus its charges minus its open reservations.",
  I2: "An account's used quota is the sum of its charges and its opening figure, and each charge has one log row of the same amount.",
  I3: "An account's number of calls is the number of its charges and its opening figure.",
  I4: 'No balance is below its floor; no reservation is negative, or holds quota after it was closed.',
  I5: "A token's allowance is its grants minus its charges minus its open reservations; its used quota is its charges and its opening figure.",
  I6: 'One call has one charge at most.',
  I8: 'A redemption code is used exactly when the ledger has its one entry, for that account and that amount, or an import brought it used.',
  I9: 'An order is paid exactly when the ledger has its one entry, for that account and that amount, or an import brought it paid.',
  I10: 'Invitation earnings still waiting are all earnings minus what was moved to the balance, here or before an import, never below 0.',
  I11: 'Over all accounts: balances, open reservations and charges together are what the ledger has.',
  I12: 'A charge and its write-off together are what the stored usage costs at the stored prices.',
  I13: 'A payment, gift or correction has one ledger entry, and no entry is 0.',
  I14: "A channel's used quota is the sum of the charges of its calls and its opening figure.",
  I16: 'A task that failed gave back exactly its charge; any other task gave back nothing.',
  I17: 'No charge is older than its account or its token.',
  I18: "An account's refunded quota is the sum of its refunds; a token's is the sum of the refunds of its charges.",
  I19: 'The use of a limit in a period is the sum of the calls admitted in it; its corrections are what was given back of them.',
} as const;

export type InvariantId = keyof typeof INVARIANTS;

export const INVARIANT_IDS = Object.keys(INVARIANTS) as readonly InvariantId[];
