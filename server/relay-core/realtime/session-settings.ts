import { documentOf, numberOf, textOf, type Document } from '../formats/shared/fields/json-fields.js';
import { bytesPerSecond, PCM_BYTES_PER_SECOND } from './sound-length.js';

/**
 * The set-up of a session, by the client's `session.update` and by the vendor's word on it. What makes work dearer counts from
 * the moment either side names it; what makes it cheaper only when the vendor has confirmed it.
 */
export class SessionSettings {
  heardBytesPerSecond = PCM_BYTES_PER_SECOND;
  spokenBytesPerSecond = PCM_BYTES_PER_SECOND;
  /** The slowest format of the session so far: no sound is longer than this makes it. */
  slowestBytesPerSecond = PCM_BYTES_PER_SECOND;
  /** The vendor ends turns by itself, and answers them. Sessions begin so. */
  detectsTurns = true;
  isTranscribing = false;
  /** Model that transcribes; undefined = none was named. */
  transcriptionModel: string | undefined;
  /** Most output tokens of a response; undefined = no cap. */
  outputCap: number | undefined;

  readClient(session: Document): void {
    this.readFormats(session);
    this.readClientCap(outputCapIn(session));
    const transcription = transcriptionIn(session);
    if (transcription !== undefined && transcription !== null) this.transcribe(transcription);
    const turns = turnDetectionIn(session);
    if (turns !== undefined && turns !== null) this.detectsTurns = true;
  }

  readServer(session: Document): void {
    this.readFormats(session);
    const cap = outputCapIn(session);
    if (cap !== undefined) this.outputCap = cap ?? undefined;
    const transcription = transcriptionIn(session);
    if (transcription === null) this.isTranscribing = false;
    else if (transcription !== undefined) this.transcribe(transcription);
    const turns = turnDetectionIn(session);
    if (turns !== undefined) this.detectsTurns = turns !== null;
  }

  /** The vendor may refuse the update: until it confirms a cap, the client's own word only takes one away or raises it. */
  private readClientCap(cap: number | null | undefined): void {
    if (cap === null) this.outputCap = undefined;
    else if (cap !== undefined && this.outputCap !== undefined)
      this.outputCap = Math.max(cap, this.outputCap);
  }

  private transcribe(transcription: Document): void {
    this.isTranscribing = true;
    this.transcriptionModel = textOf(transcription['model']) ?? this.transcriptionModel;
  }

  /** Words of the beta (`g711_ulaw`), and objects of the general interface (`audio.input.format.type: audio/pcmu`). */
  private readFormats(session: Document): void {
    const audio = documentOf(session['audio']);
    const heard = session['input_audio_format'] ?? formatIn(audio['input']);
    const spoken = session['output_audio_format'] ?? formatIn(audio['output']);
    this.heardBytesPerSecond = bytesPerSecond(heard) ?? this.heardBytesPerSecond;
    this.spokenBytesPerSecond = bytesPerSecond(spoken) ?? this.spokenBytesPerSecond;
    this.slowestBytesPerSecond = Math.min(this.slowestBytesPerSecond, this.heardBytesPerSecond);
  }
}

/** `input_audio_transcription` of the beta, `audio.input.transcription` since. @returns null = off, undefined = not mentioned */
export function transcriptionIn(session: Document): Document | null | undefined {
  const found = session['input_audio_transcription'] ?? inputOf(session)['transcription'];
  if (found === undefined) return session['input_audio_transcription'] === null ? null : undefined;
  return found === null ? null : documentOf(found);
}

function turnDetectionIn(session: Document): unknown {
  const found = session['turn_detection'];
  return found === undefined ? inputOf(session)['turn_detection'] : found;
}

/** A cap on the output of a response. @returns null = `inf`, expressly none; undefined = not mentioned */
export function outputCapIn(holder: Document): number | null | undefined {
  const named = holder['max_output_tokens'] ?? holder['max_response_output_tokens'];
  if (named === 'inf') return null;
  const cap = numberOf(named);
  return cap === undefined || cap < 1 ? undefined : Math.ceil(cap);
}

const inputOf = (session: Document): Document => documentOf(documentOf(session['audio'])['input']);

const formatIn = (side: unknown): unknown => documentOf(documentOf(side)['format'])['type'];
