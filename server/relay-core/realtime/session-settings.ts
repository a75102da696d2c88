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
  /** Model that transcribes: the first one either side named, then the one the vendor confirmed last; undefined = none was named. */
  transcriptionModel: string | undefined;
  /** Model the client named in its place, which the vendor has not confirmed; undefined = none. */
  requestedModel: string | undefined;
  /** Most output tokens of a response; undefined = no cap. */
  outputCap: number | undefined;

  readClient(session: Document): void {
    const { heard, spoken } = formatsIn(session);
    // A faster format makes the same bytes a shorter sound.
    this.heardBytesPerSecond = Math.min(this.heardBytesPerSecond, heard ?? Number.POSITIVE_INFINITY);
    this.spokenBytesPerSecond = Math.min(this.spokenBytesPerSecond, spoken ?? Number.POSITIVE_INFINITY);
    this.noteSlowest();
    this.readClientCap(outputCapIn(session));
    const transcription = transcriptionIn(session);
    if (transcription !== undefined && transcription !== null) this.request(transcription);
    const turns = turnDetectionIn(session);
    if (turns !== undefined && turns !== null) this.detectsTurns = true;
  }

  readServer(session: Document): void {
    const { heard, spoken } = formatsIn(session);
    this.heardBytesPerSecond = heard ?? this.heardBytesPerSecond;
    this.spokenBytesPerSecond = spoken ?? this.spokenBytesPerSecond;
    this.noteSlowest();
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

  /** The vendor may refuse the update: then the model before still transcribes, at its own price. */
  private request(transcription: Document): void {
    this.isTranscribing = true;
    const model = textOf(transcription['model']);
    if (this.transcriptionModel === undefined) this.transcriptionModel = model;
    else if (model !== undefined) this.requestedModel = model;
  }

  private transcribe(transcription: Document): void {
    this.isTranscribing = true;
    this.transcriptionModel =
      textOf(transcription['model']) ?? this.requestedModel ?? this.transcriptionModel;
    this.requestedModel = undefined;
  }

  private noteSlowest(): void {
    this.slowestBytesPerSecond = Math.min(this.slowestBytesPerSecond, this.heardBytesPerSecond);
  }
}

/** Bytes a second of both directions, by words of the beta (`g711_ulaw`) or objects of the general interface (`audio.input.format.type: audio/pcmu`). */
export function formatsIn(session: Document) {
  const audio = documentOf(session['audio']);
  return {
    heard: bytesPerSecond(session['input_audio_format'] ?? formatIn(audio['input'])),
    spoken: bytesPerSecond(session['output_audio_format'] ?? formatIn(audio['output'])),
  };
}

/** `input_audio_transcription` of the beta, `audio.input.transcription` since. @returns null = off, undefined = not mentioned */
export function transcriptionIn(session: Document): Document | null | undefined {
  const found = session['input_audio_transcription'] ?? inputOf(session)['transcription'];
  if (found === undefined) return session['input_audio_transcription'] === null ? null : undefined;
  return found === null ? null : documentOf(found);
}

/** True where both grammars set the same thing: vendors differ in which of the two they read. */
export function isSetTwice(session: Document): boolean {
  const audio = documentOf(session['audio']);
  const input = documentOf(audio['input']);
  const output = documentOf(audio['output']);
  return [
    [session['input_audio_transcription'], input['transcription']],
    [session['turn_detection'], input['turn_detection']],
    [session['input_audio_format'], input['format']],
    [session['output_audio_format'], output['format']],
    [session['max_response_output_tokens'], session['max_output_tokens']],
  ].some(([beta, general]) => beta !== undefined && general !== undefined);
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
