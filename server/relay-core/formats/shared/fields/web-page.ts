/** Bytes in which a page shows that it is one. */
const HEAD_BYTES = 256;
const PAGE = /^(?:\xef\xbb\xbf)?\s*<(?:!--|(?:!doctype|html|head|body)\b)/i;
const OBJECT = /^(?:\xef\xbb\xbf)?\s*\{\s*(?:"|\})/;

const headOf = (bytes: Buffer): string => bytes.toString('latin1', 0, HEAD_BYTES);

/** A page for people, which proxies on the way answer with, under a status of success too. */
export const isWebPage = (bytes: Buffer): boolean => PAGE.test(headOf(bytes));

/** A page or a JSON object: audio, images and videos never begin like it. */
export const isDocumentInText = (bytes: Buffer): boolean => isWebPage(bytes) || OBJECT.test(headOf(bytes));
