/** Endings of the files models are given, and the types they mean. The first ending of a type is the one it is written with. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['text', 'text/plain'],
  ['log', 'text/plain'],
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['csv', 'text/csv'],
  ['tsv', 'text/tab-separated-values'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['xml', 'text/xml'],
  ['json', 'application/json'],
  ['rtf', 'application/rtf'],
  ['doc', 'application/msword'],
  ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xls', 'application/vnd.ms-excel'],
  ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt', 'application/vnd.ms-powerpoint'],
  ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['mp3', 'audio/mp3'],
  ['wav', 'audio/wav'],
  ['mp4', 'video/mp4'],
  ['webm', 'video/webm'],
]);
const ENDING = /\.([a-z0-9]{2,8})$/i;

/** Media type by a file's name; undefined = it has no known ending. */
export const typeOfFileName = (fileName: string | undefined): string | undefined =>
  TYPES.get(ENDING.exec(fileName?.trim() ?? '')?.[1]?.toLowerCase() ?? '');

/** A name for a file that has none, for vendors that read the type from it. */
export function fileNameFor(mediaType: string | undefined): string {
  for (const [ending, type] of TYPES) if (type === mediaType) return `file.${ending}`;
  return mediaType?.startsWith('text/') === true ? 'file.txt' : 'file.pdf';
}
