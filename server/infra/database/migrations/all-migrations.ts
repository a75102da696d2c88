import { createMainTables } from './1763700000000-create-main-tables.js';
import { createLogs } from './1763700100000-create-logs.js';
import { addLogFilterIndexes } from './1763700200000-add-log-filter-indexes.js';
import { addChannelKeyRings } from './1763700300000-add-channel-key-rings.js';
import { keepEarlyPaymentEvents } from './1763702400000-keep-early-payment-events.js';
import { keepPriceSnapshotsOnce } from './1763700400000-keep-price-snapshots-once.js';
import { indexRareLogTypes } from './1763700500000-index-rare-log-types.js';
import { createQuotaWarnings } from './1763700600000-create-quota-warnings.js';
import { createAudit } from './1763700700000-create-audit.js';
import { createSecondFactors } from './1763700710000-create-second-factors.js';
import { createOptionVersions } from './1763700900000-create-option-versions.js';
import { createRedemptions } from './1763701000000-create-redemptions.js';
import { createTopUps } from './1763701100000-create-top-ups.js';
import { sumUseOfEverybody } from './1763701200000-sum-use-of-everybody.js';
import { shareState } from './1763701400000-share-state.js';
import { createOperations } from './1763701500000-create-operations.js';
import { keepSteps } from './1763701600000-keep-steps.js';
import { indexPaymentEvents } from './1763701700000-index-payment-events.js';
import { nameSharedStores } from './1763701800000-name-shared-stores.js';
import { createTasks } from './1763701900000-create-tasks.js';
import { countOverruns } from './1763702000000-count-overruns.js';
import { addAccountUids } from './1763702100000-add-account-uids.js';
import { createStoredIds } from './1763703100000-create-stored-ids.js';
import { markPurgedAccounts } from './1763703300000-mark-purged-accounts.js';
import { placeStoredIds } from './1763704000000-place-stored-ids.js';
import { limitChannelInput } from './1763704300000-limit-channel-input.js';
import { countKeptInput } from './1763704400000-count-kept-input.js';
import { boundAdministratorsQuota } from './1763704440000-bound-administrators-quota.js';
import { keepIdentityIssuers } from './1763704441000-keep-identity-issuers.js';
import { keepChannelOrder } from './1763704460000-keep-channel-order.js';
import { sumAttempts } from './1763704470000-sum-attempts.js';
import { markFailedAttempts } from './1763704471000-mark-failed-attempts.js';
import { keepTestFailures } from './1763704472000-keep-test-failures.js';
import { keepDeletedRows } from './1763704480000-keep-deleted-rows.js';
import { lockTokens } from './1763704490000-lock-tokens.js';
import { keepTokenRefusals } from './1763704491000-keep-token-refusals.js';
import { sumUseByReference } from './1763704541000-sum-use-by-reference.js';
import { createWeeklyEmails } from './1763704542000-create-weekly-emails.js';
import { rememberMail } from './1763703200000-remember-mail.js';
import { recordOldestReader } from './1763701300000-record-oldest-reader.js';
import { countRefunds } from './1763704410000-count-refunds.js';
import { tagTokens } from './1763704544000-tag-tokens.js';
import { tagLogLines } from './1763704544100-tag-log-lines.js';
import { sumUseByTag } from './1763704544200-sum-use-by-tag.js';
import { createLimits } from './1763704545000-create-limits.js';
import { warnOfLimits } from './1763704545100-warn-of-limits.js';
import { leaseChannelLimits } from './1763704545200-lease-channel-limits.js';
import { createImports } from './1763704547000-create-imports.js';
import { createImportRuns } from './1763704547100-create-import-runs.js';
import { createImportUploads } from './1763704549000-create-import-uploads.js';
import type { Migration } from './migration.js';

/** Every step, oldest first. A new step is a file and a line here; a released one never changes. */
export const ALL_MIGRATIONS: readonly Migration[] = [
  createMainTables,
  createLogs,
  addLogFilterIndexes,
  addChannelKeyRings,
  keepPriceSnapshotsOnce,
  indexRareLogTypes,
  createQuotaWarnings,
  createAudit,
  createSecondFactors,
  createOptionVersions,
  createRedemptions,
  createTopUps,
  sumUseOfEverybody,
  recordOldestReader,
  shareState,
  createOperations,
  keepSteps,
  indexPaymentEvents,
  nameSharedStores,
  createTasks,
  countOverruns,
  addAccountUids,
  keepEarlyPaymentEvents,
  createStoredIds,
  rememberMail,
  markPurgedAccounts,
  placeStoredIds,
  limitChannelInput,
  countKeptInput,
  countRefunds,
  boundAdministratorsQuota,
  keepIdentityIssuers,
  keepChannelOrder,
  sumAttempts,
  markFailedAttempts,
  keepTestFailures,
  keepDeletedRows,
  lockTokens,
  keepTokenRefusals,
  sumUseByReference,
  createWeeklyEmails,
  tagTokens,
  tagLogLines,
  sumUseByTag,
  createLimits,
  warnOfLimits,
  leaseChannelLimits,
  createImports,
  createImportRuns,
  createImportUploads,
];
