import { Injectable } from '@nestjs/common';
import type { RelayPorts } from '../../relay-core/pipeline/context/relay-ports.js';
import { AbandonedReads } from '../../relay-core/pipeline/context/abandoned-reads.js';
import { RetryBudget } from '../../relay-core/pipeline/context/retry-budget.js';
import { AddressGuard } from '../../relay-core/ports/address-guard.js';
import { AdmissionControl } from '../../relay-core/ports/admission-control.js';
import { CallJournal } from '../../relay-core/ports/call-journal.js';
import { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { ChannelAffinity } from '../../relay-core/ports/channel-affinity.js';
import { ChannelHealth } from '../../relay-core/ports/channel-health.js';
import { ChannelPicker } from '../../relay-core/ports/channel-picker.js';
import { IdLedger } from '../../relay-core/ports/id-ledger.js';
import { SignatureStore } from '../../relay-core/ports/signature-store.js';
import { PriceBook } from '../../relay-core/ports/price-book.js';
import { QuotaHolds } from '../../relay-core/ports/quota-holds.js';
import { RelayOptionsSource } from '../../relay-core/ports/relay-options.js';
import { TaskOrigins } from '../../relay-core/ports/task-origins.js';
import { VendorTokens } from '../../relay-core/ports/vendor-tokens.js';
import { UpstreamPorts } from '../channels/upstream/upstream-ports.js';
import { findProvider } from '../../relay-core/providers/registry.js';

/** Who may call, at which price, with whose quota. */
@Injectable()
class CallPolicy {
  constructor(
    readonly callers: CallerDirectory,
    readonly admission: AdmissionControl,
    readonly prices: PriceBook,
    readonly quota: QuotaHolds,
    readonly options: RelayOptionsSource,
  ) {}
}

/** Which channel a call goes to, and what is known of it. */
@Injectable()
class ChannelPorts {
  constructor(
    readonly channels: ChannelPicker,
    readonly health: ChannelHealth,
    readonly affinity: ChannelAffinity,
    readonly origins: TaskOrigins,
    readonly tokens: VendorTokens,
  ) {}
}

/** What is kept of a call. */
@Injectable()
class RecordPorts {
  constructor(
    readonly journal: CallJournal,
    readonly signatures: SignatureStore,
    readonly ids: IdLedger,
  ) {}
}

/** Rules for what stands in requests. */
@Injectable()
class RequestRules {
  constructor(readonly addresses: AddressGuard) {}
}

/** The providers of this module that `gatherPorts` is given. */
export const PORT_GROUPS = [CallPolicy, ChannelPorts, RecordPorts, RequestRules] as const;

/** Everything a call speaks to, each by its name. */
export const gatherPorts = (
  policy: CallPolicy,
  channel: ChannelPorts,
  record: RecordPorts,
  rules: RequestRules,
  upstream: UpstreamPorts,
): RelayPorts => ({
  callers: policy.callers,
  admission: policy.admission,
  prices: policy.prices,
  quota: policy.quota,
  options: policy.options,
  channels: channel.channels,
  health: channel.health,
  affinity: channel.affinity,
  origins: channel.origins,
  tokens: channel.tokens,
  sender: upstream.sender,
  media: upstream.media,
  addresses: rules.addresses,
  counter: upstream.counter,
  gateway: upstream.gateway,
  clock: upstream.clock,
  journal: record.journal,
  signatures: record.signatures,
  ids: record.ids,
  retries: new RetryBudget(),
  abandoned: new AbandonedReads(),
  findProvider,
});
