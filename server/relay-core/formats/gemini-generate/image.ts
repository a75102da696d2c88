import { fail, ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import type { MediaSource } from '../../model/content.js';
import type { ImageReply, ImageRequest } from '../../model/image.js';
import { refusal, requestRefusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Usage } from '../../model/usage.js';
import type { Warning } from '../../model/warning.js';
import { warnOfOtherFormatFields, warnOfUnsupported } from '../shared/fields/dropped-fields.js';
import { aspectOf, imageSizeOf } from '../shared/fields/image-aspect.js';
import { imagesAsUsage } from '../shared/metering/reported-usage.js';
import type { WholeVerdict } from '../contract/reply-meter.js';
import type { UpstreamFormat, WrittenRequest } from '../contract/api-format.js';
import { GenerateMeter } from './meter.js';
import { readGenerateReply } from './read-reply.js';
import { writeMedia } from './write-part.js';

/** Key of this format in registries: images by generateContent. */
export const GEMINI_IMAGE_FORMAT = 'gemini-image';

/** Images of Gemini's own models: https://ai.google.dev/gemini-api/docs/image-generation (read 2026-11-21). */
export const geminiImage: UpstreamFormat<'image'> = {
  id: GEMINI_IMAGE_FORMAT,
  // No client API has this format, so no bytes ever pass.
  spliceRequest: ({ document }) => document.bytes,
  writeRequest: writeImageRequest,
  refuseRequest,
  openMeter: (call) => new GeminiImageMeter(call.shape),
  readReply: readImageReply,
};

function refuseRequest(request: ImageRequest): RelayError | undefined {
  if (request.count > 1) {
    return requestRefusal('The upstream of this model makes one picture per call; ask for one (n = 1).', 'n');
  }
  if (request.mask !== undefined) return requestRefusal('The upstream of this model takes no mask.', 'mask');
  return undefined;
}

function writeImageRequest(request: ImageRequest): WrittenRequest {
  const warnings: Warning[] = [];
  const { style, background, user, outputFormat } = request;
  warnOfOtherFormatFields(request.vendorOptions, GEMINI_IMAGE_FORMAT, warnings);
  warnOfUnsupported({ style, background, user, output_format: outputFormat }, 'Gemini', warnings);
  const aspectRatio = aspectOf(request.size);
  const imageSize = imageSizeOf(request.quality);
  if (aspectRatio === undefined && request.size !== 'auto')
    warnOfUnsupported({ size: request.size }, 'Gemini', warnings);
  const imageConfig = {
    ...(aspectRatio === undefined ? {} : { aspectRatio }),
    ...(imageSize === undefined ? {} : { imageSize }),
  };
  const parts = [
    { text: request.prompt },
    ...request.images.map((source: MediaSource) => writeMedia({ type: 'image', source })),
  ];
  const body = {
    contents: [{ role: 'user', parts }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      ...(Object.keys(imageConfig).length === 0 ? {} : { imageConfig }),
    },
  };
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}

/** Counts images; the vendor's own figures are charged where it gives them. */
class GeminiImageMeter extends GenerateMeter {
  constructor(private readonly shape: Pick<CallShape, 'promptTokens'>) {
    super();
    this.units = 0;
  }

  override ownCount(): Usage {
    return imagesAsUsage(this.units ?? 0, this.shape.promptTokens);
  }

  override readWhole(body: Buffer): WholeVerdict {
    const verdict = super.readWhole(body);
    if (verdict !== 'answer') return verdict;
    this.units = this.media;
    if (this.units > 0) return 'answer';
    // Text without an image: the reason why it made none.
    return this.failedWith({
      error: { message: refusal('picture-unmade').message, status: 'FAILED_PRECONDITION' },
    });
  }
}

function readImageReply(body: Buffer): Result<ImageReply, RelayError> {
  const read = readGenerateReply(body);
  if (!read.ok) return read;
  const { createdAtSeconds, choices, usage } = read.value;
  const content = choices.flatMap((choice) => choice.content);
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const images = content.flatMap((part) =>
    part.type === 'image' ? [{ source: part.source, ...(text === '' ? {} : { revisedPrompt: text }) }] : [],
  );
  if (images.length > 0) return ok({ createdAtSeconds, images, usage });
  return fail(refusal('without-picture'));
}
