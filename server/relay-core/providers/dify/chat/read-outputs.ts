import {
  documentOf,
  isDocument,
  listOf,
  textOf,
  type Document,
} from '../../../formats/shared/fields/json-fields.js';
import type { Source } from '../../../model/content.js';
import { DIFY_FORMAT } from './id.js';

/** Text of a workflow's outputs: its text or answer, its only text, else all of them as JSON. */
export function textOfOutputs(outputs: unknown): string {
  if (!isDocument(outputs)) return textOf(outputs) ?? '';
  const named = textOf(outputs['text']) ?? textOf(outputs['answer']) ?? textOf(outputs['output']);
  if (named !== undefined) return named;
  const values = Object.values(outputs);
  const [only] = values;
  if (values.length === 1 && typeof only === 'string') return only;
  return values.length === 0 ? '' : JSON.stringify(outputs);
}

/** Passages of a knowledge base the answer rests on. */
export function readResources(metadata: Document): readonly Source[] {
  return listOf(metadata['retriever_resources']).map((item) => {
    const resource = documentOf(item);
    const title = textOf(resource['document_name']) ?? textOf(resource['dataset_name']);
    const quote = textOf(resource['content']);
    return {
      ...(title === undefined ? {} : { title }),
      ...(quote === undefined ? {} : { quote }),
      vendorOptions: { [DIFY_FORMAT]: resource },
    };
  });
}
