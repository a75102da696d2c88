import { sumUsage } from '../model/usage.js';
import type { Evidence, Usage } from '../model/usage.js';
import { type AskedResponse, type AskedResponses, capSentFor } from './asked-responses.js';
import { type Conversation, sumInput } from './conversation.js';
import type { OpenResponses } from './open-responses.js';
import { RealtimeFrame } from './realtime-frame.js';
import type { RequestReader } from './request-reader.js';
import type { SessionSettings } from './session-settings.js';
import { heardTokens } from './sound-length.js';
import type { Transcripts } from './transcripts.js';

/** Output one response is held for without a cap: about a minute and a half of speech. */
const ANSWER_TOKENS = 2_000;
const NOTHING: Usage = { input: { total: 0 }, output: { total: 0 } };

/** Facts of the models of a session. */
export interface MeteredModels {
  /** Name that callers know the session's model by. */
  readonly model?: string | undefined;
  /** Largest answer of the model that serves it, in tokens; undefined = unknown. */
  readonly largestAnswer?: number | undefined;
  /** The session is priced by the response, not by the token. */
  readonly countsUnits?: boolean | undefined;
}

/** Work that may begin next: the request for a response, the end of a turn by the vendor, or by the client. */
export type NextWork = RealtimeFrame | 'turn' | 'transcript';

/** Usage with all further output as audio, and with all of it as text. */
export interface Forecast {
  readonly sound: Usage;
  readonly words: Usage;
}

interface SessionParts {
  readonly settings: SessionSettings;
  readonly transcripts: Transcripts;
  readonly conversation: Conversation;
  readonly asked: AskedResponses;
  readonly open: OpenResponses;
  readonly requests: RequestReader;
  readonly models: MeteredModels;
}

/** Usage of a session: of the responses that ended, of those being made, and of those that wait. */
export class SessionUsage {
  /** Responses that ended. */
  responses = 0;
  /** Responses whose figures are our own. */
  counted = 0;
  /** Responses that were reported above what the request allows. */
  boundedResponses = 0;
  private settled: Usage = NOTHING;

  constructor(private readonly parts: SessionParts) {}

  /** A response ended. */
  add(usage: Usage): void {
    this.settled = sumUsage(this.settled, usage);
    this.responses += 1;
  }

  /** Everything so far that the session's own price is for; what is not reported yet by our own count. */
  usage(): Usage {
    let all = sumUsage(this.settled, this.parts.transcripts.usageOf(this.isOwnModel));
    for (const response of this.parts.open.unreported())
      all = sumUsage(all, response.usage(this.parts.conversation.context));
    for (const { input } of this.parts.asked.all) all = sumUsage(all, { input, output: { total: 0 } });
    return this.withUnits(all, 0);
  }

  /**
   * Estimates the usage once everything that is open, and what may begin, has been answered.
   * @param next      the request for a response, the end of a turn by the vendor, or by the client
   * @param pcmBytes  sound that is about to be added
   */
  forecast(next: NextWork, pcmBytes: number): Forecast {
    let all = sumUsage(this.settled, this.parts.transcripts.usageOf(this.isOwnModel));
    let answers = 0;
    let begun = 0;
    for (const response of this.parts.open.unreported()) {
      const usage = response.usage(this.parts.conversation.context);
      all = sumUsage(all, usage);
      answers += Math.max(0, this.capOf(response.asked) - (usage.output.total ?? 0));
    }
    const waiting = [...this.parts.asked.all];
    if (next instanceof RealtimeFrame) waiting.push(this.parts.requests.read(next));
    for (const asked of waiting) {
      all = sumUsage(all, { input: asked.input, output: { total: 0 } });
      answers += this.capOf(asked);
      begun += 1;
    }
    if (next === 'turn') {
      const more = heardTokens(pcmBytes);
      const input = sumInput(this.parts.conversation.reading(), { total: more, audio: more });
      all = sumUsage(all, { input, output: { total: 0 } });
      answers += this.capOf(undefined);
      begun += 1;
    }
    const { isTranscribing, transcriptionModel } = this.parts.settings;
    if (!(next instanceof RealtimeFrame) && isTranscribing && this.isOwnModel(transcriptionModel))
      all = sumUsage(all, this.parts.transcripts.forecast(pcmBytes));
    const counted = this.withUnits(all, begun);
    return {
      sound: sumUsage(counted, { input: { total: 0 }, output: { total: answers, audio: answers } }),
      words: sumUsage(counted, { input: { total: 0 }, output: { total: answers } }),
    };
  }

  /** Nothing was used, or everything by the vendor's report, or some of it by our own count or up to a bound. */
  evidence(): Evidence {
    const { input, output } = this.usage();
    if (input.total === 0 && output.total === 0) return 'none';
    if (this.boundedResponses + this.parts.transcripts.countsOf(this.isOwnModel).bounded > 0)
      return 'bounded';
    const isCounted = this.counted > 0 || this.parts.open.hasUnreported || this.parts.asked.all.length > 0;
    return isCounted || this.parts.transcripts.countsOf(this.isOwnModel).counted > 0 ? 'counted' : 'reported';
  }

  /** True of a transcribing model whose work is part of the session: the session's own, or one without a name. */
  readonly isOwnModel = (model: string | undefined): boolean =>
    model === undefined || model === this.parts.models.model;

  private withUnits(usage: Usage, begun: number): Usage {
    if (this.parts.models.countsUnits !== true) return usage;
    let units = this.responses + begun + this.parts.asked.all.length * (begun === 0 ? 1 : 0);
    for (const response of this.parts.open.unreported()) if (response.isExpected) units += 1;
    return { ...usage, units: Math.max(1, units) };
  }

  private capOf(asked: AskedResponse | undefined): number {
    return capSentFor(asked, this.parts.settings.outputCap) ?? ANSWER_TOKENS;
  }
}
