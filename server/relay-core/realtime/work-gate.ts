import type { Clock } from '../../common/clock.js';
import type { Result } from '../../common/result.js';
import { requestRefusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import { documentOf, textOf } from '../formats/shared/fields/json-fields.js';
import type { RealtimeFrame } from './realtime-frame.js';
import type { RealtimeMeter } from './realtime-meter.js';
import { MAX_WAITING_RESPONSES, TOO_MANY_WAITING } from './session-errors.js';
import type { SessionPurse } from './session-purse.js';
import { isSetTwice, transcriptionIn } from './session-settings.js';
import { PCM_BYTES_PER_SECOND } from './sound-length.js';
import type { SessionTranscription } from './transcription-calls.js';
import { type NowOrLater, whenKnown } from '../../common/now-or-later.js';

/** Sound between two looks at the money while the vendor may answer at any moment. */
const SOUND_PER_LOOK = 10 * PCM_BYTES_PER_SECOND;
/** Time during which sound is refused without asking again, where the refusal names none. */
const REFUSED_MS = 1_000;

const AMBIGUOUS: RelayError = requestRefusal(
  'Write each member of an event once: the gateway and the upstream must read the same.',
);

type Verdict = RelayError | undefined;

export interface GateParts {
  readonly clock: Clock;
  readonly meter: RealtimeMeter;
  readonly purse: SessionPurse;
  readonly transcription: SessionTranscription;
  /** Takes a place in the request limits of the caller. */
  readonly countRequest: () => NowOrLater<Result<unknown, RelayError>>;
  readonly reportFault: (fault: unknown) => void;
}

/**
 * Decides before an event of the client is passed on whether the work it opens can be paid, is within the request limits, and may be
 * done at all. A refused event is answered with an error event; the session stays.
 */
export class WorkGate {
  /** Sound up to here is held for. */
  private coveredBytes = -1;
  private refused: { readonly error: RelayError; readonly untilMs: number } | undefined;
  private countedUnasked = 0;

  constructor(private readonly parts: GateParts) {}

  /** @returns why the event must not pass; undefined = it may */
  refusalOf(frame: RealtimeFrame): NowOrLater<Verdict> {
    if (frame.isAmbiguous) return AMBIGUOUS;
    switch (frame.type) {
      case 'input_audio_buffer.append':
        return this.refusalOfSound(frame);
      case 'response.create':
        return this.refusalOfResponse(frame);
      case 'input_audio_buffer.commit':
        return this.refusalOfCommit();
      case 'session.update':
      case 'transcription_session.update':
        this.coveredBytes = -1;
        return this.refusalOfSettings(frame);
      case 'conversation.item.create':
        this.coveredBytes = -1;
        return undefined;
      default:
        return undefined;
    }
  }

  /** Counts what the vendor began by itself among the requests: above the limit no more sound is taken for a while. */
  countUnasked(): void {
    const { meter, countRequest } = this.parts;
    for (; this.countedUnasked < meter.unasked; this.countedUnasked += 1) {
      const counted = countRequest();
      if (counted instanceof Promise)
        counted.then((result) => this.noteUnasked(result), this.parts.reportFault);
      else this.noteUnasked(counted);
    }
  }

  private noteUnasked(counted: Result<unknown, RelayError>): void {
    if (!counted.ok) this.refuse(counted.error);
  }

  private refuse(error: RelayError): RelayError {
    const waitMs = error.kind === 'rate-limited' ? error.retryAfterMs : REFUSED_MS;
    this.refused = { error, untilMs: this.parts.clock.monotonicMs() + waitMs };
    return error;
  }

  /** The vendor may end a turn at any moment, and answer it: as much as that costs is held while sound comes. */
  private refusalOfSound(frame: RealtimeFrame): NowOrLater<Verdict> {
    const { clock, meter } = this.parts;
    if (!meter.settings.detectsTurns) return undefined;
    if (this.refused !== undefined) {
      if (clock.monotonicMs() < this.refused.untilMs) return this.refused.error;
      this.refused = undefined;
      this.coveredBytes = -1;
    }
    const more = meter.soundIn(frame);
    const heard = meter.heardBytes + more;
    if (heard <= this.coveredBytes) return undefined;
    const held = after(this.holdFor('turn', more), () => this.holdForModel(more));
    return whenKnown(held, (error) => {
      if (error !== undefined) return this.refuse(error);
      this.coveredBytes = heard + SOUND_PER_LOOK;
      return undefined;
    });
  }

  private refusalOfResponse(frame: RealtimeFrame): NowOrLater<Verdict> {
    if (this.parts.meter.waitingResponses >= MAX_WAITING_RESPONSES) return TOO_MANY_WAITING;
    this.coveredBytes = -1;
    return after(this.holdFor(frame), () => this.count());
  }

  /** A turn that the client ends is transcribed where that is on. */
  private refusalOfCommit(): NowOrLater<Verdict> {
    if (!this.parts.meter.settings.isTranscribing) return undefined;
    const held = after(this.holdFor('transcript'), () => this.holdForModel());
    return after(held, () => this.count());
  }

  private refusalOfSettings(frame: RealtimeFrame): NowOrLater<Verdict> {
    const session = documentOf(frame.members['session']);
    if (isSetTwice(session)) return AMBIGUOUS;
    const model = textOf(transcriptionIn(session)?.['model']);
    return model === undefined || this.parts.meter.isOwnModel(model)
      ? undefined
      : this.parts.transcription.allow(model);
  }

  /** @param pcmBytes  sound that the event adds */
  private holdFor(next: RealtimeFrame | 'turn' | 'transcript', pcmBytes = 0): NowOrLater<Verdict> {
    const { meter, purse } = this.parts;
    const { sound, words } = meter.forecast(next, pcmBytes);
    return purse.hold([sound, words]);
  }

  /** Holds for the transcript of another model than the session's. */
  private holdForModel(pcmBytes = 0): NowOrLater<Verdict> {
    const { meter, transcription } = this.parts;
    return meter.settings.isTranscribing ? transcription.holdNext(pcmBytes) : undefined;
  }

  private count(): NowOrLater<Verdict> {
    const counted = this.parts.countRequest();
    return whenKnown(counted, errorOf);
  }
}

const errorOf = (result: Result<unknown, RelayError>): Verdict => (result.ok ? undefined : result.error);

/** The next step, unless the one before refused. */
const after = (first: NowOrLater<Verdict>, next: () => NowOrLater<Verdict>): NowOrLater<Verdict> =>
  whenKnown(first, (error) => error ?? next());
