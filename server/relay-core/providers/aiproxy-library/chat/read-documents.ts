import type { Source } from '../../../model/content.js';
import { documentOf, listOf, textOf, type Document } from '../../../formats/shared/fields/json-fields.js';
import { LIBRARY_FORMAT } from './id.js';

/** Documents of the library an answer rests on. */
export function readDocuments(answer: Document): readonly Source[] {
  return listOf(answer['documents']).map((item) => {
    const found = documentOf(item);
    const [url, title, quote] = [textOf(found['url']), textOf(found['title']), textOf(found['content'])];
    return {
      ...(url === undefined ? {} : { url }),
      ...(title === undefined ? {} : { title }),
      ...(quote === undefined ? {} : { quote }),
      vendorOptions: { [LIBRARY_FORMAT]: found },
    };
  });
}
