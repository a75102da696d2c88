import type { Caller, CallShape, FinishedCall } from '../../server/relay-core/model/call.js';
import type { Usage } from '../../server/relay-core/model/usage.js';
import type { Quote } from '../../server/relay-core/ports/price-book.js';
import type { Hold } from '../../server/relay-core/ports/quota-holds.js';
import type { ModelCall, MoneyModel } from './money-model.js';
import type { SeededRandom } from './seeded-random.js';
import type { SimulatedWorker } from './simulated-worker.js';

export interface CallPlan {
  readonly caller: Caller;
  readonly shape: CallShape;
  readonly quote: Quote;
  readonly callId: string;
}

interface RunningCall extends CallPlan {
  readonly worker: SimulatedWorker;
  readonly model: ModelCall;
  hold: Hold;
  outputTokens: number;
}

const CHANNELS = [1, 2, 3];
const NO_USAGE: Usage = { input: { total: undefined }, output: { total: undefined } };

/** Calls as the relay makes them, against quota holds only: what goes upstream is a pause of random length. */
export class SimulatedCalls {
  constructor(
    private readonly random: SeededRandom,
    private readonly model: MoneyModel,
  ) {}

  /** One call from its hold to its end. Never ends when its worker dies. */
  async run(worker: SimulatedWorker, plan: CallPlan): Promise<void> {
    const { caller, callId, quote } = plan;
    const model = this.model.call(callId, caller.userId, caller.tokenLimited ? caller.tokenId : null);
    const { holds } = worker.engine;
    const held = await holds.reserve({
      callId,
      caller,
      quote,
      windows: [],
      affordable: !plan.shape.stream && this.random.onceIn(2),
    });
    if (!held.ok) return;
    const call: RunningCall = { ...plan, worker, model, hold: held.value, outputTokens: 0 };
    await this.wait(worker);
    if (this.random.onceIn(12)) return holds.release(call.hold);
    if (!(await this.dispatch(call))) return;
    await this.wait(worker);
    if (this.random.onceIn(10)) return this.giveUp(call);
    const isLimited = !(await this.produce(call));
    await this.finish(call, isLimited);
  }

  private async dispatch(call: RunningCall): Promise<boolean> {
    const { holds } = call.worker.engine;
    call.model.dispatching(call.quote.promptEstimate);
    try {
      await holds.recordDispatch(call.hold, this.random.pick(CHANNELS), 0);
    } catch {
      // The spool refused: nothing went upstream.
      holds.release(call.hold);
      call.model.ended(null);
      return false;
    }
    call.model.dispatched();
    if (this.random.onceIn(8)) {
      await this.wait(call.worker);
      void holds.recordDispatch(call.hold, this.random.pick(CHANNELS), 1);
    }
    return true;
  }

  /** It came to nothing. The record of that may not be written when the worker dies now. */
  private giveUp(call: RunningCall): void {
    const { worker, model } = call;
    model.mayCost(null);
    worker.engine.holds.release(call.hold);
    worker.onceWritten(() => model.ended(null));
  }

  /** @returns false when the account could not pay for more */
  private async produce(call: RunningCall): Promise<boolean> {
    const { worker, quote, model, shape } = call;
    let covered = quote.heldOutputTokens;
    for (let turn = this.random.below(4); turn > 0; turn -= 1) {
      call.outputTokens += this.random.below(40);
      if (shape.stream && call.outputTokens > covered * 0.8) {
        const by = quote.charge({ input: { total: 0 }, output: { total: 100 } });
        const more = await worker.engine.holds.extend(call.hold, by);
        if (!more.ok) return false;
        call.hold = more.value;
        covered += 100;
      }
      if (shape.stream && this.random.onceIn(3)) {
        const usage = usageOf(call);
        model.mayCost(quote.charge(usage));
        worker.engine.holds.recordCheckpoint(call.hold, usage, this.random.onceIn(3));
      }
      await this.wait(worker);
    }
    // Output beyond the request is not produced, except by vendors that overshoot.
    if (!this.random.onceIn(25)) call.outputTokens = Math.min(call.outputTokens, covered);
    return true;
  }

  private async finish(call: RunningCall, isLimited: boolean): Promise<void> {
    const { worker, model, quote } = call;
    const evidence = this.random.pick(['reported', 'reported', 'reported', 'counted', 'none'] as const);
    const usage: Usage = evidence === 'none' ? NO_USAGE : usageOf(call);
    const priced = quote.charge(usage);
    const finished: FinishedCall = {
      callId: call.callId,
      caller: call.caller,
      shape: call.shape,
      channelId: this.random.pick(CHANNELS),
      upstreamModel: call.shape.model,
      isModelMapped: false,
      usage,
      evidence,
      priced,
      outcome: isLimited ? 'limit' : this.random.pick(['ok', 'ok', 'ok', 'partial', 'client_abort'] as const),
      snapshot: quote.snapshot,
      startedAtMs: worker.clock.nowMs(),
      firstByteMs: 3,
      durationMs: 40,
      attempts: [],
      path: '/v1/chat/completions',
      note: '',
    };
    model.mayCost(priced);
    await worker.engine.holds.settle(call.hold, finished);
    model.ended(priced);
    // Later ends change nothing.
    if (this.random.onceIn(20)) worker.engine.holds.release(call.hold);
  }

  private async wait(worker: SimulatedWorker): Promise<void> {
    if (this.random.onceIn(2)) await worker.pause(this.random.below(this.random.onceIn(50) ? 20_000 : 60));
  }
}

const usageOf = ({ shape, outputTokens }: RunningCall): Usage => ({
  input: { total: shape.promptTokens },
  output: { total: outputTokens },
});
