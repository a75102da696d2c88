import type { Result } from '../../../common/result.js';
import type { RelayError } from '../../model/relay-error.js';
import type { AddressGuard } from '../../ports/address-guard.js';
import type { AdmissionControl } from '../../ports/admission-control.js';
import type { CallJournal } from '../../ports/call-journal.js';
import type { CallerDirectory } from '../../ports/caller-directory.js';
import type { CallObserver } from '../../ports/call-watch.js';
import type { ChannelAffinity } from '../../ports/channel-affinity.js';
import type { ChannelHealth } from '../../ports/channel-health.js';
import type { ChannelLimits } from '../../ports/channel-limits.js';
import type { ChannelPicker } from '../../ports/channel-picker.js';
import type { Clock } from '../../../common/clock.js';
import type { GatewayName } from '../../ports/gateway-name.js';
import type { HttpSender } from '../../ports/http-sender.js';
import type { SignatureStore } from '../../ports/signature-store.js';
import type { IdLedger } from '../../ports/id-ledger.js';
import type { MediaFetcher } from '../../ports/media-fetcher.js';
import type { PriceBook } from '../../ports/price-book.js';
import type { RefusalNotes } from '../../ports/refusal-notes.js';
import type { QuotaHolds } from '../../ports/quota-holds.js';
import type { RelayOptionsSource } from '../../ports/relay-options.js';
import type { TaskOrigins } from '../../ports/task-origins.js';
import type { TokenCounter } from '../../ports/token-counter.js';
import type { VendorTokens } from '../../ports/vendor-tokens.js';
import type { Provider } from '../../providers/provider.js';
import type { AbandonedReads } from './abandoned-reads.js';
import type { RetryBudget } from './retries.js';

/** Everything a call depends on. Built once; `findProvider` is the provider registry's. */
export interface RelayPorts {
  readonly callers: CallerDirectory;
  readonly admission: AdmissionControl;
  readonly prices: PriceBook;
  readonly quota: QuotaHolds;
  readonly channels: ChannelPicker;
  readonly health: ChannelHealth;
  /** Absent = channels have no limits. */
  readonly limits?: ChannelLimits;
  /** Absent = calls belong to no conversation. */
  readonly affinity?: ChannelAffinity;
  /** Absent = nothing goes on from earlier tasks. */
  readonly origins?: TaskOrigins;
  /** Absent = this process alone finds the signatures it kept aside. */
  readonly signatures?: SignatureStore;
  /** Absent = ids of things stored at vendors are passed on without a check of their owner. */
  readonly ids?: IdLedger;
  readonly sender: HttpSender;
  readonly media: MediaFetcher;
  /** Absent = every address passes. */
  readonly addresses?: AddressGuard;
  readonly tokens: VendorTokens;
  readonly counter: TokenCounter;
  readonly journal: CallJournal;
  /** Absent = the last refusal of a token is not kept. */
  readonly refusals?: RefusalNotes;
  readonly clock: Clock;
  readonly options: RelayOptionsSource;
  readonly retries: RetryBudget;
  /** Absent = a reply ends when its client leaves. */
  readonly abandoned?: AbandonedReads;
  readonly gateway: GatewayName;
  /** Observer of one call; absent = none. */
  readonly observer?: CallObserver;
  readonly findProvider: (channelType: number) => Result<Provider, RelayError>;
}
