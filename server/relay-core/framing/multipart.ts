import { isUtf8 } from 'node:buffer';

/** A part of a form, where it stands in its body. */
export interface FormPart {
  readonly name: string;
  /** Undefined = a field, not a file. */
  readonly fileName: string | undefined;
  /** Media type in the client's words, in lower case; undefined = it named none. */
  readonly mediaType: string | undefined;
  /** First byte of the delimiter line before the part. */
  readonly partAt: number;
  /** First byte of the value. */
  readonly start: number;
  /** One past the value's last byte. */
  readonly end: number;
}

/** A `multipart/form-data` body whose parts were found without copying them. */
export interface MultipartForm {
  readonly bytes: Buffer;
  readonly boundary: string;
  readonly parts: readonly FormPart[];
  /** First byte of the closing delimiter's line. */
  readonly closeAt: number;
}

/** A body that is no form, or one two readers could understand differently; the sentence is fit for the caller. */
export class MultipartFault {
  constructor(readonly message: string) {}
}

const MAX_PARTS = 128;
const MAX_HEADER_BYTES = 4 * 1024;
const MAX_NAME_LENGTH = 128;
const MAX_FILE_NAME_LENGTH = 512;
/** A field is a word or a prompt; files are bounded by the body. */
const MAX_FIELD_BYTES = 1024 * 1024;

/** RFC 2046: 1 to 70 characters, and nothing a header could not carry unquoted but for the listed signs. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;
const FORM_TYPE = /^multipart\/form-data\s*;(.*)$/i;
const PARAMETER = /^\s*([a-z0-9*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]+))\s*(?:;|$)/i;
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*?)[ \t]*$/;
const FIELD_NAME = /^[A-Za-z0-9_.[\]-]+$/;
const CRLF = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');

/** The boundary a content type names; undefined = the type is not `multipart/form-data`, or names none that is allowed. */
export function boundaryOf(contentType: string): string | undefined {
  const parameters = FORM_TYPE.exec(contentType)?.[1];
  if (parameters === undefined) return undefined;
  const found = readParameters(parameters);
  const boundary = found?.get('boundary');
  return boundary !== undefined && BOUNDARY.test(boundary) ? boundary : undefined;
}

/**
 * Finds the parts of a form, strictly: whatever one reader could take for a boundary, a name or a header and another
 * could not is refused, so that what is billed here is what the upstream reads.
 */
export function scanMultipart(body: Buffer, boundary: string): MultipartForm | MultipartFault {
  const delimiter = Buffer.from(`--${boundary}`);
  // Some writers begin with an empty line; anything else before the first delimiter would be invisible to one reader.
  let at = startsWith(body, CRLF, 0) ? CRLF.length : 0;
  if (!startsWith(body, delimiter, at)) return new MultipartFault('it does not begin with its boundary');
  const inner = Buffer.from(`\r\n--${boundary}`);
  const parts: FormPart[] = [];
  for (;;) {
    const partAt = at;
    at += delimiter.length;
    if (body[at] === 0x2d && body[at + 1] === 0x2d) {
      const rest = body.subarray(at + 2);
      if (rest.length > 0 && !rest.equals(CRLF)) return new MultipartFault('something follows its last part');
      return { bytes: body, boundary, parts, closeAt: partAt };
    }
    if (!startsWith(body, CRLF, at)) return new MultipartFault('a boundary is not at the end of its line');
    if (parts.length === MAX_PARTS) return new MultipartFault(`it has more than ${MAX_PARTS} parts`);
    const headersAt = at + CRLF.length;
    const part = readPart(body, partAt, inner, headersAt);
    if (part instanceof MultipartFault) return part;
    parts.push(part);
    at = part.end + CRLF.length;
  }
}

/** Text of a field. */
export function textOfPart(form: MultipartForm, part: FormPart): string {
  return form.bytes.toString('utf8', part.start, part.end);
}

/** Changes to a form: the text to give a field, or `undefined` to remove every part of that name. */
export type PartChanges = ReadonlyMap<string, string | undefined>;

/** Writes fields into a form and removes others; every other byte stays, files are never written again. */
export function spliceParts(form: MultipartForm, changes: PartChanges): Buffer {
  const { bytes } = form;
  const pieces: Buffer[] = [];
  const written = new Set<string>();
  let at = 0;
  for (const [index, part] of form.parts.entries()) {
    if (!changes.has(part.name)) continue;
    const value = changes.get(part.name);
    if (value !== undefined && !written.has(part.name)) {
      written.add(part.name);
      pieces.push(bytes.subarray(at, part.start), Buffer.from(value));
      at = part.end;
      continue;
    }
    const next = form.parts[index + 1]?.partAt ?? form.closeAt;
    pieces.push(bytes.subarray(at, part.partAt));
    at = next;
  }
  pieces.push(bytes.subarray(at, form.closeAt));
  for (const [name, value] of changes) {
    if (value !== undefined && !written.has(name)) pieces.push(fieldPart(form.boundary, name, value));
  }
  pieces.push(bytes.subarray(form.closeAt));
  return Buffer.concat(pieces);
}

/** A value that goes into a form written anew. */
export type FormValue =
  | { readonly name: string; readonly text: string }
  | {
      readonly name: string;
      readonly bytes: Buffer;
      readonly fileName: string;
      readonly mediaType: string;
    };

