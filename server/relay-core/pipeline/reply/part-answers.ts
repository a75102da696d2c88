import { ok } from '../../../common/result.js';
import { ReplyMeter, type WholeVerdict } from '../../formats/contract/reply-meter.js';
import type { NeutralReply, ParsedCall, UpstreamFormat } from '../../formats/contract/api-format.js';
import { errorInBody } from '../../formats/shared/fields/error-in-body.js';
import type { EmbeddingReply } from '../../model/embedding.js';
import type { Operation } from '../../model/operation.js';
import type { RerankReply } from '../../model/ranking.js';
import { refusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import { sumUsage } from '../../model/usage.js';
import type { Usage } from '../../model/usage.js';
import type { Route } from '../../ports/channel-picker.js';
import type { FailedReply, ProviderOperation } from '../../providers/provider.js';

/** A part of a call, as a call of its own. */
export interface CallPart<O extends Operation> {
  readonly parsed: ParsedCall<O>;
  /** Place of its first item in the whole call. */
  readonly firstItem: number;
}

/** @param status  the one that callers are shown in place of the vendor's own; absent = the vendor's */
type ReadFailure = (status?: number) => RelayError;

/**
 * The answers to the parts of one call, and the one answer they make: items in the order of the call, usage summed. `operation` is
 * the provider's own with a format whose answer is this one, so that the call is metered, charged and written as any other.
 */
export class PartAnswers<O extends Operation> {
  readonly operation: ProviderOperation<O>;
  private readonly meters = new Map<number, ReplyMeter>();
  private readonly replies = new Map<number, NeutralReply<O>>();
  private readonly sent = new Set<number>();
  private failure: ReadFailure | undefined;

  constructor(
    private readonly inner: ProviderOperation<O>,
    private readonly route: Route,
    private readonly parts: readonly CallPart<O>[],
  ) {
    const apiFormat: UpstreamFormat<O> = {
      ...inner.apiFormat,
      openMeter: () => new JoinedMeter(this),
      readReply: () => ok(this.joined()),
    };
    this.operation = {
      ...inner,
      apiFormat,
      readError: ({ status }) => this.failed(status),
      readErrorDocument: () => this.failed(),
    };
  }

  onSent(index: number): void {
    this.sent.add(index);
  }

  /** Reads the whole reply to a part. @returns false when it is no answer */
  take(index: number, { status, headers, body }: FailedReply): boolean {
    const { inner, route } = this;
    const part = this.parts[index];
    if (part === undefined) return false;
    if (status < 200 || status > 299)
      return this.fail((shown = status) => inner.readError({ status: shown, headers, body }, route));
    const meter = inner.apiFormat.openMeter(part.parsed);
    const verdict = readWhole(meter, body);
    this.meters.set(index, meter);
    if (verdict === 'error') return this.fail((shown) => this.errorInside(meter.errorDocument, shown));
    if (verdict !== 'answer') return this.fail(() => refusal(verdict === 'empty' ? 'empty' : 'unreadable'));
    const reply = inner.apiFormat.readReply(body, part.parsed);
    if (!reply.ok) return this.fail(() => reply.error);
    this.replies.set(index, reply.value);
    return true;
  }

  get verdict(): WholeVerdict {
    if (this.failure !== undefined) return 'error';
    return this.replies.size === this.parts.length ? 'answer' : 'empty';
  }

  /** The vendor's reports together; undefined = a part that answered has none, or one that cannot be true. */
  get usage(): Usage | undefined {
    const reports = [...this.meters.values()].map(reportOf);
    return reports.includes(undefined) ? undefined : sumOf(reports);
  }

  /** The vendor's reports, as far as there are any. */
  get reported(): Usage | undefined {
    return sumOf([...this.meters.values()].map(reportOf));
  }

  get isInvalid(): boolean {
    return [...this.meters.values()].some(({ usageIsInvalid }) => usageIsInvalid);
  }

  get units(): number | undefined {
    const units = [...this.meters.values()].flatMap((meter) => meter.units ?? []);
    return units.length === 0 ? undefined : units.reduce((sum, each) => sum + each, 0);
  }

  /** Usage of the parts that left: as reported, else by our own count. */
  get counted(): Usage | undefined {
    const counts = [...this.sent].map((index) => {
      const meter = this.meters.get(index);
      const own: Usage = {
        input: { total: this.parts[index]?.parsed.shape.promptTokens ?? 0 },
        output: { total: 0 },
      };
      return (meter === undefined ? undefined : (reportOf(meter) ?? meter.ownCount())) ?? own;
    });
    return sumOf(counts);
  }

  private fail(read: ReadFailure): false {
    this.failure ??= read;
    return false;
  }

  private failed(status?: number): RelayError {
    return this.failure?.(status) ?? refusal('unreadable');
  }

  /** A failure inside a success, under the status that callers are shown for it. */
  private errorInside(document: unknown, shown: number | undefined): RelayError {
    const { inner, route } = this;
    if (shown === undefined) return inner.readErrorDocument(document, route);
    return inner.readError(
      { status: shown, headers: {}, body: Buffer.from(JSON.stringify(document)) },
      route,
    );
  }

  private joined(): NeutralReply<O> {
    const located = this.parts.flatMap(({ firstItem }, index) => {
      const reply = this.replies.get(index);
      return reply === undefined ? [] : [{ reply, firstItem }];
    });
    return joinReplies(located, this.usage) as NeutralReply<O>;
  }
}

interface LocatedReply {
  readonly reply: object;
  readonly firstItem: number;
}

/** Leaves out members that a vendor adds to its answer: they are about one part. */
function joinReplies(
  located: readonly LocatedReply[],
  usage: Usage | undefined,
): EmbeddingReply | RerankReply {
  const vectors = located.flatMap(({ reply }) => (isEmbedding(reply) ? reply.vectors : []));
  const [first] = located;
  if (first !== undefined && isEmbedding(first.reply))
    return { servedModel: first.reply.servedModel, vectors, usage };
  const rankings = located.flatMap(({ reply, firstItem }) =>
    isRanking(reply) ? reply.results.map((result) => ({ ...result, index: result.index + firstItem })) : [],
  );
  return {
    servedModel: first !== undefined && isRanking(first.reply) ? first.reply.servedModel : undefined,
    results: rankings.toSorted((left, right) => right.score - left.score),
    usage,
  };
}

const isEmbedding = (reply: object): reply is EmbeddingReply => 'vectors' in reply;
const isRanking = (reply: object): reply is RerankReply => 'results' in reply;

function readWhole(meter: ReplyMeter, body: Buffer): WholeVerdict {
  const verdict = meter.readWhole(body);
  if (verdict !== 'empty') return verdict;
  const said = errorInBody(body);
  if (said === undefined) return verdict;
  meter.errorDocument = said;
  return 'error';
}

const reportOf = (meter: ReplyMeter): Usage | undefined => (meter.usageIsInvalid ? undefined : meter.usage);

function sumOf(usages: readonly (Usage | undefined)[]): Usage | undefined {
  const known = usages.filter((usage) => usage !== undefined);
  return known.length < 2 ? known[0] : known.reduce(sumUsage);
}

/** Meter of an answer that came in parts, each of which the vendor's own meter has read. */
class JoinedMeter extends ReplyMeter {
  /** The question of a ranking is read once for each part. */
  override readonly readsMore = true;

  constructor(
    private readonly answers: Pick<
      PartAnswers<Operation>,
      'verdict' | 'usage' | 'reported' | 'isInvalid' | 'units' | 'counted'
    >,
  ) {
    super();
  }

  override readWhole(): WholeVerdict {
    const { answers } = this;
    const { verdict } = answers;
    if (verdict === 'error') return this.failedWith({});
    if (verdict !== 'answer') return verdict;
    this.usageIsInvalid = answers.isInvalid;
    this.usage = answers.usage;
    this.units = answers.units;
    this.hasFinish = true;
    return verdict;
  }

  override ownCount(): Usage | undefined {
    return this.answers.counted;
  }

  override get billedUsage(): Usage | undefined {
    return this.answers.reported;
  }
}
