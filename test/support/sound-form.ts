import { boundaryFor, writeMultipart } from '../../server/relay-core/framing/multipart.js';

/** A form that asks for the transcript of a little sound. */
export function oneSecondForm(
  model: string,
  fields: Readonly<Record<string, string>> = {},
): { readonly body: Buffer; readonly headers: Readonly<Record<string, string>> } {
  const values = [
    ...Object.entries({ model, ...fields }).map(([name, text]) => ({ name, text })),
    { name: 'file', bytes: Buffer.alloc(32), fileName: 'a.wav', mediaType: 'audio/wav' },
  ];
  const boundary = boundaryFor(values);
  return {
    body: writeMultipart(values, boundary),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}
