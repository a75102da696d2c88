import { StoreUnavailableError } from '../../server/infra/shared-store/shared-store.js';
import { OptionPriceBook } from '../../server/base/pricing/option-price-book.js';
import type { PriceDocuments } from '../../server/base/pricing/price-table.js';
import type { Caller, CallShape } from '../../server/relay-core/model/call.js';
import type { MoneyModel } from './money-model.js';
import type { SeededRandom } from './seeded-random.js';
import type { Cast } from './simulated-accounts.js';
import { type CallPlan, SimulatedCalls } from './simulated-calls.js';
import { BrokenConnectionError } from './simulated-database.js';
import type { SimulatedStore } from './simulated-store.js';
import { SimulatedWallet, type SimulatedToken } from './simulated-wallet.js';
import type { SimulatedWorker } from './simulated-worker.js';

export interface BegunAction {
  readonly worker: SimulatedWorker;
  readonly action: () => Promise<void>;
}

/** Those of the accounts that have the most. */
const RICH_TOKENS = 4;

const MODELS = ['fx-std', 'fx-std', 'fx-std', 'fx-free', 'fx-price'];

/** Next actions, by the seed: mostly calls, and everything else that moves money or breaks. */
export class SimulatedActions {
  cast: Cast = { users: [], tokens: [], codes: [], orders: [] };
  /** The store may go away for a while. */
  hasOutages = true;
  /** Complaints of the product, counted by their words without figures. */
  readonly complaints = new Map<string, number>();
  private readonly calls: SimulatedCalls;
  private readonly wallet: SimulatedWallet;
  private readonly prices: OptionPriceBook;
  private priceRevision = 1;
  private documents = pricesOf(1, 2);

  constructor(
    private readonly random: SeededRandom,
    model: MoneyModel,
    private readonly store: SimulatedStore,
  ) {
    this.calls = new SimulatedCalls(random, model);
    this.wallet = new SimulatedWallet(random, model);
    const current = { revision: 0, values: () => this.documents };
    Object.defineProperty(current, 'revision', { get: () => this.priceRevision });
    this.prices = new OptionPriceBook(current);
  }

  /** Actions that begin now; several workers may try the same. */
  next(workers: readonly SimulatedWorker[], nextId: () => string): BegunAction[] {
    const die = this.random.below(1_000);
    if (die < 150) return this.calling(this.random.pick(workers), nextId);
    if (die < 700) return [this.call(this.random.pick(workers), nextId())];
    if (die < 760) return this.together(workers, 6, this.redeeming());
    if (die < 820) return this.together(workers, 6, this.notifying());
    if (die < 900) return this.together(workers, 3, this.adjusting());
    if (die < 930) return this.together(workers, 1, this.earning());
    if (die < 950) return this.together(workers, 1, this.allowing());
    if (die < 975) return this.together(workers, 1, this.barring());
    if (die < 978) return this.together(workers, 1, this.deleting());
    return this.disturb(workers, die);
  }

  heard(message: string): void {
    const words = message.replaceAll(/[\d-]+/g, '#').slice(0, 80);
    this.complaints.set(words, (this.complaints.get(words) ?? 0) + 1);
  }

  isExpected(error: unknown): boolean {
    return (
      error instanceof StoreUnavailableError ||
      error instanceof BrokenConnectionError ||
      (error instanceof Error && 'driverError' in error && error.driverError instanceof BrokenConnectionError)
    );
  }

  private call(worker: SimulatedWorker, callId: string): BegunAction {
    return {
      worker,
      action: () => this.calls.run(worker, this.plan(this.random.pick(this.cast.tokens), callId)),
    };
  }

  /** One caller that calls again and again, and several times at once: what slices are for. */
  private calling(worker: SimulatedWorker, nextId: () => string): BegunAction[] {
    const token = this.random.pick(this.cast.tokens.slice(0, RICH_TOKENS));
    const callAgain = async (): Promise<void> => {
      for (let left = this.random.between(5, 40); left > 0 && !worker.isStopping; left -= 1)
        await this.calls.run(worker, this.plan(token, nextId()));
    };
    return Array.from({ length: this.random.between(1, 3) }, () => ({ worker, action: callAgain }));
  }

