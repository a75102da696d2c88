import { ok, type Result } from '../../../common/result.js';
import type { FormPart, MultipartForm } from '../../framing/multipart.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import type { TranscriptionRequest } from '../../model/speech.js';
import { tokensOfAudio } from '../shared/audio/audio-length.js';
import { FormFields, formTypeOf } from '../shared/requests/form-call.js';
import { invalidRequest } from '../shared/fields/request-fields.js';
import type { CallTarget, ParsedCall } from '../contract/api-format.js';
import { TRANSCRIPTION_FORMAT, type TranscriptionTask } from './id.js';

/** The model of a request that names none. */
const DEFAULT_MODEL = 'whisper-1';
const LIST_FIELDS: ReadonlySet<string> = new Set([
  'timestamp_granularities[]',
  'timestamp_granularities',
  'include[]',
  'include',
  'known_speaker_names[]',
  'known_speaker_references[]',
]);
const DECISIVE_FIELDS: ReadonlySet<string> = new Set(['model', 'stream', 'response_format', 'language']);
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'file',
  'language',
  'prompt',
  'response_format',
  'temperature',
  'stream',
]);
/** Speech is some 200 tokens of text a minute, and a minute counts 1,000. */
const HELD_SHARE = 0.4;
const HELD_AT_LEAST = 200;

/** A form with one piece of sound. Fails: invalid-request, unsupported-media. */
export const parseTranscriptionCall =
  (task: TranscriptionTask) =>
  (body: Buffer, target: CallTarget): Result<ParsedTranscriptionCall, RelayError> => {
    const type = formTypeOf(target);
    if (type === undefined)
      return invalidRequest('Send the audio file as a form (multipart/form-data).', 'file');
    const read = FormFields.read(body, type, LIST_FIELDS, DECISIVE_FIELDS);
    if (!read.ok) return read;
    const fields = read.value;
    const model = fields.model(DEFAULT_MODEL);
    if (!model.ok) return model;
    const files = fields.files('file');
    const file = files[0];
    if (file === undefined) return invalidRequest("Missing required parameter: 'file'.", 'file');
    if (files.length > 1) return invalidRequest("The field 'file' was sent twice.", 'file');
    if (file.end === file.start) return invalidRequest("Invalid 'file': it is empty.", 'file');
    const stream = fields.flag('stream');
    if (!stream.ok) return stream;
    const tokens = tokensOfAudio(fields.bytesOf(file));
    const shape: CallShape = {
      operation: 'transcribe',
      task,
      model: model.value,
      // Whisper takes no notice of the wish and answers whole.
      stream: stream.value && !model.value.startsWith('whisper'),
      outputCap: undefined,
      choices: 1,
      promptTokens: tokens,
      wantsStreamUsage: false,
      heldOutput: {
        tokens: model.value.startsWith('whisper') ? 0 : Math.ceil(tokens * HELD_SHARE) + HELD_AT_LEAST,
        kind: 'text',
      },
    };
    return ok(new ParsedTranscriptionCall(shape, fields, file, task));
  };

export class ParsedTranscriptionCall implements ParsedCall<'transcribe'> {
  constructor(
    readonly shape: CallShape,
    readonly fields: FormFields,
    private readonly file: FormPart,
    private readonly task: TranscriptionTask,
  ) {}

  get document() {
    return this.fields.document;
  }

  get contentType(): string {
    return this.fields.contentType;
  }

  get form(): MultipartForm {
    return this.fields.form;
  }

  /** json, text, srt, verbose_json, vtt, diarized_json. */
  get format(): string {
    return this.fields.text('response_format') ?? 'json';
  }

  neutral(): Result<TranscriptionRequest, RelayError> {
    const { fields, file } = this;
    const temperature = fields.text('temperature');
    if (temperature !== undefined && !/^\d(?:\.\d{1,10})?$/.test(temperature))
      return invalidRequest("Invalid 'temperature': expected a number from 0 to 1.", 'temperature');
    const language = fields.text('language');
    const prompt = fields.text('prompt');
    const format = fields.text('response_format');
    const rest = fields.rest(KNOWN_FIELDS);
    return ok({
      task: this.task,
      file: fields.bytesOf(file),
      fileName: file.fileName ?? 'audio',
      mediaType: file.mediaType,
      ...(language === undefined ? {} : { language }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(format === undefined ? {} : { format }),
      ...(temperature === undefined ? {} : { temperature: Number(temperature) }),
      ...(rest === undefined ? {} : { vendorOptions: { [TRANSCRIPTION_FORMAT]: rest } }),
    });
  }
}
