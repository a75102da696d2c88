import { boundaryFor, type FormValue, writeMultipart } from '../../framing/multipart.js';
import type { MediaSource } from '../../model/content.js';
import type { ImageRequest } from '../../model/image.js';
import type { Warning } from '../../model/warning.js';
import { formatOptions } from '../shared/requests/drop-refused-members.js';
import type { RequestEdits, WrittenRequest } from '../contract/api-format.js';
import { IMAGES_FORMAT } from './id.js';
import { warnOfOtherFormatFields } from '../shared/fields/dropped-fields.js';

/** Neutral request → JSON, or a form where pictures are sent along. */
export function writeImageRequest(request: ImageRequest, edits: RequestEdits): WrittenRequest {
  const members = formatOptions(request, IMAGES_FORMAT);
  const settings: Record<string, unknown> = {
    model: edits.upstreamModel,
    prompt: request.prompt === '' ? undefined : request.prompt,
    n: request.count === 1 ? undefined : request.count,
    size: request.size,
    quality: request.quality,
    style: request.style,
    background: request.background,
    response_format: deliveryOf(request),
    output_format: request.outputFormat,
    user: request.user,
  };
  for (const [name, value] of Object.entries(settings)) if (value !== undefined) members[name] = value;
  for (const name of edits.refusedMembers) delete members[name];
  const warnings: Warning[] = [];
  warnOfOtherFormatFields(request.vendorOptions, IMAGES_FORMAT, warnings);
  const sources = [...request.images, ...(request.mask === undefined ? [] : [request.mask])];
  if (request.task === 'generate' || sources.some((source) => source.kind !== 'base64')) {
    if (request.images.length > 0) members['images'] = request.images.map(addressOf);
    if (request.mask !== undefined) members['mask'] = addressOf(request.mask);
    return { body: Buffer.from(JSON.stringify(members)), warnings };
  }
  const values: FormValue[] = Object.entries(members).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => ({
      name,
      text: typeof one === 'string' ? one : JSON.stringify(one),
    })),
  );
  const isList = request.images.length > 1;
  for (const [index, source] of request.images.entries())
    values.push(fileOf(isList ? 'image[]' : 'image', source, index));
  if (request.mask !== undefined) values.push(fileOf('mask', request.mask, 0));
  const boundary = boundaryFor(values);
  return {
    body: writeMultipart(values, boundary),
    warnings,
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** gpt-image answers in base64 by itself and refuses to be asked. */
function deliveryOf(request: ImageRequest): string | undefined {
  if (request.delivery === undefined || /gpt-image|chatgpt-image/.test(request.model)) return undefined;
  return request.delivery === 'base64' ? 'b64_json' : 'url';
}

function addressOf(source: MediaSource): Readonly<Record<string, string>> {
  switch (source.kind) {
    case 'url':
      return { image_url: source.url };
    case 'base64':
      return { image_url: `data:${source.mediaType ?? 'image/png'};base64,${source.base64}` };
    case 'vendor-file':
      return { file_id: source.fileId };
  }
}

function fileOf(name: string, source: MediaSource, index: number): FormValue {
  const base64 = source.kind === 'base64' ? source.base64 : '';
  const mediaType = (source.kind === 'base64' ? source.mediaType : undefined) ?? 'image/png';
  const ending = mediaType === 'image/jpeg' ? 'jpg' : mediaType === 'image/webp' ? 'webp' : 'png';
  return {
    name,
    bytes: Buffer.from(base64, 'base64'),
    fileName: `${name.replace('[]', '')}-${index}.${ending}`,
    mediaType,
  };
}
