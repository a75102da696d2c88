import type { AddressGuard } from '../../relay-core/ports/address-guard.js';
import type { CallJournal } from '../../relay-core/ports/call-journal.js';
import type { CallObserver } from '../../relay-core/ports/call-watch.js';
import type { CallerDirectory } from '../../relay-core/ports/caller-directory.js';
import type { ChannelAffinity } from '../../relay-core/ports/channel-affinity.js';
import type { ChannelHealth } from '../../relay-core/ports/channel-health.js';
import type { ChannelPicker } from '../../relay-core/ports/channel-picker.js';
import type { Clock } from '../../common/clock.js';
import type { GatewayName } from '../../relay-core/ports/gateway-name.js';
import type { SignatureStore } from '../../relay-core/ports/signature-store.js';
import type { HttpSender } from '../../relay-core/ports/http-sender.js';
import type { IdLedger } from '../../relay-core/ports/id-ledger.js';
import type { MediaFetcher } from '../../relay-core/ports/media-fetcher.js';
import type { PriceBook } from '../../relay-core/ports/price-book.js';
import type { QuotaHolds } from '../../relay-core/ports/quota-holds.js';
import type { RelayOptionsSource } from '../../relay-core/ports/relay-options.js';
import type { TaskOrigins } from '../../relay-core/ports/task-origins.js';
import type { TokenCounter } from '../../relay-core/ports/token-counter.js';
import type { VendorTokens } from '../../relay-core/ports/vendor-tokens.js';
import type { RelayPorts } from '../../relay-core/pipeline/context/relay-ports.js';
import type { AbandonedReads } from '../../relay-core/pipeline/context/abandoned-reads.js';
import type { RetryBudget } from '../../relay-core/pipeline/context/retry-budget.js';
import { CallMedia } from './call-media.js';
import type { ConcurrencyLimits } from './concurrency-limits.js';
import { UserConcurrency } from './user-concurrency.js';

/**
 * The ports as one call sees them: the same for all, but for the gate that counts its caller and the fetcher that counts its
 * files. Copied by hand, field by field: a spread of so many costs each call more than a stage of the pipeline.
 */
export class CallPorts implements RelayPorts {
  readonly callers: CallerDirectory;
  readonly admission: UserConcurrency;
  readonly prices: PriceBook;
  readonly quota: QuotaHolds;
  readonly channels: ChannelPicker;
  readonly health: ChannelHealth;
  readonly affinity?: ChannelAffinity;
  readonly origins?: TaskOrigins;
  readonly signatures?: SignatureStore;
  readonly ids?: IdLedger;
  readonly addresses?: AddressGuard;
  readonly sender: HttpSender;
  readonly tokens: VendorTokens;
  readonly counter: TokenCounter;
  readonly journal: CallJournal;
  readonly clock: Clock;
  readonly options: RelayOptionsSource;
  readonly retries: RetryBudget;
  readonly abandoned?: AbandonedReads;
  readonly gateway: GatewayName;
  readonly findProvider: RelayPorts['findProvider'];
  readonly observer: CallObserver;
  private ownMedia: CallMedia | undefined;

  constructor(
    private readonly shared: RelayPorts,
    private readonly gates: ConcurrencyLimits,
    observer: CallObserver,
  ) {
    this.callers = shared.callers;
    this.admission = new UserConcurrency(shared.admission, gates);
    this.prices = shared.prices;
    this.quota = shared.quota;
    this.channels = shared.channels;
    this.health = shared.health;
    if (shared.affinity !== undefined) this.affinity = shared.affinity;
    if (shared.origins !== undefined) this.origins = shared.origins;
    if (shared.signatures !== undefined) this.signatures = shared.signatures;
    if (shared.ids !== undefined) this.ids = shared.ids;
    if (shared.addresses !== undefined) this.addresses = shared.addresses;
    this.sender = shared.sender;
    this.tokens = shared.tokens;
    this.counter = shared.counter;
    this.journal = shared.journal;
    this.clock = shared.clock;
    this.options = shared.options;
    this.retries = shared.retries;
    if (shared.abandoned !== undefined) this.abandoned = shared.abandoned;
    this.gateway = shared.gateway;
    this.findProvider = shared.findProvider;
    this.observer = observer;
  }

  /** Made when it is first asked for: few calls name files. */
  get media(): MediaFetcher {
    return (this.ownMedia ??= new CallMedia(this.shared.media, this.gates));
  }

  /** The call is over. */
  leave(): void {
    this.admission.leave();
    this.ownMedia?.leave();
    this.observer.over();
  }
}
