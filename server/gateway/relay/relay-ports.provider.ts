import type { Abstract, FactoryProvider } from '@nestjs/common';
import type { RelayPorts } from '../../relay-core/pipeline/context/relay-ports.js';
import { AbandonedReads } from '../../relay-core/pipeline/context/abandoned-reads.js';
import { RetryBudget } from '../../relay-core/pipeline/context/retries.js';
import { AddressGuard } from '../../relay-core/ports/address-guard.js';
import { AdmissionControl } from '../../relay-core/ports/admission-control.js';
import { CallJournal } from '../../relay-core/ports/call-journal.js';
import { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import { ChannelAffinity } from '../../relay-core/ports/channel-affinity.js';
import { ChannelHealth } from '../../relay-core/ports/channel-health.js';
import { ChannelLimits } from '../../relay-core/ports/channel-limits.js';
import { ChannelPicker } from '../../relay-core/ports/channel-picker.js';
import { IdLedger } from '../../relay-core/ports/id-ledger.js';
import { SignatureStore } from '../../relay-core/ports/signature-store.js';
import { PriceBook } from '../../relay-core/ports/price-book.js';
import { QuotaHolds } from '../../relay-core/ports/quota-holds.js';
import { RefusalNotes } from '../../relay-core/ports/refusal-notes.js';
import { RelayOptionsSource } from '../../relay-core/ports/relay-options.js';
import { TaskOrigins } from '../../relay-core/ports/task-origins.js';
import { VendorTokens } from '../../relay-core/ports/vendor-tokens.js';
import { UpstreamPorts } from '../channels/upstream/upstream-ports.js';
import { findProvider } from '../../relay-core/providers/registry.js';
import { RELAY_PORTS } from './call-runner.js';

/** The class of each port's adapter, by the name of the port. A new port is a field of `RelayPorts` and a row here. */
const ADAPTERS = {
  callers: CallerDirectory,
  admission: AdmissionControl,
  prices: PriceBook,
  quota: QuotaHolds,
  options: RelayOptionsSource,
  channels: ChannelPicker,
  health: ChannelHealth,
  affinity: ChannelAffinity,
  origins: TaskOrigins,
  tokens: VendorTokens,
  limits: ChannelLimits,
  journal: CallJournal,
  signatures: SignatureStore,
  ids: IdLedger,
  refusals: RefusalNotes,
  addresses: AddressGuard,
} satisfies { readonly [Name in keyof RelayPorts]?: Abstract<NonNullable<RelayPorts[Name]>> };

type Adapters = { readonly [Name in keyof typeof ADAPTERS]: NonNullable<RelayPorts[Name]> };

const NAMES = Object.keys(ADAPTERS);

/** All ports of a call by name. */
export const relayPortsProvider: FactoryProvider<RelayPorts> = {
  provide: RELAY_PORTS,
  inject: [UpstreamPorts, ...Object.values(ADAPTERS)],
  useFactory: (upstream: UpstreamPorts, ...adapters: readonly unknown[]) => ({
    ...upstream,
    ...(Object.fromEntries(NAMES.map((name, index) => [name, adapters[index]])) as Adapters),
    retries: new RetryBudget(),
    abandoned: new AbandonedReads(),
    findProvider,
  }),
};