/**
 * Writes a form.
 * @param boundary  occurs in none of the values; `boundaryFor` finds one
 */
export function writeMultipart(values: readonly FormValue[], boundary: string): Buffer {
  const pieces: Buffer[] = [];
  for (const value of values) {
    if ('text' in value) pieces.push(fieldPart(boundary, value.name, value.text));
    else {
      const head =
        `--${boundary}\r\nContent-Disposition: form-data; name="${value.name}"; ` +
        `filename="${quotable(value.fileName)}"\r\nContent-Type: ${value.mediaType}\r\n\r\n`;
      pieces.push(Buffer.from(head), value.bytes, CRLF);
    }
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return Buffer.concat(pieces);
}

/** A boundary that none of the values contains; the same for the same values. */
export function boundaryFor(values: readonly FormValue[]): string {
  for (let number = 0; ; number += 1) {
    const boundary = `----tollgate-form-${number.toString(36).padStart(8, '0')}`;
    const isFree = values.every((value) =>
      'text' in value ? !value.text.includes(boundary) : !value.bytes.includes(boundary),
    );
    if (isFree) return boundary;
  }
}

const fieldPart = (boundary: string, name: string, text: string): Buffer =>
  Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`);

const quotable = (fileName: string): string => fileName.replace(/["\\\r\n\u0000]/g, '_');

function readPart(body: Buffer, partAt: number, inner: Buffer, headersAt: number): FormPart | MultipartFault {
  const headersEnd = body.indexOf(HEADERS_END, headersAt);
  if (headersEnd === -1 || headersEnd - headersAt > MAX_HEADER_BYTES)
    return new MultipartFault('the headers of a part are too long or do not end');
  const start = headersEnd + HEADERS_END.length;
  const end = body.indexOf(inner, start);
  if (end === -1) return new MultipartFault('its last part does not end');
  const head = readHead(body.subarray(headersAt, headersEnd));
  if (head instanceof MultipartFault) return head;
  if (head.fileName === undefined) {
    if (end - start > MAX_FIELD_BYTES) return new MultipartFault(`the field '${head.name}' is too long`);
    if (!isUtf8(body.subarray(start, end)))
      return new MultipartFault(`the field '${head.name}' is not valid UTF-8`);
  }
  return { ...head, partAt, start, end };
}

function readHead(bytes: Buffer): Pick<FormPart, 'name' | 'fileName' | 'mediaType'> | MultipartFault {
  if (!isUtf8(bytes)) return new MultipartFault('the headers of a part are not valid UTF-8');
  let disposition: string | undefined;
  let mediaType: string | undefined;
  for (const line of bytes.toString('utf8').split('\r\n')) {
    const [, name = '', value = ''] = HEADER_LINE.exec(line) ?? [];
    // A folded line, a bare line feed or a control character: readers differ in where the header ends.
    if (name === '' || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(line))
      return new MultipartFault('a part has a header that cannot be read');
    const folded = name.toLowerCase();
    if (folded === 'content-disposition') {
      if (disposition !== undefined) return new MultipartFault('a part is named twice');
      disposition = value;
    } else if (folded === 'content-type') {
      if (mediaType !== undefined) return new MultipartFault('a part has two types');
      mediaType = value.toLowerCase();
      if (mediaType.startsWith('multipart/')) return new MultipartFault('a part is a form itself');
    } else if (folded === 'content-transfer-encoding' && !/^(?:binary|7bit|8bit)$/i.test(value)) {
      return new MultipartFault('a part is encoded; send its bytes as they are');
    }
  }
  return disposition === undefined
    ? new MultipartFault('a part has no name')
    : readDisposition(disposition, mediaType);
}

function readDisposition(
  text: string,
  mediaType: string | undefined,
): Pick<FormPart, 'name' | 'fileName' | 'mediaType'> | MultipartFault {
  const rest = /^form-data\s*;(.*)$/is.exec(text)?.[1];
  const found = rest === undefined ? undefined : readParameters(rest);
  const name = found?.get('name');
  if (found === undefined || name === undefined || name.length > MAX_NAME_LENGTH || !FIELD_NAME.test(name))
    return new MultipartFault('a part has no name that can be used');
  const fileName = found.get('filename') ?? extendedName(found.get('filename*'));
  if (fileName !== undefined && fileName.length > MAX_FILE_NAME_LENGTH)
    return new MultipartFault(`the file name of '${name}' is too long`);
  return { name, fileName, mediaType };
}

/** `name="value"; …`; undefined when it cannot be read to its end, or names one thing twice. */
function readParameters(text: string): Map<string, string> | undefined {
  const found = new Map<string, string>();
  let rest = text;
  while (rest.trim() !== '') {
    const match = PARAMETER.exec(rest);
    const name = match?.[1]?.toLowerCase();
    if (match === null || name === undefined || found.has(name)) return undefined;
    found.set(name, match[2]?.replace(/\\(["\\])/g, '$1') ?? match[3] ?? '');
    rest = rest.slice(match[0].length);
  }
  return found;
}

/** RFC 5987: `utf-8''na%C3%AFve.mp3`. */
function extendedName(value: string | undefined): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value ?? '')?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    // A stray percent sign: it is a file all the same, under the name as it stands.
    return encoded;
  }
}

const startsWith = (body: Buffer, start: Buffer, at: number): boolean =>
  body.length >= at + start.length && body.compare(start, 0, start.length, at, at + start.length) === 0;
