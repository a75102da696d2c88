import { ok, type Result } from '../../../../common/result.js';
import type { FieldSpan, ScannedObject } from '../../../framing/json-splice.js';
import { ID_KEYS } from '../../../framing/scan-flags.js';
import {
  boundaryOf,
  type FormPart,
  MultipartFault,
  type MultipartForm,
  scanMultipart,
  textOfPart,
} from '../../../framing/multipart.js';
import type { MediaSource } from '../../../model/content.js';
import type { RelayError } from '../../../model/relay-error.js';
import { invalidRequest } from '../fields/request-fields.js';
import type { CallTarget } from '../../contract/api-format.js';

const MAX_MODEL_LENGTH = 256;
/** Names of things that the vendor keeps. A form brings its files, so none of them belongs in one. */
const ID_FIELDS: ReadonlySet<string> = new Set(ID_KEYS.filter((key) => /_ids?$/.test(key)));

/** The type of a request's body, where it is a form; undefined = it is not. */
export function formTypeOf(target: CallTarget): string | undefined {
  const type = target.headers['content-type'];
  return typeof type === 'string' && /^multipart\//i.test(type.trim()) ? type.trim() : undefined;
}

/** A form whose fields are read like the members of a JSON body, each once. */
export class FormFields {
  private constructor(
    readonly form: MultipartForm,
    readonly contentType: string,
    private readonly fields: ReadonlyMap<string, FormPart>,
  ) {}

  /**
   * @param lists  fields that may come several times
   * @param decisive  names that decide cost or destination; spellings another reader might take for them are refused
   * Fails: invalid-request.
   */
  static read(
    body: Buffer,
    contentType: string,
    lists: ReadonlySet<string>,
    decisive: ReadonlySet<string>,
  ): Result<FormFields, RelayError> {
    const boundary = boundaryOf(contentType);
    if (boundary === undefined) {
      return invalidRequest('The Content-Type of the form must be multipart/form-data with one boundary.');
    }
    const form = scanMultipart(body, boundary);
    if (form instanceof MultipartFault)
      return invalidRequest(`We could not read the form in your request: ${form.message}.`);
    const fields = new Map<string, FormPart>();
    for (const part of form.parts) {
      const { name } = part;
      const base = baseOf(name).toLowerCase();
      if (name.split(/[[\].]/).some((piece) => ID_FIELDS.has(piece.toLowerCase())))
        return invalidRequest(`Unknown parameter: '${base}'. Send the file itself in the form.`, base);
      if (base !== name && !lists.has(name) && decisive.has(base))
        return invalidRequest(`Unknown parameter: did you mean '${base}'?`, base);
      if (lists.has(name) || (lists.has(`${baseOf(name)}[]`) && part.fileName !== undefined)) continue;
      if (fields.has(name)) return invalidRequest(`The field '${name}' was sent twice.`, name);
      if (part.fileName !== undefined && decisive.has(name))
        return invalidRequest(`Invalid '${name}': expected a field, not a file.`, name);
      fields.set(name, part);
    }
    return ok(new FormFields(form, contentType, fields));
  }

  /** For parts of the pipeline that look at JSON bodies: a document without members. */
  get document(): ScannedObject {
    return { bytes: this.form.bytes, members: NO_FIELDS, closeAt: this.form.bytes.length };
  }

  has(name: string): boolean {
    return this.fields.has(name);
  }

  /** Text of a field; undefined when it is absent or empty. */
  text(name: string): string | undefined {
    const part = this.fields.get(name);
    if (part === undefined || part.fileName !== undefined) return undefined;
    const text = textOfPart(this.form, part);
    return text === '' ? undefined : text;
  }

  /** A number in a field. Fails: invalid-request. */
  integer(name: string, min: number, max: number): Result<number | undefined, RelayError> {
    const text = this.text(name);
    if (text === undefined) return ok(undefined);
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max))
      return invalidRequest(`Invalid '${name}': expected an integer from ${min} to ${max}.`, name);
    return ok(value);
  }

  /** `true` or `false` in a field; absent is false. Fails: invalid-request. */
  flag(name: string): Result<boolean, RelayError> {
    const text = this.text(name);
    if (text === undefined || text === 'false') return ok(false);
    if (text === 'true') return ok(true);
    return invalidRequest(`Invalid '${name}': expected true or false.`, name);
  }

  /** The model asked for. @param fallback  what a form without one means; undefined = it must name one */
  model(fallback: string | undefined): Result<string, RelayError> {
    const text = this.text('model') ?? fallback;
    if (text === undefined) return invalidRequest('You must provide a model parameter.', 'model');
    if (text.length > MAX_MODEL_LENGTH || /[\u0000-\u001f\u007f]/.test(text))
      return invalidRequest("Invalid 'model': this cannot be the name of a model.", 'model');
    return ok(text);
  }

  /** Files under a name, its list form `name[]` and its indexed form `name[0]`. */
  files(name: string): readonly FormPart[] {
    return this.form.parts.filter((part) => part.fileName !== undefined && baseOf(part.name) === name);
  }

  bytesOf(part: FormPart): Buffer {
    return this.form.bytes.subarray(part.start, part.end);
  }

  /** A file as the neutral model has it. */
  sourceOf(part: FormPart): MediaSource {
    return { kind: 'base64', base64: this.bytesOf(part).toString('base64'), mediaType: part.mediaType };
  }

  /** Fields of a form that are in none of the given names: what only this format knows. */
  rest(known: ReadonlySet<string>): Record<string, unknown> | undefined {
    let rest: Record<string, unknown> | undefined;
    for (const part of this.form.parts) {
      if (part.fileName !== undefined || known.has(part.name)) continue;
      rest ??= Object.create(null) as Record<string, unknown>;
      const text = textOfPart(this.form, part);
      const before = rest[part.name];
      rest[part.name] = before === undefined ? text : [...(Array.isArray(before) ? before : [before]), text];
    }
    return rest;
  }
}

const NO_FIELDS: ReadonlyMap<string, FieldSpan> = new Map();
const baseOf = (name: string): string => name.replace(/\[[^\]]*\]$/, '');
