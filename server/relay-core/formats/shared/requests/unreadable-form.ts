import { requestRefusal } from '../../../model/refusals.js';
import type { RelayError } from '../../../model/relay-error.js';
import { isDocument, type Document } from '../fields/json-fields.js';

/** Forms of answers that every vendor can produce. */
const PLAIN: readonly unknown[] = ['text', 'json_object'];

/**
 * Reason why a form of answers needs a vendor of the caller's own API, if any serves it: an answer that is not in the form that
 * was requested is worse than none. Undefined = others can write it.
 * @param path  of the form in the request. @param schemaOf  its schema and where that belongs
 */
export function unreadableForm(
  path: string,
  form: unknown,
  schemaOf: (form: Document) => readonly [schema: unknown, place: string],
): RelayError | undefined {
  if (!isDocument(form) || PLAIN.includes(form['type'])) return undefined;
  if (form['type'] !== 'json_schema')
    return refuse(`${path}.type`, 'is a form the upstream of this model does not write.');
  const [schema, place] = schemaOf(form);
  return isDocument(schema) ? undefined : refuse(`${path}.${place}`, 'must hold the schema of the answer.');
}

const refuse = (param: string, what: string): RelayError => requestRefusal(`'${param}' ${what}`, param);
