import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Clock } from '../../../common/clock.js';
import { RateLimitedFaults } from '../../../infra/observability/rate-limited-faults.js';
import {
  type ChannelAdmission,
  ChannelLimits,
  type ChannelVerdict,
  type FullChannel,
  type LimitedAttempt,
} from '../../../relay-core/ports/channel-limits.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import type { ZoneChange } from '../../limits/calendar-periods.js';
import { LimitCache } from '../../limits/limit-cache.js';
import { isOfChannel, type LimitDefinition } from '../../limits/limit-definition.js';
import { BOOT_ID } from '../ledger/billing.tokens.js';
import { LimitParts } from './limit-parts.js';
import { needOf, PartAdmission, type TakenPart } from './part-admission.js';
import { reapParts } from './reap-parts.js';
import { isModelListed } from '../../../relay-core/model/model-family.js';

interface RuledChannel {
  readonly channelId: number;
  readonly channelTag?: string | undefined;
}

const NONE: readonly LimitDefinition[] = [];

/** Limits of channels and of their tags at one moment; never changes, replaced as a whole. */
export class ChannelLimitRules {
  private readonly byChannel = new Map<string, LimitDefinition[]>();
  private readonly byTag = new Map<string, LimitDefinition[]>();
  private readonly byId: ReadonlyMap<number, LimitDefinition>;

  constructor(limits: readonly LimitDefinition[]) {
    this.byId = new Map(limits.map((limit) => [limit.id, limit]));
    for (const limit of limits) {
      const map = limit.scope === 'channel' ? this.byChannel : this.byTag;
      map.set(limit.subject, [...(map.get(limit.subject) ?? []), limit]);
    }
  }

  get isEmpty(): boolean {
    return this.byId.size === 0;
  }

  find(limitId: number): LimitDefinition | undefined {
    return this.byId.get(limitId);
  }

  /** Limits that count an attempt of a model at a channel, lowest id first: all workers take their locks in one order. */
  of({ channelId, channelTag = '' }: RuledChannel, model: string): readonly LimitDefinition[] {
    if (this.isEmpty) return NONE;
    const own = this.byChannel.get(String(channelId)) ?? NONE;
    const tagged = channelTag === '' ? NONE : (this.byTag.get(channelTag) ?? NONE);
    if (own.length === 0 && tagged.length === 0) return NONE;
    return [...own, ...tagged]
      .filter((limit) => limit.model === '' || isModelListed(new Set([limit.model]), model))
      .toSorted((left, right) => left.id - right.id);
  }
}

/** Wait that is advised while the database is away. */
const UNKNOWN_RETRY_MS = 1_000;

type Target = Pick<Route, 'channelId' | 'channelTag'>;

/** Limits of channels over the rows of the database: rules of this process, and parts it has leased. */
@Injectable()
export class StoredChannelLimits
  extends ChannelLimits
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private rules = new ChannelLimitRules([]);
  private zones: readonly ZoneChange[] = [];
  private readonly parts: LimitParts;
  private readonly faults: RateLimitedFaults;
  private isReady = false;

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(BOOT_ID) private readonly owner: string,
    private readonly cache: LimitCache,
  ) {
    super();
    const logger = new Logger('ChannelLimits');
    this.faults = new RateLimitedFaults(clock, (line) => logger.error(line));
    this.parts = new LimitParts({
      dataSource,
      clock,
      owner,
      zones: () => this.zones,
      onFault: (message, error) => this.faults.record(message, String(error)),
    });
  }

  onApplicationBootstrap(): void {
    this.cache.onChange(() => this.adopt());
    this.adopt();
    this.isReady = true;
  }

  /** Requests that no settlement books. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.parts.sweep(true);
  }

  override concerns(target: Target, model: string): boolean {
    return !this.rules.isEmpty && this.rules.of(target, model).length > 0;
  }

  override findFull(target: Target, model: string): FullChannel | undefined {
    if (this.rules.isEmpty) return undefined;
    return this.rules
      .of(target, model)
      .map((limit) => (limit.action === 'warn' ? undefined : this.parts.findFull(limit)))
      .find((full) => full !== undefined);
  }

  override admit(attempt: LimitedAttempt): ChannelVerdict | Promise<ChannelVerdict> {
    const limits = this.rules.of(attempt, attempt.model);
    if (limits.length === 0) return NOT_LIMITED;
    const taken: TakenPart[] = [];
    for (const [index, limit] of limits.entries()) {
      const need = needOf(limit.measure, attempt.most);
      const window = this.parts.takeNow(limit, need);
      if (window === undefined) return this.admitRest(limits.slice(index), attempt, taken);
      taken.push({ window, taken: need });
    }
    return { type: 'admitted', admission: this.admissionOf(taken) };
  }

  /** Never rejects. */
  async sweep(): Promise<void> {
    await this.parts.sweep();
  }

  /** Takes the parts of workers that are gone. Never rejects. */
  async reap(): Promise<void> {
    if (!this.isReady || this.rules.isEmpty) return;
    try {
      await reapParts(this.dataSource, this.owner);
    } catch (error) {
      this.faults.record('parts of limits of channels could not be taken back', String(error));
    }
  }

  /** Takes the limits of channels from the cache, which reads them with the channels. */
  private adopt(): void {
    const { limits, zones } = this.cache.state;
    this.zones = zones;
    this.rules = new ChannelLimitRules(limits.filter(isOfChannel));
  }

  private async admitRest(
    limits: readonly LimitDefinition[],
    { most }: LimitedAttempt,
    taken: TakenPart[],
  ): Promise<ChannelVerdict> {
    for (const limit of limits) {
      const need = needOf(limit.measure, most);
      const answer = await this.parts.take(limit, need);
      if (!('type' in answer)) {
        taken.push({ window: answer, taken: need });
        continue;
      }
      // Limits that only warn count, and refuse nothing.
      if (limit.action === 'warn' || (answer.type === 'unknown' && limit.admitUnknown)) {
        taken.push({ window: this.parts.takeUnasked(limit, need), taken: need });
        continue;
      }
      this.admissionOf(taken).release();
      const opensAtMs = answer.type === 'full' ? answer.opensAtMs : this.clock.nowMs() + UNKNOWN_RETRY_MS;
      return { type: 'full', opensAtMs };
    }
    return { type: 'admitted', admission: this.admissionOf(taken) };
  }

  private admissionOf(taken: readonly TakenPart[]): ChannelAdmission {
    return new PartAdmission(this.parts, taken, this.owner);
  }
}

const NOT_LIMITED: ChannelVerdict = { type: 'admitted', admission: undefined };
