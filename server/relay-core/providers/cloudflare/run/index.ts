import { fail, ok, type Result } from '../../../../common/result.js';
import type { ImageReply } from '../../../model/image.js';
import { refusal, requestRefusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import type { TranscriptionReply } from '../../../model/speech.js';
import type { Warning } from '../../../model/warning.js';
import {
  documentOf,
  given,
  listOf,
  numberOf,
  parseDocument,
  textOf,
} from '../../../formats/shared/fields/json-fields.js';
import { warnOfOtherFormatFields, warnOfUnsupported } from '../../../formats/shared/fields/dropped-fields.js';
import type { UpstreamFormat } from '../../../formats/contract/api-format.js';
import { writtenBody } from '../../../formats/shared/requests/drop-refused-members.js';
import type { WholeVerdict } from '../../../formats/contract/reply-meter.js';
import { JsonEventMeter, key, parseSpan } from '../../../formats/shared/metering/json-event-meter.js';

const RESULT = key('result');
const TEXT = key('text');
const IMAGE = key('image');
const OPEN_OBJECT = 0x7b;

/** Models that take sound as base64 in JSON; the older ones take its bytes. */
const TAKES_JSON = /turbo|nova|deepgram/;

/** Speech to text by `ai/run`: https://developers.cloudflare.com/workers-ai/models (read 2026-11-21). */
export const cloudflareTranscription: UpstreamFormat<'transcribe'> = {
  id: 'cloudflare-transcription',
  spliceRequest: (call) => call.document.bytes,
  writeRequest: (request, edits) => {
    const warnings: Warning[] = [];
    warnOfOtherFormatFields(request.vendorOptions, cloudflareTranscription.id, warnings);
    if (!TAKES_JSON.test(edits.upstreamModel)) {
      const { language, prompt, temperature } = request;
      warnOfUnsupported({ language, prompt, temperature }, 'this model', warnings);
      return { body: request.file, warnings, contentType: 'application/octet-stream' };
    }
    warnOfUnsupported({ temperature: request.temperature }, 'this model', warnings);
    const body = {
      audio: request.file.toString('base64'),
      task: request.task,
      ...given('language', request.language),
      ...given('initial_prompt', request.prompt),
    };
    return { body: Buffer.from(JSON.stringify(body)), warnings };
  },
  openMeter: () => new CloudflareRunMeter(false),
  readReply: readTranscript,
};

/** Images by `ai/run`: bytes, or base64 inside JSON. */
export const cloudflareImage: UpstreamFormat<'image'> = {
  id: 'cloudflare-image',
  spliceRequest: (call) => call.document.bytes,
  writeRequest: (request, edits) => {
    const warnings: Warning[] = [];
    const { quality, style, background, outputFormat, user } = request;
    warnOfOtherFormatFields(request.vendorOptions, cloudflareImage.id, warnings);
    warnOfUnsupported(
      { quality, style, background, output_format: outputFormat, user },
      'this upstream',
      warnings,
    );
    const [width, height] =
      /^(\d{2,4})x(\d{2,4})$/
        .exec(request.size ?? '')
        ?.slice(1)
        .map(Number) ?? [];
    const size = width === undefined ? {} : { width, height };
    return writtenBody(edits, { prompt: request.prompt, ...size }, warnings);
  },
  refuseRequest: ({ count, task }) =>
    count === 1 && task === 'generate'
      ? undefined
      : requestRefusal(
          'The upstream of this model makes one new picture per call.',
          count === 1 ? 'image' : 'n',
        ),
  openMeter: () => new CloudflareRunMeter(true),
  readReply: readImage,
};

function readTranscript(body: Buffer): Result<TranscriptionReply, RelayError> {
  const result = documentOf(parseDocument(body, JSON.parse)?.['result']);
  const text = result['text'];
  if (typeof text !== 'string') return fail(refusal('other-kind', { wanted: 'a transcript' }));
  const segments = listOf(result['segments']).flatMap((item) => {
    const segment = documentOf(item);
    const [start, end] = [numberOf(segment['start']), numberOf(segment['end'])];
    return start === undefined || end === undefined
      ? []
      : [{ start, end, text: textOf(segment['text']) ?? '' }];
  });
  const info = documentOf(result['transcription_info']);
  const language = textOf(info['language']);
  const durationSeconds = numberOf(info['duration']);
  return ok({
    text,
    ...(language === undefined ? {} : { language }),
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(segments.length === 0 ? {} : { segments }),
    usage: undefined,
  });
}

function readImage(body: Buffer): Result<ImageReply, RelayError> {
  const document = body[0] === 0x7b ? parseDocument(body, JSON.parse) : undefined;
  const inside = textOf(documentOf(document?.['result'])['image']);
  if (body.length === 0 || (body[0] === 0x7b && inside === undefined))
    return fail(refusal('other-kind', { wanted: 'a picture' }));
  const base64 = inside ?? body.toString('base64');
  const mediaType = base64.startsWith('/9j/') ? 'image/jpeg' : 'image/png';
  return ok({
    createdAtSeconds: undefined,
    images: [{ source: { kind: 'base64', base64, mediaType } }],
    usage: undefined,
  });
}

/** Meter of replies of `ai/run`: `{result, success, errors}`, or an image's bytes. */
export class CloudflareRunMeter extends JsonEventMeter {
  /** @param makesPictures  the answer is one image, which is charged as one */
  constructor(private readonly makesPictures: boolean) {
    super();
  }

  override readWhole(body: Buffer): WholeVerdict {
    this.produced.borrow();
    if (this.makesPictures && body.length > 0 && body[0] !== OPEN_OBJECT) return this.answer();
    if (!this.walk(body, 0, body.length, this.member)) return 'malformed';
    if (this.sawContent) return this.answer();
    const document = parseSpan(body, 0, body.length) as { readonly success?: unknown };
    if (document.success === true) return 'empty';
    return this.failedWith(document);
  }

  private answer(): WholeVerdict {
    this.hasFinish = true;
    if (this.makesPictures) this.units = 1;
    return 'answer';
  }

  private readonly member = (): void => {
    if (this.cursor.keyIs(RESULT)) this.members(this.result);
    else this.cursor.skipValue();
  };

  private readonly result = (): void => {
    const { cursor } = this;
    if (cursor.keyIs(TEXT) && !this.makesPictures) this.takeText();
    else if (cursor.keyIs(IMAGE) && this.makesPictures) this.sawContent = this.takeString() !== undefined;
    else this.takeUnknown(cursor);
  };
}