  private plan(token: SimulatedToken, callId: string): CallPlan {
    const caller = callerOf(token);
    const isCapped = this.random.onceIn(2);
    const shape: CallShape = {
      operation: 'chat',
      model: this.random.pick(MODELS),
      stream: this.random.onceIn(2),
      choices: 1,
      outputCap: isCapped ? this.random.between(1, 80) : undefined,
      wantsStreamUsage: false,
      promptTokens: this.random.between(1, 60),
    };
    const quote = this.prices.quote(caller, shape);
    if (!quote.ok) throw new Error(quote.error.message);
    return { caller, shape, quote: quote.value, callId };
  }

  private together(
    workers: readonly SimulatedWorker[],
    most: number,
    action: (worker: SimulatedWorker) => Promise<void>,
  ): BegunAction[] {
    return Array.from({ length: this.random.between(1, most) }, () => {
      const worker = this.random.pick(workers);
      return { worker, action: () => action(worker) };
    });
  }

  private redeeming() {
    const code = this.random.pick(this.cast.codes);
    return (worker: SimulatedWorker) => this.wallet.redeem(worker, code, this.random.pick(this.cast.users));
  }

  private notifying() {
    const order = this.random.pick(this.cast.orders);
    return (worker: SimulatedWorker) => this.wallet.notify(worker, order);
  }

  private adjusting() {
    const kind = this.random.pick(['adjust', 'refund'] as const);
    const operation = this.wallet.nameOperation(kind, this.random.pick(this.cast.users));
    return (worker: SimulatedWorker) => this.wallet.adjust(worker, operation);
  }

  private earning() {
    const userId = this.random.pick(this.cast.users);
    return (worker: SimulatedWorker) => this.wallet.earn(worker, userId);
  }

  private allowing() {
    const token = this.random.pick(this.cast.tokens.filter(({ isLimited }) => isLimited));
    return (worker: SimulatedWorker) => this.wallet.setAllowance(worker, token);
  }

  private barring() {
    const target = this.random.onceIn(2)
      ? this.random.pick(this.cast.users)
      : this.random.pick(this.cast.tokens);
    return (worker: SimulatedWorker) => this.wallet.bar(worker, target);
  }

  private deleting() {
    const token = this.random.pick(this.cast.tokens);
    return (worker: SimulatedWorker) => this.wallet.deleteToken(worker, token);
  }

  /** Prices change, the store loses everything or goes away, a worker ends in order or is killed between two steps. */
  private disturb(workers: readonly SimulatedWorker[], die: number): BegunAction[] {
    if (die < 985) {
      this.priceRevision += 1;
      this.documents = pricesOf(this.random.between(1, 30) / 10, this.random.between(1, 40) / 10);
    } else if (die < 987) this.store.flush();
    else if (die < 990 && this.hasOutages && !this.store.isAway)
      this.store.goAway(this.random.between(100, 15_000));
    else if (die < 994) this.random.pick(workers).die();
    else if (die < 998) {
      const worker = this.random.pick(workers);
      return worker.running === 0 ? [{ worker, action: () => worker.stop() }] : [];
    }
    return [];
  }
}

function pricesOf(ratio: number, completion: number): PriceDocuments {
  return {
    ModelRatio: { 'fx-std': ratio, 'fx-free': 0 },
    CompletionRatio: { 'fx-std': completion },
    CacheRatio: {},
    CreateCacheRatio: {},
    ImageRatio: {},
    AudioRatio: {},
    AudioCompletionRatio: {},
    ModelPrice: { 'fx-price': 0.002 },
    GroupRatio: { default: 1 },
    SelfUseModeEnabled: false,
    PreConsumedQuota: 500,
    QuotaPerUnit: 500_000,
  };
}

function callerOf({ id, userId, isLimited }: SimulatedToken): Caller {
  return {
    userId,
    tokenId: id,
    tokenLimited: isLimited,
    username: `user-${userId}`,
    tokenName: 'simulated',
    group: 'default',
    modelLimits: null,
    acceptsUnsetPrice: false,
    pinnedChannelId: null,
  };
}
